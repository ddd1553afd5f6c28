import type { ModuleDeclaration } from '../model/declarations';
import { compilePattern } from './compiled-patterns';
import { type FilterLogic, letsIn, logicOf, OPEN } from './filter-logic';
import type { UserAgentModel, UserAgentVerdict } from './user-agent-model';

/** Decides about one client; undefined if the filter leaves it open. */
type Decide = (userAgent: string | null) => UserAgentVerdict | undefined;

/** What a filter decides; a hidden or invalid part decides nothing. Without a filter, all get in. */
export function userAgentVerdict(filter: ModuleDeclaration | undefined, model: UserAgentModel): Decide {
  const logic = filter ? logicOf(filter, (property) => property) : OPEN;
  return (userAgent) => {
    const isLetIn = letsIn(logic, userAgent, model);
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
