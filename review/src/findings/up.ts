import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { type CidrSet, everything, isEmptyCidrSet, subtract, union } from '../access/cidr-set';
import type { PolicyChange } from '../access/policy-change';
import { gainInWords, shareOf } from '../access/public-space';
import type { SubjectAccess } from '../access/subject-access';
import type { ExclusiveSet, ModuleDeclaration, RuleDeclaration, Snapshot } from '../model/declarations';
import { rootOf } from '../model/declarations';
import { valueOf } from '../model/known';
import type { Hindrance, Obstruction } from '../model/obstructions';
import { isBegun, isLookedUp, type ResourceChange } from '../model/resource-change';
import { declaredBy, snapshotOf, type StackChange } from '../model/snapshot';
import type { LiveChange } from '../model/live-state';
import { isReadable, networkOf, takeOversOf } from '../model/take-overs';
import type { Retention } from '../preview/fate';
import { isModuleType } from '../preview/resource-type';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { Assumptions } from './assumptions';
import { type Finding, type FindingContent, findingOf, type Where } from './finding';
import { aboutChange, aboutState, ALL_CLIENTS, milderOf, severityOfGain } from './severity';

export const upKinds = {
  'exclusive-set-takes-over': aboutChange('medium', {
    title: 'A set takes over a whole policy',
    verdict: 'affects-access',
    advice: 'Review with --live, which counts the rules that the set will delete.',
  }),
  'exclusive-set-released': aboutChange('medium', {
    title: 'A set gives up a whole policy',
    verdict: 'affects-access',
    advice: 'Keep a set exclusive, or let a scheduled job look for drift: it finds rules that others add.',
  }),
  'overwrite-not-seen': aboutChange('medium', {
    title: 'The objects to be taken over were not seen',
    advice: 'Review with --live, which starts from what the service holds there.',
  }),
  'up-would-fail': aboutChange('high', {
    title: 'The up would stop half-way',
    advice:
      'If a resource is only renamed or moved, give it an alias. Otherwise set overwriteExisting: true on the one that takes (a single rule that changes its network also needs a new name), or apply in two steps, first what gives up. If the service accepts two rules for one network, pass --duplicate-networks accepted.',
  }),
  'state-drifted': aboutChange('info', {
    title: 'Others have changed what the stack manages',
    advice:
      'Look at what npx --no-install pulumi-edge-policy-cli drift shows: this review begins with what is live, and an up only overwrites what it sends.',
  }),
  'exclusive-set-contested': aboutState('high', 'stack', {
    title: 'An exclusive set and other rules share a policy',
    advice:
      'Move the other rules into the set, or set exclusive to false: the set deletes rules that are not its own.',
  }),
  'access-meanwhile': aboutChange('medium', {
    extents: ['networks', 'patterns'],
    title: 'Access differs while the up runs',
    verdict: 'affects-access',
    advice:
      'Let the allow rules depend on the deny rules (dependsOn), or put both in one set. If both leave, remove the allow rules first, in an up of their own. If a rule is replaced, first add another one for a network around it.',
  }),
  'left-on-service': aboutChange('medium', {
    title: 'A resource leaves the stack but stays on the service',
    advice: 'Note who is responsible for it now, or remove the option retainOnDelete so that it is deleted.',
  }),
};

const finding = findingOf(upKinds);

export const liveFindings = ({ drifted, gone }: LiveChange): Finding[] => [
  ...gone.map((origin) =>
    finding('up-would-fail', {
      where: { origin, property: 'cidr' },
      reason: say`The rule of ${foreign(origin.name)} no longer exists on the service, so its update fails: refresh first, then the up makes it again.`,
    }),
  ),
  ...(drifted.length === 0
    ? []
    : [
        finding('state-drifted', {
          where: {},
          reason: say`${count(drifted.length, 'resource')} is not live as the state has it: ${list(
            drifted.slice(0, MOST_NAMES).map(({ name }) => foreign(name)),
          )}.`,
        }),
      ]),
];

const MOST_NAMES = 5;

/** A set that becomes exclusive deletes foreign rules, which a preview does not show. */
export function exclusiveSetFindings({ before, after }: StackChange, includesLiveRules: boolean): Finding[] {
  if (includesLiveRules) return [];
  const owned = new Set(before.exclusiveSets.map(({ policyId }) => valueOf(policyId)));
  return after.exclusiveSets
    .filter(({ policyId }) => !policyId.isKnown || !owned.has(policyId.value))
    .filter((set) => set.policyId.isKnown || !before.exclusiveSets.some((other) => isSameSet(set, other)))
    .map((set) => {
      const reason = say`${foreign(set.origin.name)} deletes every rule of its policy that is not its own; this preview does not show whether there are any.`;
      return finding('exclusive-set-takes-over', { where: whereOf(set), reason });
    });
}

/** A set that owns its policy keeps foreign rules out of it. Without one, anyone with a key may add some, and no `up` removes them. */
export function releasedPolicyFindings({ before, after }: StackChange): Finding[] {
  const isOwned = (set: ExclusiveSet): boolean =>
    after.exclusiveSets.some((other) => (other.isSure || !set.isSure) && ownsAlike(set, other));
  return before.exclusiveSets
    .filter((set) => !isOwned(set))
    .map((set) => {
      const reason = say`${foreign(set.origin.name)} no longer owns its policy: rules that others add to it stay.`;
      return finding('exclusive-set-released', { where: whereOf(set), reason });
    });
}

/** A hidden policy is taken for what it was if the set is the same one. */
const ownsAlike = (left: ExclusiveSet, right: ExclusiveSet): boolean =>
  left.policyId.isKnown && right.policyId.isKnown
    ? left.policyId.value === right.policyId.value
    : isSameSet(left, right);

const isSameSet = (left: ExclusiveSet, right: ExclusiveSet): boolean => left.origin.urn === right.origin.urn;

/** Other rules declared in the policy of an exclusive set: the set deletes them, and the next update creates them again. */
export const contestedRuleFindings = (snapshot: Snapshot): Finding[] =>
  snapshot.exclusiveSets.flatMap((set) => {
    const policyId = valueOf(set.policyId);
    const rules = policyId === undefined ? [] : (snapshot.rules.placed.get(policyId) ?? []);
    const others = rules.filter(({ origin: { urn } }) => urn !== set.origin.urn && urn.startsWith('urn:'));
    if (others.length === 0) return [];
    const names = [...new Set(others.map(({ origin }) => origin.name))];
    const reason = say`${foreign(set.origin.name)} owns its policy and deletes the rules of ${list(names.map(foreign))}.`;
    const members = others.map(
      (rule) => `${valueOf(rule.action) ?? ''} ${valueOf(rule.cidr)?.text ?? rule.property}`,
    );
    return [finding('exclusive-set-contested', { where: whereOf(set), reason, members })];
  });

const whereOf = ({ origin, policyId }: ExclusiveSet): Where => ({
  subject: valueOf(policyId),
  origin,
  property: 'exclusive',
});

export interface Seen extends Pick<Assumptions, 'duplicateNetworks'> {
  readonly includesLive: boolean;
  /** Whether the state proves what the stack had. */
  readonly isProved: boolean;
}

/** A resource that may overwrite starts from what is live: only the service knows that, or the state of a place that the stack had. */
export function takeOverFindings({ changes }: StackChange, seen: Seen): Finding[] {
  const isInState = (change: ResourceChange): boolean => !isLookedUp(change) && !isBegun(change);
  const recorded = seen.isProved ? changes.filter(isInState) : [];
  const { rules, modules } = snapshotOf(recorded.flatMap(({ before }) => before ?? []));
  // If a service accepts several rules for a network, there may be more than the state has.
  const isOne = seen.duplicateNetworks === 'refused';
  const networks = new Set(isOne ? rules.all.filter(isPlaced).map(networkOf) : []);
  const isHeld = (rule: RuleDeclaration): boolean => isPlaced(rule) && networks.has(networkOf(rule));
  return takeOversOf(changes)
    .filter((takeOver) => !seen.includesLive || !isReadable(takeOver))
    .map(({ rules: taken, ...of }) => ({ ...of, rules: taken.filter((rule) => !isHeld(rule)) }))
    .filter(({ rules: { length }, origin: { type }, subject }) =>
      isModuleType(type) ? !modules[type].placed.has(valueOf(subject) ?? '') : length > 0,
    )
    .map(({ origin, subject, rules: unseen }) => {
      // If a deny rule takes another rule's place, nobody gains access.
      const onlyDenies = unseen.length > 0 && unseen.every(({ action }) => valueOf(action) === 'deny');
      return finding('overwrite-not-seen', {
        where: { subject: valueOf(subject), origin, property: 'overwriteExisting' },
        reason: say`${foreign(origin.name)} takes over what it finds on the service; this preview does not show whether anything is there, or what it does.`,
        severity: onlyDenies ? 'low' : 'medium',
      });
    });
}

const isPlaced = ({ policyId, cidr }: RuleDeclaration): boolean => policyId.isKnown && cidr.isKnown;

const WHY: Readonly<Partial<Record<Retention, Sentence>>> = {
  get: trusted('stays on the service because the program only looks it up (get)'),
  unknown: trusted('may stay on the service: the preview does not show it'),
};

export const leftOnService = ({ changes }: StackChange): Finding[] =>
  changes.flatMap(({ before, retention }) => {
    if (!before || !retention) return [];
    const { origin } = before;
    const why = WHY[retention] ?? say`stays on the service because it has ${trusted(retention)}`;
    const reason = say`An object of ${foreign(origin.name)} leaves the stack and ${why}.`;
    return [finding('left-on-service', { where: { origin }, reason })];
  });

export const upFindings = (obstructions: readonly Obstruction[]): Finding[] =>
  [...grouped(obstructions, identityOf).values()].map((alike) => {
    const [{ taker: origin, subject, property, hindrance }] = alike;
    return finding('up-would-fail', {
      where: { subject, origin, property: alike.length === 1 ? property : rootOf(property) },
      reason: reasonOf(hindrance, alike),
    });
  });

const identityOf = ({ taker: { urn }, subject, hindrance }: Obstruction): string =>
  JSON.stringify([urn, subject, hindrance]);

function reasonOf(
  hindrance: Hindrance,
  alike: readonly [Obstruction, ...(readonly Obstruction[])],
): Sentence {
  const [{ taker, subject }] = alike;
  const networks = alike.flatMap(({ network }) => network ?? []);
  const place =
    networks.length > 0
      ? say`${listOf(networks, foreign)} of ${foreign(subject)}`
      : say`the module of ${foreign(subject)}`;
  const names = [...new Set(alike.map(({ holder }) => holder.name))];
  const holders = list(
    names.map((name) => (name === taker.name ? trusted('what it replaces') : foreign(name))),
  );
  const why: Readonly<Record<Hindrance, Sentence>> = {
    leaves: say`held by ${holders}, which the up deletes only at its end`,
    stays: say`held by ${holders}, which leaves the stack and stays on the service`,
    twice: say`also declared by ${holders}`,
    circle: say`held by ${holders} until ${foreign(taker.name)} is done`,
    unmanaged: say`held by ${holders}, which this stack does not manage`,
    several: say`held by ${holders} and at least one more rule, but a single rule takes over only one: delete the others first`,
    unsettled: say`which the last write of ${list(names.map(foreign))} may have taken, as it got no answer: after an interrupted run, first run ${foreign(`${COMMAND_LINE} recover`)}, otherwise pulumi refresh`,
  };
  const stops = trusted(alike.every(({ isOpen }) => isOpen) ? 'may stop' : 'stops');
  return say`The up ${stops} at ${foreign(taker.name)}: it needs ${place}, ${why[hindrance]}.`;
}

export function meanwhileFindings({ policyId: subject, meanwhile }: PolicyChange): Finding[] {
  if (!meanwhile) return [];
  const { gained, opening, missing, lost, absent } = meanwhile;
  const ofMove = (
    moved: CidrSet,
    [first]: readonly RuleDeclaration[],
    more: Omit<FindingContent, 'where'>,
  ) =>
    isEmptyCidrSet(moved)
      ? []
      : [
          finding('access-meanwhile', {
            ...{ where: { subject, origin: first?.origin, property: first?.property }, ...more },
            extent: { networks: moved },
          }),
        ];
  const how =
    opening.length === 0
      ? say`the deny rules of ${namesOf(missing)} may be missing for a time`
      : say`the allow rules of ${namesOf(opening)} may be live without the deny rules of ${namesOf(missing)}`;
  const gain = say`While the up runs, ${gainInWords(gained)} may get in, though neither before nor after: ${how}. If the up stops there, this lasts.`;
  const loss = say`While the up runs, ${gainInWords(lost)} may be kept out, though neither before nor after: the allow rules of ${namesOf(absent)} may be missing for a time.`;
  const severity = milderOf('high', severityOfGain(gained));
  return [
    ...ofMove(gained, missing, { reason: gain, severity, gained: shareOf(gained) }),
    ...ofMove(lost, absent, { reason: loss, severity: 'low' }),
  ];
}

/** A module that is deleted and then made again at its place keeps nobody out in between. */
export function absentModuleFindings(
  { changes, order }: StackChange,
  accesses: readonly SubjectAccess[],
): Finding[] {
  const replaced = changes.filter(({ kind, isDeletedFirst }) => kind === 'replace' && isDeletedFirst);
  return (order ? replaced : []).flatMap(({ before, after }) => {
    const [old, now] = [before, after].map((side) => side && declaredBy(side).module);
    const subject = old && valueOf(old.subject);
    if (!old || !now || subject === undefined || valueOf(now.subject) !== subject) return [];
    const access = accesses.find((each) => each.kind !== 'policy' && each.subject === subject);
    const open =
      access?.of === 'addresses'
        ? subtract(everything, union(access.before.surely, access.after.surely))
        : undefined;
    if (open ? isEmptyCidrSet(open) : [old, now].some(keepsNobodyOut)) return [];
    const { origin } = now;
    const who = open ? gainInWords(open) : trusted('clients that its filter refuses');
    const reason = say`While the up runs, ${who} may get in through ${foreign(subject)}, though neither before nor after: ${foreign(origin.name)} is deleted before it is created again. If the up stops there, this lasts.`;
    return [
      finding('access-meanwhile', {
        ...{ where: { subject, origin }, reason },
        severity: open ? milderOf('high', severityOfGain(open)) : 'high',
        extent: open ? { networks: open } : { patterns: [ALL_CLIENTS] },
      }),
    ];
  });
}

const keepsNobodyOut = ({ isEnabled, lists }: ModuleDeclaration): boolean =>
  valueOf(isEnabled) === false || Object.values(lists).every((list) => valueOf(list)?.length === 0);

const namesOf = (rules: readonly RuleDeclaration[]): Sentence =>
  listOf([...new Set(rules.map(({ origin }) => origin.name))], foreign);
