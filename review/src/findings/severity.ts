import { isNearlyAll, isWide, publicSizes } from '../access/public-space';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';

/** How much a finding matters, the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number];

/** Whether a severity is as bad as another, or worse. */
export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);

/** Sort order: the worst first. */
export const compareSeverity = (left: Severity, right: Severity): number =>
  SEVERITIES.indexOf(left) - SEVERITIES.indexOf(right);

/** A kind of finding. Every entry of the catalog answers all of it; the pages below docs/findings.md show an example of each. */
export interface FindingKind {
  readonly title: string;
  /** The usual severity; the size of a finding may make it more or less severe. */
  readonly severity: Severity;
  /**
   * `change`: an effect of the change. `state`: an oddity of a declaration, before or after, which counts only if the change
   * brings it. `undecidable`: nothing may be concluded.
   */
  readonly about: 'change' | 'state' | 'undecidable';
  /**
   * What follows besides its severity. `stops`: a review stops whatever its threshold, as the caller has explicitly excluded
   * it. `stops-until-accepted`: the same until another person has accepted the change of guards, of which the threshold is
   * one. `affects-access`: during the apply, later or on hidden objects, although the bounds of no subject show it.
   */
  readonly verdict: 'by-severity' | 'stops' | 'stops-until-accepted' | 'affects-access';
  /**
   * What a policy pack, which knows no state before the change, has to see for it: `one-resource`, independently of the rest, or
   * the `stack`. `unknown`: the stack, but it reports something unknown. `none`: no pack reports it, as it describes a
   * change, is about a lock and no resource, or is for information only.
   */
  readonly posture: 'one-resource' | 'stack' | 'unknown' | 'none';
  /** What to do about it. */
  readonly advice: string;
}

/** How bad it is that these addresses get in: one scale for all causes. */
export function severityOfGain(gained: CidrSet): Severity {
  const sizes = publicSizes(gained);
  if (sizes.some(isNearlyAll)) return 'critical';
  return sizes.some(isWide) ? 'high' : 'medium';
}

/** The worse of two. */
export const worseOf = (left: Severity, right: Severity): Severity => (isAtLeast(left, right) ? left : right);

/** The milder of two. */
export const milderOf = (left: Severity, right: Severity): Severity =>
  isAtLeast(left, right) ? right : left;
