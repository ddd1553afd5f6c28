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

/** What is said of every finding of a kind; docs/findings.md shows an example of each. */
export interface FindingKind {
  readonly title: string;
  /** The usual severity; a finding may be worse or milder where its size says so. */
  readonly severity: Severity;
  /**
   * `change`: says what the change does. `state`: says what is odd about a declaration, before or after, and counts
   * only if the change brings it. `undecidable`: says that nothing may be concluded.
   */
  readonly about: 'change' | 'state' | 'undecidable';
  /** What to do about it. */
  readonly advice: string;
}

/** How bad it is that these addresses get in: one scale for every way in which they may come to. */
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
