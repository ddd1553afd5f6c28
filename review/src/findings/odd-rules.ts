import type { VisibleRule } from '../model/declarations';
import type { Sentence } from '../text/sentence';
import type { FindingId } from './catalog';
import { type Finding, finding, groupByResource } from './finding';

/** Rules of one action and policy with the same oddity, sorted by network. */
export interface OddRules {
  readonly id: FindingId;
  readonly policyId: string;
  readonly after: readonly VisibleRule[];
  /** Those before the change. */
  readonly before: readonly VisibleRule[];
  readonly describe: (rules: readonly VisibleRule[]) => Sentence;
}

/** From so many on, a policy's findings of one kind become one finding, as nobody reads thirty that say the same. */
const MOST_ALIKE = 30;

/** One finding per resource, new and old ones apart; or one for all if there are many. */
export function oddRuleFindings(odd: OddRules): Finding[] {
  const { after, before } = odd;
  if (after.length === 0) return [];
  const known = new Set(before.map(({ cidr }) => cidr.text));
  const isShared = ({ cidr }: VisibleRule): boolean => known.has(cidr.text);
  return [
    ...grouped(
      odd,
      after.filter((rule) => !isShared(rule)),
    ),
    ...grouped(odd, after.filter(isShared)).map((found): Finding => ({ ...found, isNew: false })),
  ];
}

function grouped({ id, policyId: subject, describe }: OddRules, rules: readonly VisibleRule[]): Finding[] {
  if (rules.length === 0) return [];
  const groups = groupByResource(rules);
  if (groups.length > MOST_ALIKE) return [finding(id, { where: { subject }, reason: describe(rules) })];
  return groups.map(({ origin, property, rules: own }) =>
    finding(id, { where: { subject, origin, property }, reason: describe(own) }),
  );
}
