import { endingRules, endOfRule, type EndingRule, isOver } from '../model/ending-rules';
import { endedLines } from 'pulumi-edge-policy/internal/rule-set/ended-lines';
import type { RuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import { readText } from '../model/read-rules';
import type { ResourceChange, ResourceSide } from '../model/resource-change';
import { asString } from '../preview/json-reading';
import type { StackChange } from '../model/snapshot';
import type { Sentence } from '../text/sentence';
import { foreign, listOf, say, trusted } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/** Findings about rules that end: a live one that has ended, a new one that has, and an end that moves so that somebody gets in. */
export function endFindings(stack: StackChange, nowMs: number): Finding[] {
  const rules = endingRules(stack);
  const over = rules.filter(
    ({ before, after }) => before && isOver(before, nowMs) && isAsBefore(after, nowMs),
  );
  return [
    ...byResource(over.filter(({ after }) => after !== undefined)).map(staysLive),
    ...byResource(over.filter(({ after }) => after === undefined)).map(goesNow),
    ...byResource(rules.filter((rule) => letsInLonger(rule, nowMs))).map(moved),
    ...stack.changes.flatMap(leftOut),
  ];
}

const isAsBefore = (after: RuleDeclaration | undefined, nowMs: number): boolean =>
  after === undefined || isOver(after, nowMs);

/** An allow that ends later or never, or a deny that ends earlier. An unknown end may be such. */
function letsInLonger({ before, after }: EndingRule, nowMs: number): boolean {
  if (!before || !after || before === after) return false;
  const [earlier, later] = [endOfRule(before.until), endOfRule(after.until)];
  if (earlier === undefined || later === undefined) return after.until !== before.until;
  // A rule that has ended by then has a finding of its own.
  if (earlier <= nowMs && later <= nowMs) return false;
  return valueOf(after.action) === 'deny' ? later < earlier : later > earlier;
}

interface Group {
  readonly first: RuleDeclaration;
  readonly rules: readonly EndingRule[];
}

/** A set of thousands is one finding. */
function byResource(rules: readonly EndingRule[]): Group[] {
  const groups = new Map<string, { first: RuleDeclaration; rules: EndingRule[] }>();
  for (const rule of rules) {
    const first = rule.after ?? rule.before;
    if (!first) continue;
    const key = JSON.stringify([first.origin.urn, valueOf(first.policyId)]);
    const group = groups.get(key);
    if (group) group.rules.push(rule);
    else groups.set(key, { first, rules: [rule] });
  }
  return [...groups.values()];
}

const staysLive = ({ first, rules }: Group): Finding =>
  finding('rule-ended', {
    where: whereOf(first, rules),
    reason: say`Ended but still live: ${listOf(rules, ({ before }) => ended(before))}.`,
  });

const goesNow = ({ first, rules }: Group): Finding =>
  finding('rule-ended', {
    where: whereOf(first, rules),
    severity: 'info',
    reason: say`Ended but still live, and deleted by this change: ${listOf(rules, ({ before }) => ended(before))}.`,
  });

const moved = ({ first, rules }: Group): Finding =>
  finding('end-moved', {
    where: whereOf(first, rules),
    reason: say`The change lets someone in for longer: ${listOf(rules, ({ before, after }) => say`${nameOfRule(after)} ${endInWords(after)} instead of ${endInWords(before)}`)}.`,
  });

/** The rules of a set that check has left out, and that it had not left out before. */
function leftOut({ before, after }: ResourceChange): Finding[] {
  if (after?.origin.type !== 'IpPolicyRuleSet') return [];
  const linesOf = (side: ResourceSide | undefined) => endedLines(asString(side?.inputs['rules']) ?? '');
  const known = new Set(linesOf(before).map(({ text }) => text));
  const rules = linesOf(after).filter(({ kind, text }) => kind === 'left out' && !known.has(text));
  if (rules.length === 0) return [];
  const subject = valueOf(readText(after.inputs['ipPolicyId']));
  const named = listOf(
    rules,
    ({ rule: { action = 'rule', key, until = '' } }) =>
      say`${trusted(action)} ${foreign(key)} until ${trusted(until)}`,
  );
  return [
    finding('rule-left-out', {
      where: { ...(subject !== undefined && { subject }), origin: after.origin, property: 'rules' },
      reason: say`Never sent, as its end has passed already: ${named}.`,
    }),
  ];
}

function whereOf(first: RuleDeclaration, rules: readonly EndingRule[]): Finding['where'] {
  const subject = valueOf(first.policyId);
  const property = rules.length === 1 ? first.property : (first.property.split('[', 1)[0] ?? '');
  return { ...(subject !== undefined && { subject }), origin: first.origin, property };
}

const ended = (rule: RuleDeclaration | undefined): Sentence => say`${nameOfRule(rule)} ${endInWords(rule)}`;

/** A rule by its action and network, as far as these are visible. */
export const nameOfRule = (rule: RuleDeclaration | undefined): Sentence =>
  say`${trusted((rule && valueOf(rule.action)) ?? 'rule')} ${foreign((rule && valueOf(rule.cidr)?.text) ?? 'of a hidden network')}`;

/** An end, as part of a sentence. */
export function endInWords(rule: Pick<RuleDeclaration, 'until'> | undefined): Sentence {
  const until = rule?.until;
  if (until === undefined) return trusted('without an end');
  return until.isKnown ? say`until ${trusted(until.value)}` : trusted('until a time that is not known yet');
}
