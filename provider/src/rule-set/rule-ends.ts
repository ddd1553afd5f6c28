// The end of a rule (`until`). The service knows nothing of it: the set leaves a rule out once it has ended, and what state
// says of ends is what the program has said.
import type { LiveRule, SetRule } from '../rule/rule';
import { hasEnded } from '../values/until';
import { FIRST_LINE, readRuleLines } from './rules-text';

/** The text of a set without the rules that have ended by then. A text without any stays as it is. */
export function withoutEnded(text: string, nowMs: number): string {
  // Descriptions may say it too; nearly no text does.
  if (!text.startsWith(FIRST_LINE) || !text.includes(' until ')) return text;
  const lines = readRuleLines(text) ?? [];
  const ended = lines.map(({ until }) => hasEnded(until, nowMs));
  if (!ended.includes(true)) return text;
  // The first line is none of a rule.
  return text
    .split('\n')
    .filter((_line, index) => ended[index - 1] !== true)
    .join('\n');
}

/**
 * Live rules with their ends, which no answer of the service has: a declared rule ends as it is declared, and any other as state
 * says, as long as it has the network and the action of then.
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
