import { isAmbiguous, isDefinite, isEdgePolicyError, isKeyRefused } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import type { Words } from '../errors/words';
import { nameOfLiveRule, type LiveRule, type Rule } from '../rule/rule';
import type { Step } from './plan-changes';

/** More failures than this are counted and not shown. */
const SHOWN = 20;

/** Why a run without a failure did not do all it had to. */
export const STOPPED_EARLY =
  'stopped after too many lost answers, whose outcomes have been checked. Run "pulumi up" again for the rest.';

/** Whether an error would meet every other rule as well: no connection, no time left, or no right to do it. */
export const concernsAllRules = (error: unknown): boolean =>
  isKeyRefused(error) || (isEdgePolicyError(error) && !isDefinite(error) && !isAmbiguous(error));

/** The rule was there when state was written. */
export const goneMeanwhile = (id: string): UserError =>
  new UserError(`${id} no longer exists; the next "pulumi up" creates the rule again`);

/** The set gives up an allow and a deny over it, and only the allow has a new owner. */
export const denyStays = (id: string): UserError =>
  new UserError(
    `${id} was not deleted: another resource has just taken over an allow below it, and may still take over this rule. ` +
      `The next "pulumi up" deletes it if nobody does`,
  );

/** The service took the rule, and answered with other values. */
export const notAsSent = (id: string, fields: readonly string[]): UserError =>
  new UserError(
    `the service has values in ${id} other than those sent for: ${fields.join(', ')}; the next "pulumi up" sends ` +
      `them again`,
  );

/**
 * How sentences call the rules that a set declares: by their places. Networks may be secret, no host knows whether they are,
 * and the engine keeps what it is told of failures in state, in clear.
 */
export class RuleNumbers {
  private places: ReadonlyMap<string, number> | undefined;

  constructor(private readonly declared: readonly Rule[]) {}

  nameOf({ cidr }: Rule): string {
    this.places ??= new Map(this.declared.map((rule, index) => [rule.cidr, index + 1]));
    return `rule ${this.places.get(cidr) ?? 'unknown'}`;
  }
}

/** What went wrong with one step, in one sentence, without any value that could be secret. */
export function failureSentence(step: Step, error: unknown, numbers: RuleNumbers): string {
  const rule = step.kind === 'create' ? numbers.nameOf(step.rule) : step.rule.id;
  return `${step.kind} ${rule}: ${messageForUser(error)}`;
}

/** The first failures of many, and how many more there are. */
function capped(failures: readonly string[]): string[] {
  const hidden = failures.length - SHOWN;
  return hidden <= 0 ? [...failures] : [...failures.slice(0, SHOWN), `… and ${hidden} more failures`];
}

/** The first rules of many by name, in one line. */
function listOf(rules: readonly LiveRule[]): string {
  const names = rules.slice(0, SHOWN).map(nameOfLiveRule);
  const hidden = rules.length - names.length;
  return names.join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
}

/** What a run that has not done everything says. */
interface Unfinished {
  readonly failures: readonly string[];
  readonly doneCount: number;
  readonly totalCount: number;
}

/** What is left undone of a set, and why. */
export const summaryOf = (
  ipPolicyId: string,
  { doneCount, totalCount, failures }: Unfinished,
): readonly string[] => [
  `The rule set of ${ipPolicyId} is not as declared: ${doneCount} of ${totalCount} requests done, ` +
    `${failures.length} failed. The state holds the live rules; the next "pulumi up" does only the rest. ` +
    `Rules without an id are counted in the order of their networks, IPv4 first.`,
  ...capped(failures),
];

/** A delete that failed: the engine keeps the set in state as it was, and nothing marks there which rules are gone. */
export function notDeleted(ipPolicyId: string, { doneCount, totalCount, failures }: Unfinished): UserError {
  const outcome =
    `The rule set of ${ipPolicyId} is not deleted: ${doneCount} of ${totalCount} requests done, ${failures.length} failed. ` +
    `The state still holds all of it. Repeat the command to delete the rest, or run "pulumi refresh" before a change that ` +
    `declares the set again.`;
  return new UserError([outcome, ...capped(failures)].join('\n'));
}

/** An exclusive set meets rules that are not its own. */
export const holdsOthers = (words: Words, ipPolicyId: string, foreign: readonly LiveRule[]): UserError =>
  new UserError(
    `${ipPolicyId} already holds ${foreign.length} rules that an exclusive set would remove or change, and nothing was ` +
      `changed: ${listOf(foreign)}. Declare in the set the ones to keep, then set ${words.assigned('overwriteExisting', true)}: ` +
      `the set takes these over and removes the others. To leave the others alone, set ${words.assigned('exclusive', false)}.`,
  );

/** An exclusive set owns every rule of its policy, so no other resource may. */
export const exclusiveBesideOthers = (ipPolicyId: string, held: readonly LiveRule[]): UserError =>
  new UserError(
    `The set owns the whole policy ${ipPolicyId}, but other resources of this program manage some of its rules: ` +
      `${listOf(held)}. Declare these rules in the set, or set exclusive: false.`,
  );
