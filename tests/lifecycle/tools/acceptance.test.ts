import type { Fault } from '../../../emulator/src/index';
import { type Switches, switchTable } from '../../../emulator/src/switches';
import { answersOf, UNASKED } from '../../../tools/acceptance/questions';
import { inspect, Run } from '../../../tools/acceptance/run';
import { RunRecord } from '../../../tools/acceptance/run-record';
import { Service } from '../../../tools/acceptance/service';
import { folderOf } from '../../support/folder';
import { usualSettings } from '../../support/host-process';
import { httpsEdgeId, otherPolicyId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { startService } from '../../support/service-stack';

const targets = { policyId, edgeId: tcpEdgeId, route: `${httpsEdgeId}/${routeId}` };

/** A service with rules and modules of others, and a run on it. */
async function begin(switches: Partial<Switches>, signal?: AbortSignal) {
  const { emulator, apiKey } = await startService({ switches });
  emulator.seed({
    rules: [{ cidr: '192.0.2.0/28', action: 'deny', ip_policy_id: otherPolicyId }],
    tcpModules: { [otherTcpEdgeId]: { enabled: true, value: '{"inbound":[]}' } },
    policies: [policyId],
    tcpEdges: [tcpEdgeId],
    routes: [targets.route],
  });
  const before = emulator.state();
  const settings = { ...usualSettings(emulator.url, apiKey), requestsPerMinute: 1_000_000 };
  const service = new Service(settings, signal);
  const folder = folderOf();
  const memory = { folder, account: 'this' };
  const run = new Run(service, targets, await inspect(service, targets), memory);
  return { emulator, before, service, run, folder, cleaner: new Service(settings) };
}

async function collect(run: Run): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for await (const [name, answer] of answersOf(run)) answers.set(name, answer);
  return answers;
}

/** What has to be so for a client to see the switch at all. */
const needs: Partial<Record<string, Partial<Switches>>> = {
  nextPageUri: { pageSize: 2 },
  lastRuleOfPolicy: { parents: 'seeded' },
};

const notAsked: readonly string[] = UNASKED;
const asked = Object.entries(switchTable).filter(([name]) => !notAsked.includes(name));
const numbers: Partial<Record<string, number>> = { pageSize: 3, listLagMs: 1_000 };
const otherPositions = asked.flatMap(([name, { start, ...rest }]) => {
  const positions = 'positions' in rest ? rest.positions : [numbers[name] ?? 0];
  return positions.filter((position) => position !== start).map((position) => ({ name, position }));
});

test('finds where every switch starts that a client can see without a 429', async () => {
  const { run } = await begin({});
  const answers = await collect(run);
  const starts = asked.map(([name, { start }]) => [name, String(start)]);
  expect(Object.fromEntries(answers)).toMatchObject({
    ...Object.fromEntries(starts),
    pageSize: expect.stringMatching(/or more$/) as string,
    nextPageUri: 'not seen: one page',
  });
});

test.each(otherPositions)('finds $name in the position $position', async ({ name, position }) => {
  const { run } = await begin({ ...needs[name], [name]: position });
  const answer = (await collect(run)).get(name) ?? '';
  // Measured from the answer to the create, which comes late on a busy machine.
  if (name === 'listLagMs') expect(Number(answer)).toBeGreaterThanOrEqual(500);
  else expect(answer).toBe(String(position));
});

/** Runs until the request of this number, whose answer then spoils it; false if there are not so many. */
async function breakOff(nth: number, spoil: (interruption: AbortController) => Partial<Fault>) {
  const interruption = new AbortController();
  const scene = await begin({}, interruption.signal);
  const fault = scene.emulator.fault({ nth, ...spoil(interruption) } as Fault);
  const hasFailed = await collect(scene.run).then(
    () => false,
    () => true,
  );
  fault.remove();
  // As the next run would: from the disk.
  const [record] = RunRecord.all(scene.folder);
  expect(await record?.clean(scene.cleaner, 0)).toEqual([]);
  expect(scene.emulator.state()).toEqual(scene.before);
  expect(RunRecord.all(scene.folder)).toEqual([]);
  return hasFailed;
}

const interruptedBy = (interruption: AbortController) => ({
  kind: 'mutate' as const,
  mutate: (body: unknown) => {
    interruption.abort();
    return body;
  },
});

test.each([
  ['the answer to any request is lost', () => ({ kind: 'reset', when: 'after' }) as const],
  ['it is interrupted at any request', interruptedBy],
])('leaves nothing behind, and touches nothing of others, if %s', async (_when, spoil) => {
  let nth = 1;
  while (await breakOff(nth, spoil)) nth += 1;
  expect(nth).toBeGreaterThan(40);
});

test('removes no rule that others create in the policy meanwhile, and no module that they put in the place of its own', async () => {
  const { emulator, run, cleaner } = await begin({});
  await run.begin();
  await run.putPolicy();
  const theirs = { cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId } as const;
  const module = { enabled: true, value: '{"inbound":[{"name":"theirs"}]}' };
  emulator.seed({ rules: [theirs], tcpModules: { [tcpEdgeId]: module } });
  await expect(run.putPolicy()).rejects.toThrow('others have set it meanwhile');
  expect(await run.record.clean(cleaner)).toEqual([]);
  const { rules, tcpModules } = emulator.state();
  expect(rules.filter(({ ip_policy: { id } }) => id === policyId)).toMatchObject([{ cidr: '10.0.0.0/8' }]);
  expect(tcpModules[tcpEdgeId]).toEqual(module);
});

test('waits for a rule whose create had no answer, as it may be in the list later', async () => {
  const { emulator, before, run, cleaner } = await begin({ listLagMs: 500 });
  emulator.fault({ method: 'POST', kind: 'reset', when: 'after' });
  await expect(run.begin()).rejects.toThrow('POST /ip_policy_rules: no answer');
  expect(await run.record.clean(cleaner, 1000)).toEqual([]);
  expect(emulator.state()).toEqual(before);
});

test('remembers what it could not look at', async () => {
  const { emulator, before, run, folder, cleaner } = await begin({});
  await run.begin();
  await run.putPolicy();
  const path = `/edges/tcp/${tcpEdgeId}/traffic_policy`;
  emulator.fault({ method: 'GET', path, kind: 'status', status: 500 });
  expect(await run.record.clean(cleaner)).toEqual([`${run.paths.policy} (GET answered 500)`]);
  expect(await RunRecord.all(folder)[0]?.clean(cleaner)).toEqual([]);
  expect(emulator.state()).toEqual(before);
});
