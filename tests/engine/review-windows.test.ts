// Who gets in while an `up` runs, and neither before nor after it: what a review says, against what is live on the way.
import type { Host } from '../../provider/src/resources/provider-reference';
import { covers } from '../../review/src/access/cidr-set';
import { Dice } from '../support/dice';
import { eventually } from '../support/eventually';
import { type Service, startService, stackOnService } from '../support/service-stack';
import { actionsFor, getsIn } from '../unit/review/oracle/addresses';
import { cidrOf } from '../unit/review/pinned-feeds';
import { reviewed } from '../unit/review/reviewing';
import { type Change, change, edgeOf, policiesOf, previewed, programOf } from './review/changes';
import { ADDRESSES } from './review/who-gets-in';

type Emulator = Service['emulator'];

/** Each step as soon as the engine may take it. */
const AT_ONCE = ['--parallel', '64'];

/** The module that others wait for has this place after the change. */
const newEdge = (index: number): string => edgeOf(index + 20);

const denies = (
  options: string,
): string => `const slow = edge('slow', [A]); const needs = { dependsOn: slow };
  const low = one('low', '64.0.0.0/3', DENY, needs); const high = one('high', '96.0.0.0/3', DENY, needs);
  one('wide', '64.0.0.0/2', {}, ${options});`;
const narrow = (
  edgeId: string,
  more = '',
): string => `const slow = edge('slow', [A], { edgeId: '${edgeId}' });
  one('wide', '8.0.0.0/7'); one('narrow', '9.9.0.0/16', DENY, { replaceWith: [slow] }); ${more}`;
const AROUND = `one('around', '9.8.0.0/15', DENY);`;

/** Attacks, and their innocent twins. */
const OPEN: readonly Change[] = [
  change('', denies('{}')),
  change(
    `const wide = one('wide', '9.0.0.0/8'); one('narrow', '9.9.0.0/16', DENY, { dependsOn: wide });`,
    '',
  ),
  change(narrow(edgeOf(2)), narrow(newEdge(2))),
];
const SAFE: readonly Change[] = [
  change('', denies('{ dependsOn: [low, high] }')),
  change(
    `const narrow = one('narrow', '9.9.0.0/16', DENY); one('wide', '9.0.0.0/8', {}, { dependsOn: narrow });`,
    '',
  ),
  change(narrow(edgeOf(5), AROUND), narrow(newEdge(5), AROUND)),
];
const PROGRAMS = [...OPEN, ...SAFE];
const ADDRESS = '9.9.0.1';
const addressOf = (index: number): string => (index % OPEN.length === 0 ? '64.0.0.1' : ADDRESS);
const write = (part: 'before' | 'after', programs: readonly Change[] = PROGRAMS) =>
  programOf(programs.map((each) => each[part]));
/** The programs that are open while a request is held: the two modules that are waited for, and the allow that leaves last. */
const OPENED = [0, 2, 1];
const subjectOf = (index: number): string => policiesOf(index)[0];

/** Whether an address gets in by what is live in a policy. */
const isIn = (emulator: Emulator, subject: string, address: string): boolean =>
  getsIn(
    actionsFor(
      emulator.state().rules.filter(({ ip_policy: { id } }) => id === subject),
      address,
    ),
  );
/** The programs by which their address gets in. */
const openIn = (emulator: Emulator): number[] =>
  PROGRAMS.flatMap((_, index) => (isIn(emulator, subjectOf(index), addressOf(index)) ? [index] : []));

test('an up lets in, for a while, whom the review has named, and nobody else', async () => {
  const { stack, emulator } = await stackOnService({ program: write('before'), host: 'dynamic' });
  await stack.up({ args: AT_ONCE });
  const before = openIn(emulator);
  stack.writeProgram(write('after'));
  const { preview, state } = await previewed(stack);
  const report = reviewed(preview, { state, noNewAccess: true });
  const named = (id: string) =>
    report.findings.flatMap(({ id: of, severity, gained, where: { subject } }) =>
      of === id && gained !== undefined && subject !== undefined ? [`${severity} ${subject}`] : [],
    );
  expect(named('access-meanwhile').sort()).toEqual(OPEN.map((_, index) => `high ${subjectOf(index)}`).sort());
  expect(named('new-access').map((text) => text.split(' ')[1])).toEqual(
    expect.arrayContaining(OPEN.map((_, index) => subjectOf(index))),
  );

  const seen = new Set<number>();
  const look = () => {
    for (const index of openIn(emulator)) seen.add(index);
  };
  const wide = emulator
    .state()
    .rules.find(({ ip_policy, cidr }) => ip_policy.id === subjectOf(1) && cidr === '9.0.0.0/8');
  const held = [
    ...[edgeOf(0), newEdge(2)].map((edge) => ({
      method: 'PUT',
      path: `/edges/tcp/${edge}/traffic_policy`,
    })),
    { method: 'DELETE', path: `/ip_policy_rules/${wide?.id ?? ''}` },
  ].map((target) => emulator.hold({ ...target, when: 'before' }));
  const done = stack.up({ args: AT_ONCE });
  for (const [at, each] of held.entries()) {
    await each.reached;
    // Steps that need nothing run beside the one that is held.
    await eventually('whom the review has named gets in', () => {
      look();
      return seen.has(OPENED[at] ?? NaN) || undefined;
    });
    each.release();
  }
  await done;
  expect([before, openIn(emulator)]).toEqual([[], []]);
  expect([...seen].sort()).toEqual([0, 1, 2]);
});

test('a module that is replaced at its place keeps nobody out in between', async () => {
  const again = (times: number) => programOf([`edge('e', [A], {}, { replacementTrigger: ${times} });`]);
  const { stack, emulator } = await stackOnService({ program: again(1), host: 'native' });
  await stack.up();
  const { tcpModules: whole } = emulator.state();
  stack.writeProgram(again(2));
  const { preview, state } = await previewed(stack);
  expect(reviewed(preview, { state }).findings).toMatchObject([
    { id: 'access-meanwhile', severity: 'medium' },
  ]);
  const path = `/edges/tcp/${edgeOf(0)}/traffic_policy`;
  const held = emulator.hold({ method: 'PUT', path, when: 'before' });
  const done = stack.up();
  await held.reached;
  expect(emulator.state().tcpModules).not.toEqual(whole);
  held.release();
  await done;
  expect(emulator.state().tcpModules).toEqual(whole);
});

test.each<[Host, number]>([
  ['dynamic', 61],
  ['native', 62],
])('%s: random programs: whoever gets in on the way alone is named', async (host, seed) => {
  const dice = new Dice(seed);
  const changes = Array.from({ length: RANDOM_CHANGES }, (_, index) => randomChange(dice, index));
  const service = await startService({ switches: { duplicateCidr: 'accepted' } });
  const { emulator } = service;
  const { stack } = await stackOnService({ program: write('before', changes), host }, service);
  await stack.up({ args: AT_ONCE });
  stack.writeProgram(write('after', changes));
  const { preview, state } = await previewed(stack);
  const { policies } = reviewed(preview, { state, assumptions: { duplicateNetworks: 'accepted' } });
  const whoIsIn = () =>
    policies.flatMap(({ policyId }) =>
      ADDRESSES.filter((ip) => isIn(emulator, policyId, ip)).map((ip) => `${ip} by ${policyId}`),
    );
  const [before, seen] = [whoIsIn(), new Set<string>()];
  let last = '';
  const timer = setInterval(() => {
    const live = JSON.stringify(emulator.state().rules.map(({ id, cidr, action }) => [id, cidr, action]));
    if (live === last) return;
    last = live;
    for (const each of whoIsIn()) seen.add(each);
  }, 1);
  await stack.up({ args: AT_ONCE }).finally(() => {
    clearInterval(timer);
  });
  const atEnds = new Set([...before, ...whoIsIn()]);
  const named = policies.flatMap(({ policyId, meanwhile }) =>
    ADDRESSES.filter((ip) => meanwhile && covers(meanwhile.gained, cidrOf(ip))).map(
      (ip) => `${ip} by ${policyId}`,
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  expect([...seen].filter((each) => !atEnds.has(each) && !named.includes(each))).toEqual([]);
});

const RANDOM_CHANGES = Number(process.env['EDGE_POLICY_CHANGES'] ?? 20);

/** A resource of a random program; those of different names have networks of different lengths, which overlap. */
interface Part {
  readonly kind: 'one' | 'set' | 'edge';
  readonly content: number;
  readonly isDeny: boolean;
  /** The names of earlier resources that it depends on. */
  readonly needs: readonly string[];
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

function randomChange(dice: Dice, index: number): Change {
  const part = (at: number): Part => ({
    kind: dice.pick(['one', 'one', 'one', 'set', 'edge']),
    content: dice.below(8),
    isDeny: dice.isLucky(0.6),
    needs: NAMES.slice(0, at).filter(() => dice.isLucky(0.3)),
  });
  const before = NAMES.map((_, at) => (dice.isLucky(0.6) ? part(at) : undefined));
  const after = before.map((old, at) => {
    if (!old || dice.isLucky(0.3)) return dice.isLucky(0.6) ? part(at) : undefined;
    const edit = dice.pick([
      {},
      { content: dice.below(8) },
      { isDeny: !old.isDeny },
      { needs: part(at).needs },
    ]);
    return { ...old, ...edit };
  });
  return change(textOf(before, index), textOf(after, index));
}

const textOf = (parts: readonly (Part | undefined)[], index: number): string =>
  parts
    .flatMap((part, width) => {
      if (!part) return [];
      const { kind, content, isDeny, needs } = part;
      const cidr = `'10.0.${(content >> width) << width}.0/${24 - width}'`;
      const name = NAMES[width] ?? '';
      const links = needs
        .filter((need) => parts[NAMES.indexOf(need)])
        .map((need) => `${need}_${parts[NAMES.indexOf(need)]?.kind ?? ''}`);
      const inputs = {
        one: `${cidr}, { action: '${isDeny ? 'deny' : 'allow'}' }`,
        set: `[deny(${cidr}), '10.0.64.0/${24 - width}'], {}`,
        edge: `[A], { edgeId: '${edgeOf(100 + NAMES.length * index + width)}' }`,
      }[kind];
      // Another kind is another resource.
      return [
        `const ${name}_${kind} = ${kind}('${name}${kind}', ${inputs}, { dependsOn: [${links.join()}] });`,
      ];
    })
    .join(' ');
