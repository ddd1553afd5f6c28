// Who asked for a rule, and why: the texts that `"requires"` demands of new and changed rules.
import { valueOf } from '../model/known';
import type { ResourceChange } from '../model/resource-change';
import { changedRules, type DescribedRule } from '../model/changed-rules';
import { isObject, tryParseJson } from '../preview/json-reading';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import type { Sentence } from '../text/sentence';
import { foreign, list, listOf, say, trusted } from '../text/sentence';

/** The texts that rules must carry. */
export interface ReasonRequirements {
  /** Whether each rule needs a description. */
  readonly description?: true;
  /** The members that the metadata of each rule must have; the metadata then has to be a JSON object. */
  readonly metadata?: readonly string[];
}

/** Merges two requirements. */
export function bothReasons(left: ReasonRequirements, right: ReasonRequirements): ReasonRequirements {
  const metadata = [...new Set([...(left.metadata ?? []), ...(right.metadata ?? [])])];
  const isDescribed = left.description === true || right.description === true;
  return { ...(isDescribed && { description: true }), ...(metadata.length > 0 && { metadata }) };
}

/** The new and changed rules without the required texts, by resource. */
export function reasonFindings(
  changes: readonly ResourceChange[],
  { description, metadata = [] }: ReasonRequirements,
): Finding[] {
  if (description !== true && metadata.length === 0) return [];
  const groups = new Map<string, [Lacking, ...Lacking[]]>();
  for (const rule of changedRules(changes)) {
    const missing = [
      ...(description === true && isBlank(rule.texts.description) ? [trusted('a description')] : []),
      ...missingMembers(rule.texts.metadata, metadata).map((name) => say`${foreign(name)}`),
    ];
    if (missing.length === 0) continue;
    const group = groups.get(rule.origin.urn);
    if (group) group.push({ rule, missing });
    else groups.set(rule.origin.urn, [{ rule, missing }]);
  }
  return [...groups.values()].map(withoutReason);
}

/** A reason has a letter or a digit that can be seen. */
const isBlank = (text: unknown): boolean => typeof text !== 'string' || !/(?!\p{DI})[\p{L}\p{N}]/u.test(text);

/** Metadata that cannot be read, or is not an object, has none of the members. */
function missingMembers(text: string | undefined, wanted: readonly string[]): string[] {
  const parsed = text === undefined ? undefined : tryParseJson(text)?.value;
  const members = isObject(parsed) ? parsed : {};
  return wanted.filter((name) => {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    return typeof value !== 'number' && isBlank(value);
  });
}

interface Lacking {
  readonly rule: DescribedRule;
  readonly missing: readonly Sentence[];
}

function withoutReason(lacking: readonly [Lacking, ...Lacking[]]): Finding {
  const [{ rule }] = lacking;
  const subject = valueOf(rule.policyId);
  const named = listOf(lacking, ({ rule: { action = 'rule', network }, missing }) => {
    const what = say`${trusted(action)} ${foreign(network ?? 'of a hidden network')}`;
    return say`${what} lacks ${list(missing, missing.length)}`;
  });
  return finding('reason-required', {
    where: {
      ...(subject !== undefined && { subject }),
      origin: rule.origin,
      property: lacking.length === 1 ? rule.property : 'rules',
    },
    reason: say`The gate asks new and changed rules for their reasons: ${named}.`,
  });
}
