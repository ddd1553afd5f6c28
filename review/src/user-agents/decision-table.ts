import type { UserAgentFilterDeclaration } from '../model/declarations';
import type { CompiledPattern } from './compiled-patterns';
import { compilePattern } from './compiled-patterns';
import type { CorpusEntry } from './corpus';
import type { UserAgentModel, UserAgentVerdict } from './user-agent-model';
import { judgeUserAgent } from './user-agent-model';

/** What a filter does to a client; nothing where the filter cannot be judged. */
export type Decision = UserAgentVerdict | undefined;

/** One client of the table, before and after the change. */
export interface DecisionRow {
  readonly entry: CorpusEntry;
  readonly before: Decision;
  readonly after: Decision;
}

/** Decides about one client. */
export type Judge = (userAgent: string | null) => Decision;

/** Lets everybody in: what a route without a filter, or with one that is off, does. */
const letIn: Judge = () => ({ isLetIn: true });

/** Judges clients by a filter; a filter with a hidden or invalid part judges nobody. */
export function judgeOf(filter: UserAgentFilterDeclaration | undefined, model: UserAgentModel): Judge {
  if (!filter) return letIn;
  if (filter.isEnabled.isKnown && !filter.isEnabled.value) return letIn;
  const lists = compiledLists(filter);
  if (!lists || !filter.isEnabled.isKnown) return () => undefined;
  return (userAgent) => judgeUserAgent(userAgent, lists, model);
}

function compiledLists(
  filter: UserAgentFilterDeclaration,
): { allow: readonly CompiledPattern[]; deny: readonly CompiledPattern[] } | undefined {
  if (!filter.allow.isKnown || !filter.deny.isKnown) return undefined;
  const [allow, deny] = [filter.allow.value.map(compilePattern), filter.deny.value.map(compilePattern)];
  return isComplete(allow) && isComplete(deny) ? { allow, deny } : undefined;
}

const isComplete = (
  patterns: readonly (CompiledPattern | undefined)[],
): patterns is readonly CompiledPattern[] => !patterns.includes(undefined);

/** What becomes of every client of the corpus, before and after. */
export function decisionTable(
  corpus: readonly CorpusEntry[],
  judges: { before: Judge; after: Judge },
): DecisionRow[] {
  return corpus.map((entry) => ({
    entry,
    before: judges.before(entry.userAgent),
    after: judges.after(entry.userAgent),
  }));
}

/** The clients that get another verdict than before, as far as both are decidable. */
export const changedRows = (rows: readonly DecisionRow[], isLetInAfter: boolean): DecisionRow[] =>
  rows.filter(
    (row) =>
      row.before && row.after && row.before.isLetIn !== isLetInAfter && row.after.isLetIn === isLetInAfter,
  );
