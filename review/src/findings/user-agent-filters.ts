import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import { foreign, say, trusted } from '../text/sentence';
import { compilePattern } from '../user-agents/compiled-patterns';
import { logicOf } from '../user-agents/filter-logic';
import { letsEverybodyIn } from '../user-agents/route-access';
import { FILTER_LISTS, filtersOf, patternsIn } from '../user-agents/user-agent-model';
import type { FinderContext } from './assumptions';
import { type Finding, findingOf } from './finding';
import { aboutEvidence, aboutState } from './severity';

export const userAgentFilterKinds = {
  'user-agent-pattern-invalid': aboutEvidence('high', 'one-resource', {
    extents: ['patterns'],
    title: 'A user agent pattern is not valid RE2',
    advice: 'Rewrite the pattern without look-around or back-references.',
  }),
  'user-agent-filter-open': aboutState('medium', 'one-resource', {
    title: 'A user agent filter keeps nobody out',
    advice: 'Add the deny pattern .* if only the allowed clients should get in, or remove the filter.',
  }),
};

const finding = findingOf(userAgentFilterKinds);

export const userAgentStateFindings = (snapshot: Snapshot, context: FinderContext): Finding[] =>
  filtersOf(snapshot).all.flatMap((filter) => [
    ...invalidPatterns(filter),
    ...keepingNobodyOut(filter, context),
  ]);

function invalidPatterns(filter: ModuleDeclaration): Finding[] {
  const { origin } = filter;
  return FILTER_LISTS.flatMap((name) =>
    (valueOf(patternsIn(filter, name)) ?? []).flatMap((entry, index) => {
      const pattern = valueOf(entry);
      if (pattern === undefined || compilePattern(pattern)) return [];
      const where = { subject: valueOf(filter.subject), origin, property: `${name}[${index}]` };
      const reason = say`The ${trusted(name)} pattern ${foreign(pattern)} is not valid in RE2, so it cannot be judged.`;
      return [
        finding('user-agent-pattern-invalid', {
          ...{ where, reason, members: [`${name} ${pattern}`] },
          extent: { patterns: [pattern] },
        }),
      ];
    }),
  );
}

/** A filter that is off says so by itself. */
function keepingNobodyOut(filter: ModuleDeclaration, { assumptions, corpus }: FinderContext): Finding[] {
  const { origin, subject } = filter;
  const logic = logicOf(filter, (property) => property);
  const context = { model: assumptions.userAgentModel, corpus };
  if (logic.kind === 'open' || letsEverybodyIn([logic], context) !== true) return [];
  const reason = say`The patterns of ${foreign(origin.name)} keep out no client that sends the header.`;
  const where = { subject: valueOf(subject), origin };
  // With patterns it was clearly meant to keep some out.
  const isEmpty = [logic.allow, logic.deny].every(
    ({ patterns, unknowns }) => patterns.length + unknowns.length === 0,
  );
  const severity = isEmpty ? 'low' : 'medium';
  return [finding('user-agent-filter-open', { where, reason, severity })];
}
