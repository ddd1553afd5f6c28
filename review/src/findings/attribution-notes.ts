import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { isEmptyCidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { attributeGain, contributorsTo } from '../access/attribute-gain';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import type { Foreign, Sentence } from '../text/sentence';
import { foreign, list, listOf, say, trusted } from '../text/sentence';
import type { EdgeAttribution, EdgeContributor, LostRefusal } from '../traffic-policy/attribute-edge-gain';
import type { PatternChange, RouteAttribution } from '../user-agents/attribute-route-gain';

/** How many rules are named before the rest is only counted. */
const NAMED = 10;

/** Notes for below the finding: which rules cause a gain, and what prevents it. */
export function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed, edit } = attributeGain(policy, gained, model);
  return notes(
    [...causes(added, nameOf, 'added'), ...causes(removed, nameOf, 'removed')],
    edit && say`${trusted(edit.action === 'allow' ? 'leave out' : 'keep')} ${nameOf(edit)}`,
  );
}

/** Notes on a gain that depends on something hidden: which rules contribute to it. What prevents it is not certain then. */
export function possibleGainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  const { added, removed } = contributorsTo(policy, gained, model);
  return possibly([...causes(added, nameOf, 'added'), ...causes(removed, nameOf, 'removed')]);
}

/** Notes on a traffic policy: its rules can only keep clients out. */
export function edgeGainNotes({ causes: lost, edit }: EdgeAttribution): Sentence[] {
  const ofKind = (all: readonly LostRefusal[], wanted: LostRefusal['kind']) =>
    all.filter(({ kind }) => kind === wanted);
  return notes(
    [
      ...causes(ofKind(lost, 'changed'), nameOfRule, 'changed'),
      ...causes(ofKind(lost, 'removed'), nameOfRule, 'removed'),
    ],
    edit &&
      (edit.kind === 'changed' ? say`leave ${nameOfRule(edit)} unchanged` : say`keep ${nameOfRule(edit)}`),
  );
}

/** Notes on a possible gain of a traffic policy. An added rule may end the evaluation and let clients in. */
export function possibleEdgeGainNotes(contributors: readonly EdgeContributor[]): Sentence[] {
  const ofKind = (wanted: EdgeContributor['kind']) => contributors.filter(({ kind }) => kind === wanted);
  return possibly(
    (['added', 'changed', 'moved', 'removed'] as const).flatMap((kind) =>
      causes(ofKind(kind), nameOfRule, kind),
    ),
  );
}

/** Notes on a user agent filter, by its patterns. */
export function routeGainNotes({ causes: changed, edit }: RouteAttribution): Sentence[] {
  const ofKind = (all: readonly PatternChange[], wanted: boolean) =>
    all.filter(({ isAdded }) => isAdded === wanted);
  return notes(
    [
      ...causes(ofKind(changed, true), nameOfPattern, 'added'),
      ...causes(ofKind(changed, false), nameOfPattern, 'removed'),
    ],
    edit && say`${trusted(edit.isAdded ? 'leave out' : 'keep')} ${nameOfPattern(edit)}`,
  );
}

/** Notes on a possible gain of a user agent filter. */
export const possibleRouteGainNotes = (changed: readonly PatternChange[]): Sentence[] =>
  possibly([
    ...causes(changed.filter(isComing), nameOfPattern, 'added'),
    ...causes(
      changed.filter((change) => !isComing(change)),
      nameOfPattern,
      'removed',
    ),
  ]);

const isComing = ({ isAdded }: PatternChange): boolean => isAdded;

const possibly = (causing: readonly Sentence[]): Sentence[] =>
  causing.length === 0 ? [] : [say`Possible cause: ${list(causing)}.`];

const notes = (causing: readonly Sentence[], preventing: Sentence | undefined): Sentence[] => [
  ...(causing.length === 0 ? [] : [say`Cause: ${list(causing)}.`]),
  ...(preventing ? [say`To prevent it, ${preventing}.`] : []),
];

type Write<T> = (thing: T) => Foreign | Sentence;

const causes = <T>(things: readonly T[], write: Write<T>, what: string): Sentence[] =>
  things.length === 0
    ? []
    : [say`${listOf(things, write, NAMED)} ${trusted(things.length === 1 ? 'is' : 'are')} ${trusted(what)}`];

const nameOf = ({ action, cidr, origin }: VisibleRule): Sentence =>
  say`${trusted(action)} ${foreign(cidr.text)} of ${foreign(origin.name)}`;

const nameOfRule = ({ rule: { name, position, phase } }: Pick<LostRefusal, 'rule'>): Sentence =>
  name === '' ? say`rule ${position} of ${foreign(phase)}` : say`rule ${foreign(name)}`;

const nameOfPattern = ({ list: name, pattern }: PatternChange): Sentence =>
  say`${trusted(name)} pattern ${foreign(pattern)}`;
