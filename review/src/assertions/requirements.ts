// What the gate demands of new and changed rules besides access: `"requires"` of an assertion file.
import { endOfRule, startingAnew } from '../model/ending-rules';
import type { RuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import type { StackChange } from '../model/snapshot';
import { byResource, endInWords, nameOfRule, whereOfRules } from '../findings/end-findings';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import { count, listOf, say } from '../text/sentence';
import { bothReasons, reasonFindings, type ReasonRequirements } from './reasons';
import { AssertionFileError, checkKeys, objectOf, textsOf, wholeNumberOf } from './decoding';

/** Allow rules have to end, within so many days from the review. */
export interface UntilRequirement {
  readonly maxDays: number;
  /** The policies whose rules are concerned; all of them if absent. */
  readonly policies?: readonly string[];
}

/** Requirements. Those of several files, and of base and change, all count. */
export interface Requirements extends ReasonRequirements {
  readonly until?: readonly UntilRequirement[];
}

const KEYS = ['until', 'description', 'metadata'];
const UNTIL_KEYS = ['maxDays', 'policies'];

/** Decodes `requires`. */
export function decodeRequirements(value: unknown, place: string): Requirements | undefined {
  if (value === undefined) return undefined;
  const entry = objectOf(value, place);
  checkKeys(entry, KEYS, place);
  const until = decodeUntil(entry['until'], `${place}.until`);
  const description = entry['description'];
  if (description !== undefined && typeof description !== 'boolean')
    throw new AssertionFileError(`${place}.description must be true or false.`);
  const metadata = textsOf(entry, 'metadata', place);
  return {
    ...(until && { until: [until] }),
    ...bothReasons({ ...(description === true && { description }) }, { ...(metadata && { metadata }) }),
  };
}

function decodeUntil(value: unknown, place: string): UntilRequirement | undefined {
  if (value === undefined) return undefined;
  const entry = objectOf(value, place);
  checkKeys(entry, UNTIL_KEYS, place);
  const maxDays = wholeNumberOf(entry, 'maxDays', place);
  if (maxDays === undefined) throw new AssertionFileError(`${place}.maxDays is required: a number of days.`);
  const policies = textsOf(entry, 'policies', place);
  return { maxDays, ...(policies && { policies }) };
}

/** Merges two requirements. */
export function bothRequirements(
  left: Requirements | undefined,
  right: Requirements | undefined,
): Requirements | undefined {
  if (!left || !right) return left ?? right;
  // Base and change mostly have the same requirements, which count once.
  const both = [...(left.until ?? []), ...(right.until ?? [])];
  const until = [...new Map(both.map((each) => [JSON.stringify(each), each])).values()];
  return { ...(until.length > 0 && { until }), ...bothReasons(left, right) };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The rules of a change that do not meet the requirements, by resource and policy. */
export function requirementFindings(
  stack: StackChange,
  { until = [], ...reasons }: Requirements,
  nowMs: number,
): Finding[] {
  return [...reasonFindings(stack.changes, reasons), ...missingEnds(stack, until, nowMs)];
}

function missingEnds(stack: StackChange, until: readonly UntilRequirement[], nowMs: number): Finding[] {
  if (until.length === 0) return [];
  const candidates = startingAnew(stack).filter(({ action }) => valueOf(action) !== 'deny');
  return until.flatMap((requirement) => {
    // An end on a date means the end of that day.
    const latestMs = (Math.floor(nowMs / DAY_MS) + requirement.maxDays + 1) * DAY_MS;
    return byResource(candidates.filter((rule) => isMeant(rule, requirement) && !endsBy(rule, latestMs))).map(
      (rules) => withoutEnd(rules, requirement),
    );
  });
}

/** A hidden policy may be one of those concerned. */
const isMeant = ({ policyId }: RuleDeclaration, { policies }: UntilRequirement): boolean =>
  policies === undefined || !policyId.isKnown || policies.includes(policyId.value);

const endsBy = ({ until }: RuleDeclaration, latestMs: number): boolean =>
  (endOfRule(until) ?? Number.POSITIVE_INFINITY) <= latestMs;

function withoutEnd(
  rules: readonly [RuleDeclaration, ...RuleDeclaration[]],
  { maxDays }: UntilRequirement,
): Finding {
  const named = listOf(rules, (rule) => say`${nameOfRule(rule)} ${endInWords(rule)}`);
  return finding('end-required', {
    where: whereOfRules(rules),
    reason: say`The gate asks new allow rules to end within ${count(maxDays, 'day')}: ${named}.`,
  });
}
