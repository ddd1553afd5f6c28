import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { BoundedChange } from '../access/bounds';
import {
  type CidrSet,
  cidrSetOf,
  emptyCidrSet,
  everything,
  intersect,
  isEmptyCidrSet,
  sizeOf,
  subtract,
} from '../access/cidr-set';
import { isNearlyAll, isWide, publicSizes } from '../access/public-space';
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

export type ExtentPart = keyof Extent;

/** The networks of rules. A hidden one may be any. */
export function networksOfRules(rules: readonly Pick<RuleDeclaration, 'cidr'>[]): Extent {
  const known = rules.flatMap(({ cidr }) => (cidr.isKnown ? cidr.value : []));
  return { networks: known.length === rules.length ? cidrSetOf(known) : everything };
}

export const ALL_CLIENTS = '.*';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);

export const compareSeverity = (left: Severity, right: Severity): number =>
  SEVERITIES.indexOf(left) - SEVERITIES.indexOf(right);

/** A kind of finding. The pages below docs/findings.md show an example of each. */
export interface FindingKind {
  readonly title: string;
  /** The usual severity; the size of a finding may make it more or less severe. */
  readonly severity: Severity;
  readonly about: 'change' | 'state' | 'evidence';
  readonly posture?: Posture;
  readonly advice: string;
  /** What a waiver has to name besides the subject, one of these at least; without any, the subject is enough. */
  readonly extents?: readonly ExtentPart[];
  /**
   * `stops` whatever the threshold, as the caller excluded it; `stops-review`: unless the plan is approved (`--expect`);
   * `affects-access`: during the apply, later or on hidden objects, which no bounds show.
   */
  readonly verdict?: 'stops' | 'stops-review' | 'affects-access';
  /** Whether no person can judge it, so that nobody may accept a change with it. So it is with all that is about evidence. */
  readonly isUnacceptable?: true;
}

/**
 * Whether a policy pack, which has no state before, can see it: in `one-resource`, in the `stack`, only as something `unknown`, or
 * not at all (`none`: about a lock, or for information).
 */
type Posture = 'one-resource' | 'stack' | 'unknown' | 'none';

/** An effect of the change. Without `posture`, it can only be seen by comparing. */
export const aboutChange = (
  severity: Severity,
  rest: Omit<FindingKind, 'about' | 'severity'>,
): FindingKind => ({ about: 'change', severity, ...rest });

const kindAbout =
  (about: FindingKind['about']) =>
  (
    severity: Severity,
    posture: Posture,
    texts: Pick<FindingKind, 'title' | 'advice' | 'extents'>,
  ): FindingKind => ({ about, severity, posture, ...texts });

/** An oddity of a declaration, before or after, which counts only if the change brings it. */
export const aboutState = kindAbout('state');

/** Something is hidden or unreadable, so that the review is not decidable. */
export const aboutEvidence = kindAbout('evidence');

/** Medium, high from an IPv4 /16 or an IPv6 /32 on, critical from nine tenths of the public space on: one scale for all causes. */
export function severityOfGain(gained: CidrSet): Severity {
  const sizes = publicSizes(gained);
  if (sizes.some(isNearlyAll)) return 'critical';
  return sizes.some(isWide) ? 'high' : 'medium';
}

/**
 * How bad it is that addresses of a family no longer get in: high if less than a tenth of who got in still does, medium if less
 * than half, else low; at most medium if nearly everybody got in before and somebody in any family still does, or if as many gain.
 */
export function severityOfLoss(
  { before, after }: Omit<BoundedChange, 'gained' | 'lost'>,
  family: Family,
): Severity {
  const all = sizeOf(before.surely, family);
  const still = sizeOf(intersect(before.surely, after.possibly), family);
  const severity = still * 10n < all ? 'high' : still * 2n < all ? 'medium' : 'low';
  const wasOpen = publicSizes({ ...emptyCidrSet, [family]: before.surely[family] }).some(isNearlyAll);
  const isMove = sizeOf(subtract(after.surely, before.possibly), family) >= all - still;
  const isLockout = isEmptyCidrSet(intersect(before.surely, after.possibly));
  return (wasOpen && !isLockout) || isMove ? milderOf('medium', severity) : severity;
}

export const worseOf = (left: Severity, right: Severity): Severity => (isAtLeast(left, right) ? left : right);

export const milderOf = (left: Severity, right: Severity): Severity =>
  isAtLeast(left, right) ? right : left;
