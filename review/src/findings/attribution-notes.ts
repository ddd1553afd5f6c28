import { type CidrSet, isEmptyCidrSet } from '../access/cidr-set';
import { attributeGain, contributorsTo } from '../access/attribute-gain';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { EdgeAttribution, EdgeContributor } from '../traffic-policy/attribute-edge-gain';
import type { PatternChange, RouteAttribution } from '../user-agents/attribute-route-gain';

/** How many rules are named before the rest is only counted. */
const NAMED = 10;

/** Notes for below the finding: which rules cause a gain, and what prevents it. */
export function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed, edit } = attributeGain(policy, gained, model);
  return [
    ...causeNote('Cause', rulesMoved({ added, removed })),
    ...preventionNote(
      edit && say`${trusted(edit.action === 'allow' ? 'leave out' : 'keep')} ${nameOf(edit)}`,
    ),
  ];
}

/** Notes on a gain that depends on something hidden: which rules contribute to it. What prevents it is not certain then. */
export const possibleGainNotes = (policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] =>
  causeNote('Possible cause', rulesMoved(contributorsTo(policy, gained, model)));

/** Notes on a traffic policy: its rules can only keep clients out. */
export const edgeGainNotes = ({ causes, edit }: EdgeAttribution): Sentence[] => [
  ...causeNote('Cause', trafficRulesMoved(causes)),
  ...preventionNote(
    edit &&
      (edit.kind === 'changed' ? say`leave ${nameOfRule(edit)} unchanged` : say`keep ${nameOfRule(edit)}`),
  ),
];

/** Notes on a possible gain of a traffic policy. An added rule may end the evaluation and let clients in. */
export const possibleEdgeGainNotes = (contributors: readonly EdgeContributor[]): Sentence[] =>
  causeNote('Possible cause', trafficRulesMoved(contributors));

/** Notes on a user agent filter, by its patterns. */
export const routeGainNotes = ({ causes, edit }: RouteAttribution): Sentence[] => [
  ...causeNote('Cause', patternsMoved(causes)),
  ...preventionNote(edit && say`${trusted(edit.isAdded ? 'leave out' : 'keep')} ${nameOfPattern(edit)}`),
];

/** Notes on a possible gain of a user agent filter. */
export const possibleRouteGainNotes = (changed: readonly PatternChange[]): Sentence[] =>
  causeNote('Possible cause', patternsMoved(changed));

const causeNote = (label: 'Cause' | 'Possible cause', causes: readonly Sentence[]): Sentence[] =>
  causes.length === 0 ? [] : [say`${trusted(label)}: ${list(causes)}.`];

const preventionNote = (edit: Sentence | undefined): Sentence[] =>
  edit ? [say`To prevent it, ${edit}.`] : [];

const rulesMoved = ({ added, removed }: Record<'added' | 'removed', readonly VisibleRule[]>): Sentence[] => [
  ...moved(added, nameOf, 'added'),
  ...moved(removed, nameOf, 'removed'),
];

const trafficRulesMoved = (changes: readonly EdgeContributor[]): Sentence[] =>
  (['added', 'changed', 'moved', 'removed'] as const).flatMap((kind) =>
    moved(
      changes.filter((change) => change.kind === kind),
      nameOfRule,
      kind,
    ),
  );

const patternsMoved = (changes: readonly PatternChange[]): Sentence[] =>
  [true, false].flatMap((isAdded) =>
    moved(
      changes.filter((change) => change.isAdded === isAdded),
      nameOfPattern,
      isAdded ? 'added' : 'removed',
    ),
  );

/** The things of one kind of change, with a verb. */
const moved = <T>(things: readonly T[], write: (thing: T) => Sentence, what: string): Sentence[] =>
  things.length === 0
    ? []
    : [say`${listOf(things, write, NAMED)} ${trusted(things.length === 1 ? 'is' : 'are')} ${trusted(what)}`];

const nameOf = ({ action, cidr, origin }: VisibleRule): Sentence =>
  say`${trusted(action)} ${foreign(cidr.text)} of ${foreign(origin.name)}`;

const nameOfRule = ({ rule: { name, position, phase } }: Pick<EdgeContributor, 'rule'>): Sentence =>
  name === '' ? say`rule ${position} of ${foreign(phase)}` : say`rule ${foreign(name)}`;

const nameOfPattern = ({ list: name, pattern }: PatternChange): Sentence =>
  say`${trusted(name)} pattern ${foreign(pattern)}`;
