// What for: the lines that say where the live service differs from what was reviewed.
// Must not know: `access`, `findings`, and how live objects are read.

import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { Sentence } from '../text/sentence';

/** One thing that differs. */
export interface DriftItem {
  /** `added` is a foreign rule that an exclusive set finds in its policy. */
  readonly kind: 'changed' | 'gone' | 'added';
  /** The resource of the object. */
  readonly urn: string;
  /** The policy, the edge, or `edge/route`. */
  readonly subject?: string;
  readonly property?: string;
  /** What was known, and what is live. */
  readonly what: Sentence;
  /** The edit of the program that keeps the live object. */
  readonly keep: Sentence;
}

/** All differences between known and live objects. */
export interface Drift {
  /** The hash of the approved plan that is compared; absent if the state is. */
  readonly planHash?: string;
  readonly items: readonly DriftItem[];
  /** The rules in the policies of the stack that no stack manages. */
  readonly unmanaged: readonly ServiceRule[];
}
