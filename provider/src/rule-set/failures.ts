import { isAmbiguous, isDefinite, isEdgePolicyError, isKeyRefused } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import { RuleInTheWay } from '../run/create-failures';
import { nameOfLiveRule, nameOfRule, type LiveRule } from '../rule/rule';
import { firstOf } from '../values/failure';
import type { RuleStep } from './plan-changes';

/** Further failures are counted and not shown. */
const SHOWN = 20;

export const STOPPED_EARLY =
  'stopped after too many lost responses, whose outcomes have been checked. Run "pulumi up" again for the rest.';

/** Whether an error would hit every other rule as well: no connection, no time left, or no permission. */
export const concernsAllRules = (error: unknown): boolean =>
  isKeyRefused(error) || (isEdgePolicyError(error) && !isDefinite(error) && !isAmbiguous(error));

export const goneMeanwhile = (id: string): UserError =>
  new UserError(`${id} no longer exists; the next "pulumi up" creates the rule again`);

/** The set gives up an allow and the deny that covers it, and only the allow has a new owner. */
export const denyStays = (id: string): UserError =>
  new UserError(
    `${id} was not deleted: another resource has just taken over an allow that it covers, and may still take over this rule. If ` +
      `none does, the next "pulumi up" deletes it`,
  );

export const notAsSent = (id: string, fields: readonly string[]): UserError =>
  new UserError(
    `${id} has values on the service that differ from those sent: ${fields.join(', ')}; the next "pulumi up" sends ` +
      `them again`,
  );

export function failureSentence(step: RuleStep, error: unknown): string {
  const rule = step.kind === 'create' ? nameOfRule(step.rule) : step.rule.id;
  return `${step.kind} ${rule}: ${error instanceof RuleInTheWay ? error.fact : messageForUser(error)}`;
}

function capped(failures: readonly string[]): string[] {
  const hidden = failures.length - SHOWN;
  return hidden <= 0 ? [...failures] : [...failures.slice(0, SHOWN), `… and ${hidden} more failures`];
}

const listOf = (rules: readonly LiveRule[]): string => firstOf(rules.map(nameOfLiveRule), SHOWN);

interface Unfinished {
  readonly failures: readonly string[];
  readonly advice: ReadonlySet<string>;
  readonly doneCount: number;
  readonly totalCount: number;
}

export const summaryOf = (
  ipPolicyId: string,
  { doneCount, totalCount, failures, advice }: Unfinished,
): readonly string[] => [
  `The rule set of ${ipPolicyId} does not match its declaration yet: ${doneCount} of ${totalCount} requests done, ` +
    `${failures.length} failed. The state holds the live rules; the next "pulumi up" does only the rest.`,
  ...capped(failures),
  ...advice,
];

/** The engine keeps the set in state as it was, which does not tell which rules are gone. */
export function notDeleted(ipPolicyId: string, { doneCount, totalCount, failures }: Unfinished): UserError {
  const outcome =
    `The rule set of ${ipPolicyId} was not fully deleted: ${doneCount} of ${totalCount} requests done, ${failures.length} failed. ` +
    `The state still holds the whole set. Repeat the command to delete the rest, or run "pulumi refresh" before a change that ` +
    `declares the set again.`;
  return new UserError([outcome, ...capped(failures)].join('\n'));
}

export const holdsOthers = (ipPolicyId: string, foreign: readonly LiveRule[]): UserError =>
  new UserError(
    `${ipPolicyId} already holds ${foreign.length} rules that an exclusive set would remove or change, and nothing was ` +
      `changed: ${listOf(foreign)}. Declare the ones to keep in the set, then set overwriteExisting: true: ` +
      `the set takes those over and removes the others. To leave the others alone, set exclusive: false.`,
  );

/** An exclusive set owns every rule of its policy, so no other resource may. */
export const exclusiveBesideOthers = (ipPolicyId: string, ofOthers: readonly LiveRule[]): UserError =>
  new UserError(
    `The set owns the whole policy ${ipPolicyId}, but other resources of this program manage some of its rules: ` +
      `${listOf(ofOthers)}. Declare them in the set, or set exclusive: false.`,
  );
