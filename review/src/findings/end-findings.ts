import { endedLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { contentOf, isOver } from '../model/ending-rules';
import type { RuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import { readText } from '../model/read-rules';
import type { ResourceChange, ResourceSide } from '../model/resource-change';
import { asString } from '../preview/json-reading';
import type { StackChange } from '../model/snapshot';
import { foreign, listOf, say, type Sentence, trusted } from '../text/sentence';
import { type Finding, finding, groupByResource, type ResourceRules } from './finding';

/** Findings about live rules that have ended, and new ones that have. What an end does later is an effect on access. */
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
    ...changes.flatMap(leftOut),
  ];
}

/** Rules by resource and policy. */
export const byResource = (rules: readonly RuleDeclaration[]): ResourceRules<RuleDeclaration>[] =>
  groupByResource(rules, ({ policyId }) => valueOf(policyId));

/** The rules of a set that check has left out, and that it had not left out before. */
function leftOut({ before, after }: ResourceChange): Finding[] {
  if (after?.origin.type !== 'IpPolicyRuleSet') return [];
  const linesOf = (side: ResourceSide | undefined) => endedLines(asString(side?.inputs['rules']) ?? '');
  const known = new Set(linesOf(before).map(({ text }) => text));
  const rules = linesOf(after).filter(({ kind, text }) => kind === 'left out' && !known.has(text));
  if (rules.length === 0) return [];
  const named = listOf(
    rules,
    ({ rule: { action = 'rule', key, until = '' } }) =>
      say`${trusted(action)} ${foreign(key)} until ${trusted(until)}`,
  );
  return [
    finding('rule-left-out', {
      where: {
        ...{ subject: valueOf(readText(after.inputs['ipPolicyId'])), origin: after.origin },
        property: 'rules',
      },
      reason: say`Never sent because its end has already passed: ${named}.`,
    }),
  ];
}

const rulesEnded = ({ rules, ...where }: ResourceRules<RuleDeclaration>, what: Sentence): Finding =>
  finding('rule-ended', {
    where,
    reason: say`${what}: ${listOf(rules, (rule) => say`${nameOfRule(rule)} ${endInWords(rule)}`)}.`,
  });

/** A rule by its action and network, as far as these are visible. */
export const nameOfRule = ({ action, cidr }: RuleDeclaration): Sentence =>
  say`${trusted(valueOf(action) ?? 'rule')} ${foreign(valueOf(cidr)?.text ?? 'of a hidden network')}`;

/** An end, as part of a sentence. */
export function endInWords({ until }: Pick<RuleDeclaration, 'until'>): Sentence {
  if (until === undefined) return trusted('without an end');
  return until.isKnown ? say`until ${trusted(until.value)}` : trusted('until a time that is not known yet');
}
