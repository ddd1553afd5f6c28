import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import { say } from '../text/sentence';
import type { PlanComparison } from './compare-plans';
import { comparePlans } from './compare-plans';
import type { Reviewed, ReviewedPlan } from './reviewed-plan';
import { planOf } from './reviewed-plan';

/** The plan of a review, and how it compares with the approved one, if any. */
export interface CheckedPlan {
  readonly plan: ReviewedPlan;
  readonly expected?: { readonly plan: ReviewedPlan; readonly comparison: PlanComparison };
}

/** Makes the plan, and compares it with the expected one. */
export function checkPlan(
  reviewed: Reviewed,
  { expected, nowMs }: { readonly expected: ReviewedPlan | undefined; readonly nowMs: number },
): CheckedPlan {
  const plan = planOf(reviewed);
  if (!expected || !reviewed.isWhole) return { plan };
  // Parts that are already done no longer touch anything, and must be compared nevertheless.
  const fresh = planOf(reviewed, expected);
  return {
    plan,
    expected: {
      plan: expected,
      comparison: comparePlans(expected, fresh, { accesses: reviewed.accesses, nowMs }),
    },
  };
}

/** One finding for each resource, or subject, that is planned differently than approved. */
export const planFindings = ({ expected }: CheckedPlan): Finding[] =>
  (expected?.comparison.differences ?? []).map(({ about, reason }) =>
    finding('plan-differs', {
      where: { subject: about },
      reason: say`Not as reviewed: ${reason}.`,
    }),
  );
