// Drift: what is live and was not reviewed. The review judges it as a change from what is known to what is live; these are the
// lines that say what exactly differs.
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { Sentence } from '../text/sentence';

/** One thing that differs. */
export interface DriftItem {
  /** `added` is a rule that an exclusive set finds in its policy. */
  readonly kind: 'changed' | 'gone' | 'added';
  /** The resource that stands for it. */
  readonly urn: string;
  /** The policy, the edge, or `edge/route`. */
  readonly subject?: string;
  readonly property?: string;
  /** What was there, and what is live. */
  readonly what: Sentence;
  /** The edit of the program that keeps what is live. */
  readonly keep: Sentence;
}

/** All that is live otherwise than it was known. */
export interface Drift {
  /** The hash of the approved plan that it is compared with; absent where it is the state. */
  readonly planHash?: string;
  readonly items: readonly DriftItem[];
  /** The rules in the policies of the stack that no stack manages. */
  readonly unmanaged: readonly ServiceRule[];
}
