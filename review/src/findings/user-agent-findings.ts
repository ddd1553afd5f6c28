import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { type Known, valueOf } from '../model/known';
import type { FinderContext } from '../assumptions/assumptions';
import type { Sentence } from '../text/sentence';
import { count, foreign, say, trusted } from '../text/sentence';
import { isAnchored } from '../user-agents/anchored';
import type { CompiledPattern } from '../user-agents/compiled-patterns';
import { compilePattern } from '../user-agents/compiled-patterns';
import type { CorpusEntry } from '../user-agents/corpus';
import { FILTER_LISTS, type FilterList, filtersOf, patternsIn } from '../user-agents/filters';
import type { Finding, Where } from './finding';
import { finding } from './finding';

/** Oddities of the user agent filters that one side declares. */
export function userAgentStateFindings(snapshot: Snapshot, context: FinderContext): Finding[] {
  return filtersOf(snapshot).all.flatMap((filter) => [
    ...FILTER_LISTS.flatMap((list) => listFindings(filter, list, context)),
    ...filterFindings(filter, context),
  ]);
}

function listFindings(filter: ModuleDeclaration, name: FilterList, context: FinderContext): Finding[] {
  return (valueOf(patternsIn(filter, name)) ?? []).flatMap((pattern, index) => {
    const where = whereOf(filter, `${name}[${index}]`);
    return pattern.isKnown ? patternFindings({ pattern: pattern.value, name, where }, context) : [];
  });
}

function patternFindings(
  { pattern, name, where }: { pattern: string; name: FilterList; where: Where },
  { corpus }: FinderContext,
): Finding[] {
  const compiled = compilePattern(pattern);
  const subject = say`The ${trusted(name)} pattern ${foreign(pattern)}`;
  const members = [`${name} ${pattern}`];
  if (!compiled) {
    return [
      finding('user-agent-pattern-invalid', {
        where,
        reason: say`${subject} is not valid in RE2, so it cannot be judged.`,
        members,
      }),
    ];
  }
  const anchoring = name === 'allow' && !isAnchored(pattern) ? [unanchored(pattern, where)] : [];
  if (compiled.finds('')) return [findsEmpty(compiled, { subject, where, name }, corpus)];
  if (corpus.some((entry) => entry.userAgent !== null && compiled.finds(entry.userAgent))) return anchoring;
  const reason = say`${subject} matches none of the ${count(corpus.length, 'client')} of the corpus.`;
  return [...anchoring, finding('user-agent-pattern-unmatched', { where, reason, members })];
}

/** `^$` matches only the empty string, which is how a filter refers to a missing header; `.*` matches everything. */
function findsEmpty(
  compiled: CompiledPattern,
  { subject, where, name }: { subject: Sentence; where: Where; name: FilterList },
  corpus: readonly CorpusEntry[],
): Finding {
  const members = [`${name} ${compiled.pattern}`];
  const isForEverybody = corpus.every((entry) => entry.userAgent === null || compiled.finds(entry.userAgent));
  if (isForEverybody) {
    const reason = say`${subject} matches the empty string and every client of the corpus.`;
    // A filter refuses everybody whom it does not allow by this pattern; its effect says so.
    const severity = name === 'deny' ? { severity: 'info' as const } : {};
    return finding('user-agent-pattern-finds-empty', { where, reason, members, ...severity });
  }
  const reason = say`${subject} matches the empty string, and so a client that sends no header.`;
  return finding('user-agent-pattern-finds-empty', { where, reason, members, severity: 'info' });
}

const unanchored = (pattern: string, where: Where): Finding =>
  finding('user-agent-allow-unanchored', {
    where,
    reason: say`The allow pattern ${foreign(pattern)} also matches a client that has the allowed text anywhere in its header.`,
    members: [pattern],
  });

function filterFindings(filter: ModuleDeclaration, { assumptions }: FinderContext): Finding[] {
  const [allowed, denied] = [patternsIn(filter, 'allow'), patternsIn(filter, 'deny')];
  if (!allowed.isKnown || !denied.isKnown) return [];
  const [allow, deny] = [visible(allowed.value), visible(denied.value)];
  const repeated = [
    ...duplicatesOf(allow),
    ...duplicatesOf(deny),
    ...allow.filter((pattern) => deny.includes(pattern)),
  ];
  const findings = [...new Set(repeated)].map((pattern) =>
    finding('user-agent-pattern-duplicate', {
      where: whereOf(filter),
      reason: say`The pattern ${foreign(pattern)} is listed more than once.`,
      members: [pattern],
    }),
  );
  if (assumptions.userAgentModel !== 'allow-wins' || allow.length === 0 || denied.value.length > 0)
    return findings;
  const reason = say`The filter has ${count(allow.length, 'allow pattern')} and no deny pattern, so it keeps out no client that sends the header.`;
  return [...findings, finding('user-agent-allow-only', { where: whereOf(filter, 'allow'), reason })];
}

const visible = (patterns: readonly Known<string>[]): string[] =>
  patterns.flatMap((pattern) => valueOf(pattern) ?? []);

function duplicatesOf(patterns: readonly string[]): string[] {
  const seen = new Set<string>();
  return patterns.filter((pattern) => seen.size === seen.add(pattern).size);
}

function whereOf(filter: ModuleDeclaration, property?: string): Where {
  const subject = valueOf(filter.subject);
  return {
    ...(subject !== undefined && { subject }),
    origin: filter.origin,
    ...(property !== undefined && { property }),
  };
}
