import { CORRECT_THE_RULE } from 'pulumi-edge-policy/internal/errors/words';
import { overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { outputsAsText } from 'pulumi-edge-policy/internal/values/output-text';
import { cidrSetOf } from '../access/cidr-set';
import type { IpModel } from '../access/evaluation-model';
import type { PolicySides } from '../access/policy-change';
import type { PolicySide } from '../access/policy-side';
import { coversOf, idleRules, overruled, redundancyOf } from '../access/rule-effects';
import type { Snapshot, VisibleRule } from '../model/declarations';
import { valueOf } from '../model/known';
import type { ResourceSide } from '../model/resource-change';
import { declaredBy } from '../model/snapshot';
import { rulesInWords } from '../text/amounts';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { aboutState, type Extent } from './severity';
import { type Finding, findingOf, groupByResource, MOST_ALIKE } from './finding';

export const ruleKinds = {
  'rule-covered': aboutState('low', 'stack', {
    extents: ['networks'],
    title: 'A rule is redundant: another rule does the same',
    advice: 'Remove it, or the other rule if that was not intended.',
  }),
  'rule-covered-by-union': aboutState('info', 'none', {
    extents: ['networks'],
    title: 'A rule is redundant: narrower rules together do the same',
    advice: 'Keep either the rule or the narrower ones, not both.',
  }),
  'allow-without-effect': aboutState('low', 'stack', {
    extents: ['networks'],
    title: 'An allow rule has no effect: deny rules cover it',
    advice: 'Remove the allow rule, or narrow the deny rules if its sources should get in.',
  }),
  'deny-without-effect': aboutState('info', 'none', {
    extents: ['networks'],
    title: 'A deny rule has no effect: nothing it covers is allowed',
    advice:
      'Remove it if the gate names deny-wins, or keep it deliberately as a guard against later allow rules.',
  }),
  'rule-not-declarable': aboutState('low', 'none', {
    title: 'No program can declare the network of a live rule',
    advice: `To be sure whom it matches, ${CORRECT_THE_RULE}.`,
  }),
  'output-as-text': aboutState('high', 'one-resource', {
    title: 'A text says how to read an output, and not what the output holds',
    advice:
      'Write it with pulumi.interpolate, pulumi.jsonStringify or apply: an expression or a pattern of this text matches nobody.',
  }),
};

const finding = findingOf(ruleKinds);

/** Rules of one policy without effect after the change; those that were so before are marked as no news. */
export const needlessRuleFindings = (sides: PolicySides, model: IpModel): Finding[] => [
  ...(model === 'deny-wins' ? deadAcrossActions(sides) : []),
  ...redundancyFindings(sides),
];

/** With `deny-wins`: allow rules that deny rules cover, alone or together, and deny rules that no allow rule overlaps. */
function deadAcrossActions({ policyId, before, after }: PolicySides): Finding[] {
  const idle = (side: PolicySide): VisibleRule[] =>
    side.hiddenRules.length > 0 ? [] : idleRules(side, 'deny-wins');
  return [
    ...oddRuleFindings({
      id: 'allow-without-effect',
      policyId,
      after: overruled(after),
      before: overruled(before),
      describe: (rules) => {
        const named = rules.slice(0, NAMED);
        const denies = after.byAction.deny.rules.filter((rule) =>
          named.some((dead) => overlaps(rule.cidr, dead.cidr)),
        );
        const [noun, verb] = rules.length === 1 ? ['Allow rule', 'has'] : ['allow rule', 'have'];
        return say`${rulesInWords(rules, noun)} ${trusted(verb)} no effect: denied by ${rulesInWords(denies, 'deny rule')}.`;
      },
    }),
    ...oddRuleFindings({
      id: 'deny-without-effect',
      policyId,
      after: idle(after),
      before: idle(before),
      describe: (rules) => say`No allow rule covers any address of ${rulesInWords(rules, 'deny rule')}.`,
    }),
  ];
}

/** The covering rules are only looked up for the dead rules that a sentence names. */
const NAMED = 3;

const redundancyFindings = ({ policyId, before, after }: PolicySides): Finding[] =>
  (['allow', 'deny'] as const).flatMap((action) => {
    const now = redundancyOf(after.byAction[action].rules);
    const earlier = redundancyOf(before.byAction[action].rules);
    const noun = `${action} rule`;
    return [
      ...oddRuleFindings({
        ...{ id: 'rule-covered', policyId, after: now.covered, before: earlier.covered },
        describe: (rules) =>
          say`Nothing depends on ${rulesInWords(rules, noun)}: already covered by ${rulesInWords(coversOf(rules, now), 'rule')}.`,
      }),
      ...oddRuleFindings({
        ...{ id: 'rule-covered-by-union', policyId, after: now.tiled, before: earlier.tiled },
        describe: (rules) => say`Narrower rules together do the same as ${rulesInWords(rules, noun)}.`,
      }),
    ];
  });

interface OddRules {
  readonly id: keyof typeof ruleKinds;
  readonly policyId: string;
  readonly after: readonly VisibleRule[];
  readonly before: readonly VisibleRule[];
  readonly describe: (rules: readonly VisibleRule[]) => Sentence;
}

/** One finding per resource, new and old ones apart; or one for all if there are many. */
function oddRuleFindings(odd: OddRules): Finding[] {
  const { after, before } = odd;
  if (after.length === 0) return [];
  const known = new Set(before.map(({ cidr }) => cidr.text));
  const isShared = ({ cidr }: VisibleRule): boolean => known.has(cidr.text);
  return [
    ...grouped(
      odd,
      after.filter((rule) => !isShared(rule)),
    ),
    ...grouped(odd, after.filter(isShared)).map((each): Finding => ({ ...each, isNew: false })),
  ];
}

function grouped({ id, policyId: subject, describe }: OddRules, rules: readonly VisibleRule[]): Finding[] {
  if (rules.length === 0) return [];
  const groups = groupByResource(rules);
  if (groups.length > MOST_ALIKE)
    return [finding(id, { where: { subject }, reason: describe(rules), extent: extentOf(rules) })];
  return groups.map(({ origin, property, rules: alike }) =>
    finding(id, { where: { subject, origin, property }, reason: describe(alike), extent: extentOf(alike) }),
  );
}

const extentOf = (rules: readonly VisibleRule[]): Extent => ({
  networks: cidrSetOf(rules.map(({ cidr }) => cidr)),
});

/** Live rules that no program can declare. Whoever they may match is in the bounds of their policy. */
export const undeclarableFindings = ({ rules }: Snapshot): Finding[] =>
  rules.all.flatMap(({ origin, property, policyId, readings }) => {
    if (!readings) return [];
    const [how, whom] =
      readings.length === 0
        ? [trusted('cannot be read'), trusted('any address')]
        : [
            say`can be read as ${list(readings.map(({ text }) => foreign(text)))}`,
            trusted('what either matches'),
          ];
    const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${how}: ${whom} counts as possible.`;
    return [
      finding('rule-not-declarable', { where: { subject: valueOf(policyId), origin, property }, reason }),
    ];
  });

export const outputTextFindings = (sides: readonly ResourceSide[]): Finding[] =>
  sides.flatMap((side) =>
    Object.entries(side.inputs).flatMap(([name, value]) => {
      if (outputsAsText(value).paths.length === 0) return [];
      const { lines } = declaredBy(side);
      const rules = name === 'rules' && lines ? valueOf(lines)?.lines : undefined;
      const { paths } = outputsAsText(
        rules ? Object.fromEntries(rules.map((rule) => [rule.key, rule])) : value,
      );
      const [property = name, ...others] = paths.map(
        (path) => `${name}${/^(?:\[|$)/.test(path) ? '' : '.'}${path}`,
      );
      const also = others.length === 0 ? [] : say`, as do ${count(others.length, 'other text')}`;
      const reason = say`The text holds the SDK's sentence about an output, in place of what the output holds${also}.`;
      const where = { origin: side.origin, property };
      return [
        finding('output-as-text', { where, reason, withoutValues: reason, members: [property, ...others] }),
      ];
    }),
  );
