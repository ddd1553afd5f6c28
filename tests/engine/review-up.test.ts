// Whether a review says of an `up` that it stops half-way, against what the `up` of the real CLI does: on services that refuse two
// rules for a network and on those that accept them, for a table of changes and for random ones.
import type { Host } from '../../provider/src/resources/provider-reference';
import { Dice } from '../support/dice';
import { type Service, startService, stackOnService } from '../support/service-stack';
import { plain } from '../../review/src/text/escape';
import { reviewed } from '../unit/review/reviewing';
import { type Change, changesIn, edgeOf, policiesOf, previewed, programOf } from './review/changes';
import { modulesOf, rulesOf } from './review/live-objects';
import { ALWAYS_STOPPED, CARRIED_OUT, OTHERS, randomChange, STOPPED, UNSEEN } from './review/up-cases';

/** Every step at once: what takes workers that others need is not what a review decides. */
const AT_ONCE = ['--parallel', '64', '--continue-on-error'];
const RANDOM_CHANGES = Number(process.env['EDGE_POLICY_CHANGES'] ?? 25);

const TABLE = { ...UNSEEN, ...STOPPED, ...ALWAYS_STOPPED, ...CARRIED_OUT };
const UNSEEN_COUNT = Object.keys(UNSEEN).length;

type Answer = 'refused' | 'accepted';

/** An equal rule may be older than a create whose answer was lost: a set fails once, and names it. */
const IN_DOUBT = 'may be older than the create';

/** The changes that a review of the last program says an `up` stops at, or may stop at; with `--live`, or without. */
function verdicts(
  { preview, state }: Awaited<ReturnType<typeof previewed>>,
  { duplicateNetworks, live }: { duplicateNetworks: Answer; live?: ReturnType<Service['emulator']['state']> },
): Readonly<Record<'all' | 'open', ReadonlySet<number>>> {
  const { findings } = reviewed(preview, {
    ...{ assumptions: { duplicateNetworks }, state },
    ...(live && { liveRules: rulesOf(live), liveModules: modulesOf(live) }),
  });
  expect(findings.filter(({ id }) => id === 'preview-incomplete')).toEqual([]);
  const stopping = findings.filter(({ id }) => id === 'up-would-fail' || id === 'module-declared-twice');
  const changesOf = (found: typeof stopping) =>
    new Set(found.flatMap(({ where }) => changesIn(where.origin?.urn)));
  const isOpen = ({ reason }: (typeof stopping)[number]) => plain(reason).startsWith('The up may stop');
  return { all: changesOf(stopping), open: changesOf(stopping.filter(isOpen)) };
}

test.each<[Host, Answer, number]>([
  ['dynamic', 'refused', 51],
  ['native', 'accepted', 52],
])(
  '%s, duplicates %s: an up stops at what the review says, and at nothing else',
  async (host, answer, seed) => {
    const dice = new Dice(seed);
    const random = Array.from({ length: RANDOM_CHANGES }, (): [string, Change] => {
      const change = randomChange(dice);
      return [`${change.before}\n=> ${change.after}`, change];
    });
    const changes = [...Object.entries(TABLE), ...random];
    const service = await startService({
      switches: { duplicateCidr: answer === 'refused' ? '400' : 'accepted' },
    });
    const { emulator } = service;
    const write = (partOf: (change: Change, index: number) => string | undefined) =>
      programOf(changes.map(([, change], index) => partOf(change, index)));
    const config = { 'edge-policy:maxAttempts': 1 };
    const { stack } = await stackOnService({ program: write(({ before }) => before), host, config }, service);
    await stack.up({ args: AT_ONCE });
    const fault = emulator.fault({ method: 'DELETE', kind: 'status', status: 403, times: 'always' });
    stack.writeProgram(write(({ between }) => between));
    await stack.up({ args: AT_ONCE, expect: 'failure' });
    const faults = [
      fault,
      ...['PATCH', 'POST', 'PUT'].map((method) => {
        const when = dice.pick(['before', 'after'] as const);
        return emulator.fault({ method, kind: 'reset', when, times: 'always' });
      }),
      emulator.fault({ method: 'GET', kind: 'reset', times: 'always' }),
    ];
    stack.writeProgram(write(({ between, lost }) => lost ?? between));
    await stack.up({ args: AT_ONCE, expect: 'failure' });
    for (const each of faults) each.remove();
    for (let index = 0; index < UNSEEN_COUNT; index += 1) {
      const [policy] = policiesOf(index);
      emulator.remote.createRule({ cidr: OTHERS.cidr, action: 'deny', ip_policy_id: policy });
      emulator.remote.modules('tcpModules').set(edgeOf(index), OTHERS.module);
    }

    stack.writeProgram(write(({ after }) => after));
    const shown = await previewed(stack);
    const { all: said } = verdicts(shown, { duplicateNetworks: answer });
    const { all, open } = verdicts(shown, { duplicateNetworks: answer, live: emulator.state() });

    // One run of all that is to fail, and one of all else: so nothing is in the way of anything else. Any run settles what got no
    // answer, so that is in the first one.
    const isUnanswered = (index: number) => changes[index]?.[1].lost !== undefined;
    const stoppedIn = async (
      isChosen: (index: number) => boolean,
      other: (change: Change, index: number) => string | undefined,
    ) => {
      stack.writeProgram(write((change, index) => (isChosen(index) ? change.after : other(change, index))));
      const { events } = await stack.up({ args: AT_ONCE, expect: 'either' });
      return events.flatMap(({ diagnosticEvent: line }) =>
        line?.severity === 'error' && !line.message.includes(IN_DOUBT)
          ? changesIn(line.urn).filter(isChosen)
          : [],
      );
    };
    const stopped = new Set<number>();
    // A diff that fails ends the program, and what else the run has not tried is tried again.
    for (let before = -1; before < stopped.size && stopped.size < all.size;) {
      before = stopped.size;
      const found = await stoppedIn(
        (index) => (all.has(index) || isUnanswered(index)) && !stopped.has(index),
        (change, index) => (stopped.has(index) ? undefined : change.between),
      );
      for (const index of found) stopped.add(index);
    }
    const others = await stoppedIn(
      (index) => !all.has(index),
      () => undefined,
    );
    for (const index of others) stopped.add(index);
    const named = (found: ReadonlySet<number>) =>
      changes.filter((_, index) => found.has(index)).map(([name]) => name);
    // The order of two that want one network may decide.
    for (const index of open) stopped.add(index);
    expect(named(all)).toEqual(named(stopped));
    const always = Object.keys(ALWAYS_STOPPED);
    expect(named(said).filter((name) => name in TABLE)).toEqual(
      answer === 'refused' ? [...Object.keys(STOPPED), ...always] : always,
    );
    expect([...stopped].filter((index) => index < UNSEEN_COUNT)).toHaveLength(
      answer === 'refused' ? UNSEEN_COUNT : 1,
    );
  },
);
