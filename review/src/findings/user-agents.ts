import type { Doubt } from '../access/subject-access';
import { plain } from '../text/escape';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import type { CorpusEntry } from '../user-agents/corpus';
import { type FilterLogic, hasUnknowns, letsIn } from '../user-agents/filter-logic';
import type { RouteAccess, UserAgentContext } from '../user-agents/route-access';
import { accessKinds } from './access';
import { extentOfRoute, routeGainNotes } from './causes';
import { aboutChange, ALL_CLIENTS, type Severity } from './severity';
import { type Finding, findingOf, type Where } from './finding';
import { hiddenValueKinds } from './hidden-values';
import { moduleKinds } from './modules';

export const userAgentKinds = {
  'user-agents-widened': aboutChange('medium', {
    extents: ['patterns'],
    title: 'User agents gain access',
    advice: 'Check that these clients should get in.',
  }),
  'user-agents-may-change': aboutChange('medium', {
    extents: ['patterns'],
    title: 'Some user agents may gain or lose access',
    advice:
      'Read the changed patterns, make hidden ones visible, or write them so that they can be compared: no word boundaries, no ' +
      'Unicode classes.',
  }),
  'user-agents-narrowed': aboutChange('low', {
    extents: ['patterns'],
    title: 'User agents lose access',
    advice: 'Check that no user, monitor or health check among these is locked out.',
  }),
};

const finding = findingOf({ ...accessKinds, ...moduleKinds, ...hiddenValueKinds, ...userAgentKinds });

export function userAgentEffectFindings(
  access: RouteAccess,
  context: UserAgentContext,
  where: Where,
): Finding[] {
  const effect = { access, context, where: { subject: access.subject, ...where } };
  const opened = openedForAll(effect);
  const closed = closedForAll(effect);
  return [
    ...opened,
    ...(opened.length > 0 ? [] : gains(effect)),
    ...closed,
    ...(closed.length > 0 ? [] : losses(effect)),
    ...((opened.length > 0 && access.after.letsEverybodyIn === true) || closed.length > 0
      ? []
      : possibleMoves(effect)),
  ];
}

interface Effect {
  readonly access: RouteAccess;
  readonly context: UserAgentContext;
  readonly where: Where;
}

function changedClients({ access: { sides }, context }: Effect, isGain: boolean): CorpusEntry[] {
  const verdict = (logic: FilterLogic, { userAgent }: CorpusEntry) => letsIn(logic, userAgent, context.model);
  return context.corpus.filter(
    (entry) => verdict(sides.before, entry) === !isGain && verdict(sides.after, entry) === isGain,
  );
}

/** If it cannot be proved that everybody gets in, it is as bad that nobody is known any more who does not. */
function openedForAll(effect: Effect): Finding[] {
  const { before, after, gained, subject } = effect.access;
  const isProved = after.letsEverybodyIn === true;
  const isOpened = isProved
    ? gained.extent !== 'none'
    : after.letsEverybodyIn !== false && gained.extent === 'some';
  if (!isOpened || before.letsEverybodyIn === true) return [];
  const who =
    gained.witnesses.length === 0 ? [] : say`: ${clients(effect, true)} can get in and could not before`;
  const anyone = trusted(isProved ? 'anyone' : 'any known client');
  const reason = say`The user agent filter of ${foreign(subject)} no longer keeps ${anyone} out${who}.`;
  const severity: Severity = isNearlyEverybody(effect, true) ? 'critical' : 'high';
  const notes = routeGainNotes(effect.access.sides);
  const extent = { patterns: [ALL_CLIENTS] };
  return [finding('protection-lost', { where: effect.where, reason, severity, extent, notes })];
}

function gains(effect: Effect): Finding[] {
  if (effect.access.gained.extent !== 'some') return [];
  const reason = say`${clients(effect, true)} can get in now and could not before.`;
  const severity: Severity = isNearlyEverybody(effect, true) ? 'critical' : 'medium';
  const { sides } = effect.access;
  const content = { extent: extentOfRoute(sides), notes: routeGainNotes(sides) };
  return [finding('user-agents-widened', { where: effect.where, reason, severity, ...content })];
}

function closedForAll(effect: Effect): Finding[] {
  const { before, after, lost, subject, sides } = effect.access;
  const allowsAnybody = sides.after.kind === 'open' || sides.after.allow.patterns.length > 0;
  const isShut = after.letsNobodyIn === true || (isNearlyEverybody(effect, false) && !allowsAnybody);
  if (!isShut || before.letsNobodyIn === true || lost.extent === 'none') return [];
  const reason = say`Everyone whom ${foreign(subject)} let in is locked out, whatever their user agent.`;
  const extent = { patterns: [ALL_CLIENTS] };
  const content = { where: effect.where, reason, advice: LET_SOMEBODY_IN, extent };
  return [finding('nobody-let-in', { ...content, severity: 'critical' })];
}

const LET_SOMEBODY_IN =
  'Remove or narrow the deny pattern that matches everybody, or add the clients that need access to the allow list.';

function losses(effect: Effect): Finding[] {
  if (effect.access.lost.extent !== 'some') return [];
  const reason = say`${clients(effect, false)} could get in before and no longer can.`;
  const content = { severity: severityOfLoss(effect), extent: extentOfRoute(effect.access.sides) };
  return [finding('user-agents-narrowed', { where: effect.where, reason, ...content })];
}

/** Losing browsers, probes, or clients that the reviewer listed hurts at once; losing a tool is often intended. */
function severityOfLoss(effect: Effect): Severity {
  const lost = changedClients(effect, false);
  // An allow list without any deny pattern has no effect under this model, but its author clearly meant it to be exclusive.
  if (makesAllowListCount(effect)) return 'medium';
  if (lost.some(({ group }) => group === undefined || group === 'browser' || group === 'probe'))
    return 'high';
  return lost.some(({ group }) => group === 'search') ? 'medium' : 'low';
}

function makesAllowListCount({ access: { sides } }: Effect): boolean {
  const { before, after } = sides;
  if (before.kind === 'open' || after.kind === 'open') return false;
  if (before.allow.patterns.length === 0 || before.deny.patterns.length + before.deny.unknowns.length > 0)
    return false;
  return before.allow.patterns.every((pattern) => after.allow.patterns.includes(pattern));
}

/** Nine of ten clients that send a header. */
function isNearlyEverybody(effect: Effect, isGain: boolean): boolean {
  const all = effect.context.corpus.filter(({ userAgent }) => userAgent !== null).length;
  const changed = changedClients(effect, isGain).filter(({ userAgent }) => userAgent !== null).length;
  return all > 0 && changed * 10 >= all * 9;
}

const NAMED = 6;

function clients(effect: Effect, isGain: boolean): Sentence {
  const { witnesses } = isGain ? effect.access.gained : effect.access.lost;
  const known = changedClients(effect, isGain);
  const headers = new Set(known.map(({ userAgent }) => userAgent));
  const others = witnesses.filter((witness) => !headers.has(witness));
  const example = others[0] === undefined ? [] : [nameOf(others[0])];
  return list([...example, ...known.map(({ label }) => foreign(label))], NAMED);
}

function nameOf(userAgent: string | null): Sentence {
  if (userAgent === null) return trusted('a client without the header');
  return userAgent === '' ? trusted('a client with an empty header') : say`${foreign(userAgent)}`;
}

function possibleMoves({ access, where, context }: Effect): Finding[] {
  const { gained, lost, doubts, subject } = access;
  const [mayGain, mayLose] = [gained, lost].map(
    ({ extent, mayBeMore }) => extent === 'undecided' || mayBeMore,
  );
  if (mayGain !== true && mayLose !== true) return [];
  const verbs = [
    ...(mayGain === true ? [say`gain access${atMost(access, 'gained')}`] : []),
    ...(mayLose === true ? [say`lose access${atMost(access, 'lost')}`] : []),
  ];
  // Both sides of a filter mostly have the same patterns.
  const because = list([...new Map(doubts.map(({ reason }) => [plain(reason), reason])).values()]);
  const who = trusted([gained, lost].some(({ extent }) => extent === 'some') ? 'other clients' : 'clients');
  const reason = say`Not decided for ${foreign(subject)} because ${because}: ${who} may ${list(verbs)}.`;
  const isHidden = doubts.some((doubt: Doubt) => doubt.isHidden === true);
  const place = isHidden ? { ...where, ...placeOf(doubts) } : where;
  const notes = mayGain === true ? routeGainNotes(access.sides) : [];
  const content = { where: place, reason, notes, extent: extentOfRoute(access.sides) };
  return isHidden && isUnbounded(access, context)
    ? [finding('value-hidden', content)]
    : [finding('user-agents-may-change', { ...content, severity: severityOfDoubt(access) })];
}

/** Undefined if no value is hidden: then the clients of the corpus are decided, and other texts are not. */
function atMost(access: RouteAccess, direction: 'gained' | 'lost'): Sentence {
  if (!access[direction].mayBeMore || !access.mayChange) return [];
  const known = access.mayChange[direction];
  if (known.length === 0) return trusted(' (none of the corpus)');
  return say` (of the corpus at most ${list(
    known.map(({ label }) => foreign(label)),
    NAMED,
  )})`;
}

/** Nearly everybody may get in, nobody may get in any more, or the filter may be off: a bound without information. */
function isUnbounded({ mayChange, sides }: RouteAccess, { corpus, model }: UserAgentContext): boolean {
  const hasHiddenSwitch = [sides.before, sides.after].some(
    (logic) => logic.kind === 'filter' && logic.hiddenSwitch !== undefined,
  );
  if (!mayChange || hasHiddenSwitch) return true;
  const clients = corpus.filter(({ userAgent }) => userAgent !== null);
  const isIn = (logic: FilterLogic) =>
    clients.some(({ userAgent }) => letsIn(logic, userAgent, model) === true);
  const gainers = mayChange.gained.filter(({ userAgent }) => userAgent !== null);
  return gainers.length * 10 >= clients.length * 9 || (isIn(sides.before) && !isIn(sides.after));
}

function placeOf(doubts: readonly Doubt[]): Where {
  const doubt = doubts.find(({ isHidden }) => isHidden === true);
  return {
    ...(doubt?.origin && { origin: doubt.origin }),
    ...(doubt?.property !== undefined && { property: doubt.property }),
  };
}

/** An invalid or hidden pattern may have kept out, or let in, anybody. */
function severityOfDoubt({ gained, sides }: RouteAccess): Severity {
  const isOpen = hasUnknowns(sides.before) || hasUnknowns(sides.after);
  return isOpen && (gained.extent === 'undecided' || gained.mayBeMore) ? 'high' : 'medium';
}
