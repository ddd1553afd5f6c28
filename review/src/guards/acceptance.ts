// One acceptance of exactly one change: what stops the gate is a person's to judge, and the hash says of which change they did.
import { kindOf } from '../findings/catalog';
import type { Finding } from '../findings/finding';
import { plain } from '../text/escape';
import { compareText } from '../text/sentence';
import type { Guards } from './guards';
import { digestOf, type ReviewedPlan } from './reviewed-plan';

export interface Acceptance {
  readonly hash: string;
  readonly isAccepted: boolean;
  readonly other?: string;
  /** The findings that stop the change, and would not any more. */
  readonly accepts: readonly Finding[];
}

/** Whether a person can judge a finding: they cannot if nobody has seen the change, its base, or what was approved. */
export const isAcceptable = ({ id }: Finding): boolean =>
  kindOf(id).about !== 'evidence' && kindOf(id).isUnacceptable !== true;

/** Undefined if nothing stops the change, or if nobody can judge a part of what does. */
export function acceptanceOf(
  stopping: readonly Finding[],
  judged: { readonly plan: ReviewedPlan; readonly guards: Guards; readonly accepted: string | undefined },
): Acceptance | undefined {
  if (stopping.length === 0 || !stopping.every(isAcceptable)) return undefined;
  const { accepted } = judged;
  const hash = hashOf(stopping, judged);
  const other = accepted === undefined || accepted === hash ? {} : { other: accepted };
  return { hash, isAccepted: accepted === hash, ...other, accepts: stopping };
}

/** Covers the plan with all that is there before, both sides of the guards, and what stops, in the words that the person reads. */
function hashOf(
  stopping: readonly Finding[],
  { plan, guards }: { readonly plan: ReviewedPlan; readonly guards: Guards },
): string {
  const reasons = stopping
    .map(({ id, severity, where: { subject, origin, property }, reason }) =>
      JSON.stringify([id, severity, subject, origin?.urn, property, plain(reason)]),
    )
    .sort(compareText);
  return digestOf([plan.hash, guards.digest, reasons]);
}
