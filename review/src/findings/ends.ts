import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { endedLines, networkOfKey } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { RuleDeclaration } from '../model/declarations';
import { contentOf, isOver } from '../model/ending-rules';
import { valueOf } from '../model/known';
import { readText } from '../model/read-rules';
import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { foreign, listOf, say, type Sentence, trusted } from '../text/sentence';
import { type Finding, findingOf, groupByResource, type ResourceRules } from './finding';
import { aboutChange, networksOfRules } from './severity';

export const endKinds = {
  'rule-ended': aboutChange('medium', {
    extents: ['networks'],
    title: 'A rule that has ended is still live',
    verdict: 'affects-access',
    advice: 'Run pulumi up, which deletes the rule, and schedule one; or give the rule a later end.',
  }),
  'rule-left-out': aboutChange('low', {
    title: 'A rule has ended before it was declared',
    posture: 'one-resource',
    advice: 'Correct its until, or remove the rule: it is never sent to the service.',
  }),
  'end-required': aboutChange('high', {
    extents: ['networks'],
    title: 'A rule has no end although the gate requires one',
    posture: 'one-resource',
    advice: 'Declare the rule in a set, with an until that the gate allows.',
  }),
};

const finding = findingOf(endKinds);

/** Findings about live rules that have ended. What an end does later is an effect on access. */
export function endFindings({ before, after, changes }: StackChange, nowMs: number): Finding[] {
  const over = after.rules.all.filter((rule) => isOver(rule, nowMs));
  const ended = before.rules.all.filter((rule) => isOver(rule, nowMs));
  const stay = new Set(ended.length === 0 ? [] : after.rules.all.map(contentOf));
  const goes = ended.filter((rule) => !stay.has(contentOf(rule)));
  return [
    ...byResource(over).map((rules) => rulesEnded(rules, trusted('Ended but still live'))),
    ...byResource(goes).map((rules): Finding => ({
      ...rulesEnded(rules, trusted('Ended but still live, and deleted by this change')),
      severity: 'info',
    })),
    ...changes.flatMap(leftOutFindings),
  ];
}

/** Rules that a change declares and that are never live, as they have ended before. A deny looks like a protection. */
function leftOutFindings({ before, after }: ResourceChange): Finding[] {
  const known = new Set(leftOutBy(before).map(({ text }) => text));
  const rules = leftOutBy(after).flatMap(({ text, rule }) => (known.has(text) ? [] : rule));
  if (rules.length === 0) return [];
  const nameOf = ({ action = 'allow', key, until = '' }: RuleLine) =>
    say`${trusted(action)} ${foreign(networkOfKey(key))} until ${trusted(until)}`;
  const subject = valueOf(readText(after?.inputs['ipPolicyId']));
  return [
    finding('rule-left-out', {
      where: { subject, origin: after?.origin, property: 'rules' },
      reason: say`Never sent, as their end has passed: ${listOf(rules, nameOf)}.`,
      severity: rules.some(({ action }) => action === 'deny') ? 'medium' : 'low',
    }),
  ];
}

function leftOutBy(side: ResourceChange['after']) {
  const text = side?.origin.type === 'IpPolicyRuleSet' ? side.inputs['rules'] : undefined;
  return typeof text === 'string' ? endedLines(text).filter(({ kind }) => kind === 'left out') : [];
}

export const byResource = (rules: readonly RuleDeclaration[]): ResourceRules<RuleDeclaration>[] =>
  groupByResource(rules, ({ policyId }) => valueOf(policyId));

const rulesEnded = ({ rules, ...where }: ResourceRules<RuleDeclaration>, what: Sentence): Finding =>
  finding('rule-ended', {
    where,
    extent: networksOfRules(rules),
    reason: say`${what}: ${listOf(rules, (rule) => say`${nameOfRule(rule)} ${endInWords(rule)}`)}.`,
  });

export const nameOfRule = ({ action, cidr }: RuleDeclaration): Sentence =>
  say`${trusted(valueOf(action) ?? 'rule')} ${foreign(valueOf(cidr)?.text ?? 'of a hidden network')}`;

export function endInWords({ until }: Pick<RuleDeclaration, 'until'>): Sentence {
  if (until === undefined) return trusted('without an end');
  return until.isKnown ? say`until ${trusted(until.value)}` : trusted('until a time that is not known yet');
}
