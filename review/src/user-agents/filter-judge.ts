import type { ModuleDeclaration } from '../model/declarations';
import { compilePattern } from './compiled-patterns';
import { type FilterLogic, judge, logicOf, OPEN } from './filter-logic';
import type { UserAgentModel, UserAgentVerdict } from './user-agent-model';

/** Decides about one client; undefined if the filter cannot be judged. */
type Judge = (userAgent: string | null) => UserAgentVerdict | undefined;

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
