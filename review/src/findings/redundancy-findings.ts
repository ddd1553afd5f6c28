import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { PolicySides } from '../access/policy-change';
import { coversOf, type Redundancy, redundancyOf } from '../access/redundancy';
import { rulesInWords } from '../text/amounts';
import { foreign, say, trusted } from '../text/sentence';
import type { Finding } from './finding';
import { oddRuleFindings } from './odd-rules';

/** Repetitions among the rules of one policy. */
export const redundancyFindings = ({ policyId, before, after }: PolicySides): Finding[] =>
  (['allow', 'deny'] as const).flatMap((action) => {
    const [now, earlier] = [
      redundancyOf(after.byAction[action].rules),
      redundancyOf(before.byAction[action].rules),
    ];
    const sides = { policyId, action, after: now, before: earlier };
    return [...covered(sides), ...tiled(sides)];
  });

/** The redundancies of one action on both sides. */
interface Sides {
  readonly policyId: string;
  readonly action: RuleAction;
  readonly after: Redundancy;
  readonly before: Redundancy;
}

function covered({ policyId, action, after, before }: Sides): Finding[] {
  return oddRuleFindings({
    id: 'rule-covered',
    policyId,
    after: after.covered,
    before: before.covered,
    describe: (rules) => {
      const by = rulesInWords(coversOf(rules, after), 'rule');
      return say`Nothing depends on ${rulesInWords(rules, `${action} rule`)}: already covered by ${by}.`;
    },
  });
}

function tiled({ policyId, action, after, before }: Sides): Finding[] {
  const tilesOf = new Map(after.tiled.map(({ rule, tiles }) => [rule, tiles]));
  return oddRuleFindings({
    id: 'rule-covered-by-union',
    policyId,
    after: after.tiled.map(({ rule }) => rule),
    before: before.tiled.map(({ rule }) => rule),
    describe: (rules) => {
      const [first] = rules;
      const parts = rulesInWords(
        rules.flatMap((rule) => tilesOf.get(rule) ?? []),
        'narrower rule',
      );
      return first && rules.length === 1
        ? say`The ${trusted(action)} rule ${foreign(first.cidr.text)} does the same as ${parts} together.`
        : say`Each of ${rulesInWords(rules, `${action} rule`)} does the same as some of ${parts} together.`;
    },
  });
}
