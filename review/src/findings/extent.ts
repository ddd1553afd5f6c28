import { type CidrSet, cidrSetOf, everything } from '../access/cidr-set';
import type { RuleDeclaration } from '../model/declarations';

/** All that a finding is about, as data. One that is uncertain has all that it may be about. */
export interface Extent {
  readonly networks?: CidrSet;
  /** The patterns of a user agent filter; `.*` for all clients. */
  readonly patterns?: readonly string[];
  /** The user agents of clients in a log; an empty one is none. */
  readonly clients?: readonly string[];
  /** The key of an assertion, and the entry that a waiver of it has. */
  readonly assertion?: { readonly key: string; readonly entry: string; readonly isCeiling: boolean };
}

/** What the findings of a kind are about, besides their subject. */
export type ExtentPart = keyof Extent;

/** The networks of rules. A hidden one may be any. */
export function networksOfRules(rules: readonly Pick<RuleDeclaration, 'cidr'>[]): Extent {
  const known = rules.flatMap(({ cidr }) => (cidr.isKnown ? cidr.value : []));
  return { networks: known.length === rules.length ? cidrSetOf(known) : everything };
}

export const ALL_CLIENTS = '.*';
