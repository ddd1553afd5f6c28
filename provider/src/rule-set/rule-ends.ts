// The end of a rule (`until`). The service does not know it: the set leaves a rule out once it has ended, and state holds the
// ends that the program has declared.
import type { LiveRule, SetRule } from '../rule/rule';
import { hasEnded } from '../values/until';
import { FIRST_LINE, readRuleLines } from './rules-text';

/** The text of a set without the rules that have ended by then. A text without such rules is returned as it is. */
export function withoutEnded(text: string, nowMs: number): string {
  // A description may contain the word, too; nearly no text does.
  if (!text.startsWith(FIRST_LINE) || !text.includes(' until ')) return text;
  const lines = readRuleLines(text) ?? [];
  const ended = lines.map(({ until }) => hasEnded(until, nowMs));
  if (!ended.includes(true)) return text;
  // The first line is not a rule.
  return text
    .split('\n')
    .filter((_line, index) => ended[index - 1] !== true)
    .join('\n');
}

/**
 * Adds ends to live rules, which the service does not know: a declared rule ends as declared, any other as state says while its
 * network and action are the same.
 */
export function withEnds(
  live: readonly LiveRule[],
  { declared, before }: { readonly declared: readonly SetRule[]; readonly before: readonly LiveRule[] },
): readonly LiveRule[] {
  if (![...declared, ...before].some(({ until }) => until !== undefined)) return live;
  const byNetwork = new Map(declared.map((rule) => [rule.cidr, rule]));
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  return live.map(({ until: _until, ...rule }) => {
    const source = [byNetwork.get(rule.cidr), byId.get(rule.id)].find(
      (candidate) => candidate?.cidr === rule.cidr && candidate.action === rule.action,
    );
    return source?.until === undefined ? rule : { ...rule, until: source.until };
  });
}
