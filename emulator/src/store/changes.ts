import type { ParentKind } from '../identifiers';
import type { RuleTexts } from './rule-texts';

export type RuleAction = 'allow' | 'deny';

/** An IP policy rule as the service stores it. */
export interface Rule extends RuleTexts {
  readonly id: string;
  /** Position in creation order; the list's cursor. */
  readonly sequence: number;
  readonly createdAtMs: number;
  /** As it is served; `network` is the canonical form by which duplicates are found. */
  readonly cidr: string;
  readonly network: string;
  readonly policyId: string;
  readonly action: RuleAction;
}

/** All possible changes of an account. Stores change by these alone, so a log of them is the whole state. */
export type Change =
  | { readonly op: 'put-rule'; readonly rule: Rule }
  | { readonly op: 'delete-rule'; readonly id: string }
  | { readonly op: 'put-module'; readonly name: string; readonly id: string; readonly module: object }
  | { readonly op: 'delete-module'; readonly name: string; readonly id: string }
  | { readonly op: 'add-parent'; readonly kind: ParentKind; readonly id: string };
