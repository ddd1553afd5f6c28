import { networksIn } from '../access/counted-networks';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, isEmptyCidrSet, subtract } from 'pulumi-edge-policy/internal/values/cidr-set';
import { DEFAULT_ASSUMPTIONS } from '../assumptions/assumptions';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import type { Sentence } from '../text/sentence';
import { spend } from '../budget/budget';
import { foreign, list, say, trusted } from '../text/sentence';
import { type Assertion, type AssertionSet, feedInWords, type Waiver } from './assertion';
import type { Gate } from './gate';
import { weakenedRequirements } from './requirements';
import { DEFAULT_FAIL_ON, isSame, least, MODEL_KEYS, strictest } from './gate';

/** The guards that one revision has and the other lacks: assertions, waivers, and the gate itself. */
export function weakenedGuards(before: AssertionSet, after: AssertionSet): Finding[] {
  return [
    ...weakenedAssertions(before.assertions, after.assertions),
    ...widenedWaivers(before.waivers, after.waivers),
    ...weakenedGate({ ...DEFAULT_ASSUMPTIONS, ...before.gate }, { ...DEFAULT_ASSUMPTIONS, ...after.gate }),
  ];
}

function weakenedAssertions(before: readonly Assertion[], after: readonly Assertion[]): Finding[] {
  const kept = groupBySubject(after);
  return [...groupBySubject(before)].flatMap(([key, assertions]) => {
    const missing = missingTargets(assertions, kept.get(key) ?? []);
    const [first] = assertions;
    if (!first || missing.length === 0) return [];
    const subject = first.subject.isKnown ? first.subject.value : undefined;
    const what = say`${trusted(DEMANDS[first.expectation])} ${list(missing.map(foreign))}`;
    const whom = subject === undefined ? trusted('a value that is not known yet') : say`${foreign(subject)}`;
    return [
      finding('assertion-weakened', {
        where: subject === undefined ? {} : { subject },
        reason: say`The change removes an assertion: ${whom} ${what}.`,
      }),
    ];
  });
}

const DEMANDS = {
  allow: 'must let in',
  deny: 'must keep out',
  within: 'must never be wider than',
} as const;

function groupBySubject(assertions: readonly Assertion[]): Map<string, Assertion[]> {
  const groups = new Map<string, Assertion[]>();
  for (const assertion of assertions) {
    const { kind, expectation, subject } = assertion;
    const key = JSON.stringify([kind, expectation, subject.isKnown ? subject.value : null]);
    const group = groups.get(key);
    if (group) group.push(assertion);
    else groups.set(key, [assertion]);
  }
  return groups;
}

/** The earlier assertions that the later ones do not cover. */
function missingTargets(before: readonly Assertion[], after: readonly Assertion[]): string[] {
  const [first] = before;
  if (first?.kind === 'user-agent') {
    const kept = new Set(after.map(({ target }) => target));
    return before.filter(({ target }) => !kept.has(target)).map(({ target }) => target ?? 'no header');
  }
  if (first?.expectation === 'within') {
    spend(100 * before.length * after.length);
    // Several ceilings all count, so each earlier one needs a later one that is no wider.
    return before.flatMap((ceiling) =>
      after.some((later) => isWithin(later, ceiling)) ? [] : [textOf(ceiling)],
    );
  }
  const lost = subtract(networksOf(before), networksOf(after));
  return [...feedsOnlyIn(before, after).map(feedInWords), ...networksIn(lost).map((cidr) => cidr.text)];
}

/** Feeds are compared by name, as their networks may differ from one day to the next. */
function feedsOnlyIn(assertions: readonly Assertion[], others: readonly Assertion[]): string[] {
  const named = (all: readonly Assertion[]) => all.flatMap(({ feeds = [] }) => feeds);
  const known = new Set(named(others));
  return named(assertions).filter((name) => !known.has(name));
}

const textOf = ({ target }: Assertion): string => (target === '' ? 'nothing' : (target ?? ''));

function isWithin(inner: Assertion, outer: Assertion): boolean {
  spend(20 * ((inner.networks?.length ?? 1) + (outer.networks?.length ?? 1)));
  return (
    isEmptyCidrSet(subtract(networksOf([inner]), networksOf([outer]))) &&
    feedsOnlyIn([inner], [outer]).length === 0
  );
}

/** The networks that assertions name; a text that is none is ignored here and reported by the check. */
export const networksOf = (assertions: readonly Assertion[]): CidrSet =>
  cidrSetOf(
    assertions.flatMap(({ target, networks = [target ?? ''] }) =>
      networks.flatMap((network) => {
        const parsed = parseCidr(network);
        return parsed.ok ? [parsed.cidr] : [];
      }),
    ),
  );

function widenedWaivers(before: readonly Waiver[], after: readonly Waiver[]): Finding[] {
  spend(2 * before.length * after.length);
  return after.flatMap((waiver) => {
    const isOld = before.some((old) => accepts(old, waiver) && old.expires >= waiver.expires);
    if (isOld) return [];
    const verb = before.some((old) => accepts(old, waiver)) ? 'extends' : 'adds';
    const reason = say`The change ${trusted(verb)} the waiver of ${foreign(waiver.finding)} until ${foreign(waiver.expires)}: ${foreign(waiver.reason)}.`;
    return [finding('waiver-widened', { where: { subject: waiver.subject }, reason })];
  });
}

/** Whether a waiver covers all that another one does, apart from its dates. */
export const accepts = (old: Waiver, waiver: Waiver): boolean =>
  old.finding === waiver.finding && old.subject === waiver.subject;

function weakenedGate(before: Gate, after: Gate): Finding[] {
  const found: Sentence[] = [];
  const [threshold, lowered] = [before.failOn ?? DEFAULT_FAIL_ON, after.failOn ?? DEFAULT_FAIL_ON];
  if (strictest([threshold, lowered]) !== lowered)
    found.push(
      say`The change raises the threshold of the gate from ${foreign(threshold)} to ${foreign(lowered)}.`,
    );
  if (before.noNewAccess === true && after.noNewAccess !== true)
    found.push(trusted('The change removes noNewAccess, so access may grow.'));
  if (before.maxRules !== undefined && least([before.maxRules, after.maxRules]) !== after.maxRules)
    found.push(
      say`The change lets sets have ${after.maxRules === undefined ? trusted('any number of') : say`${after.maxRules}`} rules; before, maxRules was ${before.maxRules}.`,
    );
  found.push(...weakenedRequirements(before.requires, after.requires));
  for (const key of MODEL_KEYS) {
    if (!isSame(before[key], after[key]))
      found.push(
        say`The change makes the review assume another ${foreign(key)}: ${modelWord(before[key])} before, ${modelWord(after[key])} now.`,
      );
  }
  return found.map((reason) => finding('gate-weakened', { where: {}, reason }));
}

const modelWord = (value: unknown) => foreign(Array.isArray(value) ? value.join(', ') : String(value));
