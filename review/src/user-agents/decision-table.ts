import type { ModuleDeclaration } from '../model/declarations';
import { compilePattern } from './compiled-patterns';
import type { CorpusEntry } from './corpus';
import { type FilterLogic, judge, logicOf, OPEN } from './filter-logic';
import type { UserAgentModel, UserAgentVerdict } from './user-agent-model';

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

/** Judges clients by a filter; those that a hidden or invalid part decides about are left undecided. Without one, all get in. */
export function judgeOf(filter: ModuleDeclaration | undefined, model: UserAgentModel): Judge {
  const logic = filter ? logicOf(filter, (property) => property) : OPEN;
  return (userAgent) => {
    const isLetIn = judge(logic, userAgent, model);
    if (isLetIn === undefined) return undefined;
    const decidedBy = decidingPattern(logic, userAgent, { isLetIn, model });
    return { isLetIn, ...(decidedBy && { decidedBy }) };
  };
}

/** A client without the header is refused by default under one of the models, and not by a deny pattern. */
function decidingPattern(
  logic: FilterLogic,
  userAgent: string | null,
  { isLetIn, model }: { readonly isLetIn: boolean; readonly model: UserAgentModel },
): UserAgentVerdict['decidedBy'] {
  const isByDefault = !isLetIn && userAgent === null && model === 'allow-wins';
  if (logic.kind === 'open' || isByDefault) return undefined;
  const list = isLetIn ? 'allow' : 'deny';
  const pattern = logic[list].patterns.find((each) => compilePattern(each)?.finds(userAgent ?? ''));
  return pattern === undefined ? undefined : { list, pattern };
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
