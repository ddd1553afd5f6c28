// What the gate demands of new and changed rules besides access: an end, and the texts that say who asked for them, and why.
import {
  listOf as listIn,
  objectOf,
  optional,
  type Reader,
  text,
  toggle,
  wholeNumberFrom,
} from 'pulumi-edge-policy/internal/values/decoding';
import { networkOfKey } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { cidrSetOf, everything, networkIn } from '../access/cidr-set';
import { type Extent, networksOfRules } from '../findings/severity';
import { byResource, endInWords, nameOfRule } from '../findings/ends';
import { type Finding, groupByResource, type ResourceRules } from '../findings/finding';
import { finding } from '../findings/catalog';
import { changedRules, type DescribedRule } from '../model/changed-rules';
import type { RuleDeclaration } from '../model/declarations';
import { endOfRule, startingAnew } from '../model/ending-rules';
import { valueOf } from '../model/known';
import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { isObject, parsedJson } from '../preview/json-reading';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';

export interface UntilRequirement {
  readonly maxDays: number;
  /** The policies whose rules are concerned; all of them if absent. */
  readonly policies?: readonly string[];
}

/** Requirements. Those of several files, and of base and change, all count. */
export interface Requirements {
  readonly until?: readonly UntilRequirement[];
  readonly description?: true;
  /** The members that the metadata of each rule must have; the metadata then has to be a JSON object. */
  readonly metadata?: readonly string[];
}

const asked = objectOf<{ until?: UntilRequirement; description?: boolean; metadata?: readonly string[] }>({
  until: optional(
    objectOf<UntilRequirement>({ maxDays: wholeNumberFrom(1), policies: optional(listIn(text)) }),
  ),
  description: optional(toggle),
  metadata: optional(listIn(text)),
});

export const requirements: Reader<Requirements> = (value, place) => {
  const { until, description, metadata } = asked(value, place);
  return {
    ...(until && { until: [until] }),
    ...(description === true && { description }),
    ...(metadata && { metadata }),
  };
};

/** Base and change mostly have the same requirements, which count once. */
export function allRequirements(all: readonly Requirements[]): Requirements {
  const ends = new Map(all.flatMap(({ until = [] }) => until.map((each) => [JSON.stringify(each), each])));
  const metadata = [...new Set(all.flatMap((each) => each.metadata ?? []))];
  return {
    ...(ends.size > 0 && { until: [...ends.values()] }),
    ...(all.some(({ description }) => description === true) && { description: true }),
    ...(metadata.length > 0 && { metadata }),
  };
}

export const requirementFindings = (stack: StackChange, required: Requirements, nowMs: number): Finding[] => [
  ...reasonFindings(stack.changes, required),
  ...missingEnds(stack, required, nowMs),
];

function reasonFindings(
  changes: readonly ResourceChange[],
  { description, metadata = [] }: Requirements,
): Finding[] {
  if (description !== true && metadata.length === 0) return [];
  const lacking = changedRules(changes).flatMap((rule): Lacking[] => {
    const missing = [
      ...(description === true && isBlank(rule.texts.description) ? [trusted('a description')] : []),
      ...missingMembers(rule.texts.metadata, metadata).map((member) => say`${foreign(member)}`),
    ];
    return missing.length === 0 ? [] : [{ ...rule, missing }];
  });
  return groupByResource(lacking, ({ policyId }) => valueOf(policyId)).map(withoutReason);
}

/** A reason has a letter or a digit that can be seen. */
const isBlank = (given: unknown): boolean =>
  typeof given !== 'string' || !/(?!\p{DI})[\p{L}\p{N}]/u.test(given);

/** Metadata that cannot be read, or is not an object, has none of the members. */
function missingMembers(metadata: string | undefined, wanted: readonly string[]): string[] {
  const parsed = metadata === undefined ? undefined : parsedJson(metadata);
  const members = isObject(parsed) ? parsed : {};
  return wanted.filter((member) => {
    const value = Object.hasOwn(members, member) ? members[member] : undefined;
    return typeof value !== 'number' && isBlank(value);
  });
}

interface Lacking extends DescribedRule {
  readonly missing: readonly Sentence[];
}

function withoutReason({ rules, ...where }: ResourceRules<Lacking>): Finding {
  const named = listOf(rules, ({ action = 'rule', network, missing }) => {
    const what = say`${trusted(action)} ${foreign(network ?? 'of a hidden network')}`;
    return say`${what} lacks ${list(missing, missing.length)}`;
  });
  const reason = say`The gate requires a reason for every new or changed rule: ${named}.`;
  return finding('reason-required', { where, reason, extent: extentOf(rules) });
}

/** A hidden network may be any. */
function extentOf(rules: readonly DescribedRule[]): Extent {
  const known = rules.flatMap(({ network }) => networkIn(networkOfKey(network ?? '')) ?? []);
  return { networks: known.length === rules.length ? cidrSetOf(known) : everything };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function missingEnds(stack: StackChange, { until = [] }: Requirements, nowMs: number): Finding[] {
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
  { rules, ...where }: ResourceRules<RuleDeclaration>,
  { maxDays }: UntilRequirement,
): Finding {
  const named = listOf(rules, (rule) => say`${nameOfRule(rule)} ${endInWords(rule)}`);
  return finding('end-required', {
    where,
    extent: networksOfRules(rules),
    reason: say`The gate requires new allow rules to end within ${count(maxDays, 'day')}: ${named}.`,
  });
}
