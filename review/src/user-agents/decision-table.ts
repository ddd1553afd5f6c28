import type { ModuleDeclaration } from '../model/declarations';
import { compilePattern } from './compiled-patterns';
import type { CorpusEntry } from './corpus';
import { judge, logicOf } from './filter-logic';
import type { UserAgentModel, UserAgentVerdict } from './user-agent-model';
import { judgeUserAgent } from './user-agent-model';

/** A filter's decision about a client; undefined if the filter cannot be judged. */
export type Decision = UserAgentVerdict | undefined;

/** One client of the table, before and after the change. */
export interface DecisionRow {
  readonly entry: CorpusEntry;
  readonly before: Decision;
  readonly after: Decision;
}

/** Decides about one client. */
export type Judge = (userAgent: string | null) => Decision;

/** Lets everybody in, as a route does without a filter, or with one that is off. */
const letIn: Judge = () => ({ isLetIn: true });

/** Judges clients by a filter; those that a hidden or invalid part decides about are left undecided. */
export function judgeOf(filter: ModuleDeclaration | undefined, model: UserAgentModel): Judge {
  if (!filter) return letIn;
  const logic = logicOf(filter, (property) => property);
  if (logic.kind === 'open') return letIn;
  const [allow, deny] = [logic.allow, logic.deny].map(({ patterns }) =>
    patterns.flatMap((pattern) => compilePattern(pattern) ?? []),
  );
  return (userAgent) => {
    if (judge(logic, userAgent, model) === undefined) return undefined;
    return judgeUserAgent(userAgent, { allow: allow ?? [], deny: deny ?? [] }, model);
  };
}

/** The decision about every client of the corpus, before and after. */
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

/** The clients with another verdict than before, as far as both are decidable. */
export const changedRows = (rows: readonly DecisionRow[], isLetInAfter: boolean): DecisionRow[] =>
  rows.filter(
    (row) =>
      row.before && row.after && row.before.isLetIn !== isLetInAfter && row.after.isLetIn === isLetInAfter,
  );
