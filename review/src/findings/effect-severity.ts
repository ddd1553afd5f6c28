import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { isNearlyAll, isWide, publicSizes } from '../access/public-space';
import type { Severity } from './severity';
import { isAtLeast } from './severity';

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
