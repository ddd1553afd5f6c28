// The end of a rule (`until`). The service does not know it: the set leaves a rule out once it has ended. State holds the
// declared ends, and the lists that rules are from.
import type { LiveRule, SetRule } from '../rule/rule';
import { firstOf } from '../values/failure';
import { hasEnded } from '../values/until';
import type { RuleLine } from './rule-line';
import {
  type EndedKind,
  endedLines,
  networkOfKey,
  readRuleLines,
  ruleLines,
  withEndedLines,
} from './rules-text';

/** The text of a set in which the rules that have ended by then are left out, and those of them that were never live. */
export function leaveOutEnded(
  text: string,
  { nowMs, before = '' }: { readonly nowMs: number; readonly before?: string },
): { readonly rules: string; readonly neverLive: readonly RuleLine[] } {
  // A description may contain the word, too; nearly no text does.
  const lines = text.includes(' until ') ? (readRuleLines(text) ?? []) : [];
  const isOver = lines.map(({ until }) => hasEnded(until, nowMs));
  if (!isOver.includes(true)) return { rules: text, neverLive: [] };
  const known = new Map<string, EndedKind>(endedLines(before).map(({ rule, kind }) => [endOf(rule), kind]));
  for (const rule of readRuleLines(before) ?? []) known.set(endOf(rule), 'ended');
  const declared = ruleLines(text);
  const texts = declared.split('\n');
  const over = lines.flatMap((rule, index) =>
    isOver[index] === true
      ? { rule, text: `${known.get(endOf(rule)) ?? 'left out'} ${texts[index] ?? ''}` }
      : [],
  );
  const rest = texts.filter((_line, index) => isOver[index] !== true).join('\n');
  return {
    rules: withEndedLines(
      text.replace(declared, () => rest),
      over,
    ),
    neverLive: over.flatMap(({ rule }) => (known.has(endOf(rule)) ? [] : rule)),
  };
}

export function neverSent(rules: readonly RuleLine[]): string {
  const named = rules.map(
    ({ action = 'rule', key, until = '' }) => `${action} ${networkOfKey(key)} until ${until}`,
  );
  const subject = rules.length === 1 ? '1 rule is' : `${rules.length} rules are`;
  return `${subject} never sent, as ${rules.length === 1 ? 'its' : 'their'} until has already passed: ${firstOf(named, 5)}`;
}

/** A rule with another end is another exception. */
const endOf = ({ key, until = '' }: RuleLine): string => `${key} until ${until}`;

/** Whether two texts declare equal rules. A left-out rule that the program no longer declares is no change. */
export function isSameRules(before: string, now: string): boolean {
  if (before === now) return true;
  if (ruleLines(before) !== ruleLines(now)) return false;
  const known = new Set(endedLines(before).map(({ text }) => text));
  return endedLines(now).every(({ text }) => known.has(text));
}

/** The text of live rules with the lines of those that a set leaves out. A rule whose delete failed at its end is still live. */
export function withLeftOut(live: string, text: string): string {
  const left = endedLines(text);
  if (left.length === 0) return live;
  const networks = new Set((readRuleLines(live) ?? []).map(({ key }) => networkOfKey(key)));
  return withEndedLines(
    live,
    left.filter(({ rule }) => !networks.has(rule.key)),
  );
}

/** With the ends and lists, which the service does not know: those declared or, for the same rule, those in state. */
export function withUnsent(
  live: readonly LiveRule[],
  { declared, before }: { readonly declared: readonly SetRule[]; readonly before: readonly LiveRule[] },
): readonly LiveRule[] {
  if (![...declared, ...before].some(({ until, list }) => (until ?? list) !== undefined)) return live;
  const byNetwork = new Map(declared.map((rule) => [rule.cidr, rule]));
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  return live.map(({ until: _until, list: _list, ...rule }) => {
    const source = [byNetwork.get(rule.cidr), byId.get(rule.id)].find(
      (candidate) => candidate?.cidr === rule.cidr && candidate.action === rule.action,
    );
    return {
      ...rule,
      ...(source?.until !== undefined && { until: source.until }),
      ...(source?.list !== undefined && { list: source.list }),
    };
  });
}
