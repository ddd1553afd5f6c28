import type { Origin } from '../model/origin';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { Sentence } from '../report/sentence';

/** Whose access is asked about. */
export type Question =
  | { readonly kind: 'policy' | 'tcp-edge'; readonly subject: string; readonly network: Cidr }
  | { readonly kind: 'route'; readonly subject: string; readonly userAgent: string | null };

/** What becomes of somebody. `partly`: some addresses of a network get in and others do not. */
export type Decision = 'let-in' | 'kept-out' | 'partly' | 'undecided' | 'not-there';

/** The decision, and the rule, expression or pattern that makes it. */
export interface Answer {
  readonly decision: Decision;
  readonly because: Sentence;
  /** Where the deciding declaration stands in the program. */
  readonly origin?: Origin;
}
