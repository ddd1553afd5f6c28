import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../../../emulator/src/index';
import { type Scene, startScene } from '../../support/host';
import { otherTcpEdgeId, policyId } from '../../support/ids';
import {
  expectConvergence,
  expectNoSecret,
  expectServiceAsDeclared,
  expectStateEqualsService,
  expectUniqueIds,
} from '../../support/invariants';
import { type Declaration, type Outcome, StandInEngine } from '../../support/stand-in-engine';
import type { FaultRow, Place } from './fault-row';
import { faultRows, mustSucceed, operationsOf, type Persistence } from './matrix';
import { declarations, type Operation } from './operations';

const operationTimeoutMs = 300_000;
// Four attempts, what verifies or looks up, and for a rate limit that does not end a request every 20 s; a list is read
// for 100 pages without anything new before it counts as endless.
const mostRequests = { list: 110, other: 40 };

/** Another origin: whatever it hears is a breach. */
const other = { url: '', requests: 0 };
const otherOrigin = createServer((_request, response) => {
  other.requests += 1;
  response.end('{}');
});
let scene: Scene;

beforeAll(async () => {
  await new Promise<void>((resolve) => otherOrigin.listen(0, '127.0.0.1', resolve));
  other.url = `http://127.0.0.1:${(otherOrigin.address() as AddressInfo).port}`;
  scene = await startScene({ lifetime: 'file' });
});

afterAll(() => {
  otherOrigin.closeAllConnections();
  otherOrigin.close();
});

beforeEach(() => {
  scene.emulator.reset();
  // Somebody else's objects, for answers about another one; they must be left alone.
  const [rule] = scene.emulator.seed({
    rules: [{ cidr: '192.0.2.0/24', action: 'allow', ip_policy_id: policyId }],
    tcpModules: { [otherTcpEdgeId]: { enabled: true, value: '{"inbound":[]}' } },
  });
  foreign = [rule?.id ?? '', otherTcpEdgeId];
});

let foreign: readonly string[] = [];

const cases = faultRows.flatMap((row) =>
  operationsOf(row).map(
    (operation) => [row.name, `${operation.verb} ${operation.resource}`, row, operation] as const,
  ),
);

test.each(cases)('%s, at %s', async (_name, _operation, row, operation) => {
  if (row.settings === undefined) await runCase({ row, operation, persistence: 'once' });
  await runCase({ row, operation, persistence: 'throughout' });
});

interface Case {
  readonly row: FaultRow;
  readonly operation: Operation;
  readonly persistence: Persistence;
}

async function runCase(tried: Case): Promise<void> {
  const { operation } = tried;
  const { first, changed } = declarations(operation.resource, scene.secrets.plant('secret'));
  const isNew = operation.verb === 'create' || operation.verb === 'look' || operation.verb === 'list';
  const wanted = operation.verb === 'delete' ? [] : [operation.verb === 'update' ? changed : first];
  let disturbed = {};
  const engine = new StandInEngine(() => scene.newProcess(disturbed));
  if (!isNew) await healthy(engine.up([first]));

  const before = engine.state;
  const startedAtMs = scene.clock.now();
  const sent = scene.emulator.journal.length;
  const place = { operation, serviceUrl: scene.emulator.url, otherUrl: other.url, nowMs: startedAtMs };
  disturbed = tried.row.settings?.(place) ?? {};
  const strike = plan(tried, place);
  const fault = strike === undefined ? undefined : scene.emulator.fault(strike);
  const outcome = operation.verb === 'list' ? await listAll(disturbed) : await act(engine, operation, wanted);
  if (fault !== undefined) expect(fault.hits).toBeGreaterThan(0);

  // I10, I6: success means done, and failure loses nothing.
  expect(outcome.errors.map(({ message }) => message)).toHaveLength(
    mustSucceed(tried.row, operation, tried.persistence) ? 0 : 1,
  );
  if (outcome.errors.length === 0) {
    expectStateEqualsService(engine.state, scene.emulator, foreign);
    if (operation.verb !== 'list') expectServiceAsDeclared(wanted, scene.emulator, foreign);
  } else {
    for (const { id } of before) expect(engine.state.map((entry) => entry.id)).toContain(id);
  }
  expectUniqueIds(engine.state);
  // I7, I8.
  expectNoSecret(scene.secrets, outcome, engine.warnings);
  expect(other.requests).toBe(0);
  expect(Object.prototype).not.toHaveProperty('polluted');
  // I9.
  const journal = scene.emulator.journal.slice(sent);
  expect(journal.length).toBeLessThanOrEqual(
    operation.verb === 'list' ? mostRequests.list : mostRequests.other,
  );
  for (const entry of journal) expect(entry.startedAt - startedAtMs).toBeLessThanOrEqual(operationTimeoutMs);
  expect(scene.clock.now() - startedAtMs).toBeLessThanOrEqual(operationTimeoutMs);

  // I1 to I5, I11, I12, once all is well again.
  fault?.remove();
  disturbed = {};
  const program = operation.verb === 'list' ? [] : wanted;
  await expectConvergence(engine, program, { emulator: scene.emulator, foreign });
  await healthy(engine.destroy());
  expectStateEqualsService([], scene.emulator, foreign);
}

function plan({ row, operation, persistence }: Case, place: Place): Fault | undefined {
  const spec = row.fault?.(place);
  if (spec === undefined) return undefined;
  const target = row.isEverywhere === true ? {} : { method: operation.method, path: operation.path };
  return { ...spec, ...target, times: persistence === 'once' ? 1 : 'always' };
}

function act(engine: StandInEngine, { verb }: Operation, wanted: readonly Declaration[]): Promise<Outcome> {
  return verb === 'read' ? engine.refresh() : engine.up(wanted);
}

/** A list is all of it or a failure. */
async function listAll(settings: object): Promise<Outcome> {
  const { client } = scene.newProcess(settings);
  const ids: string[] = [];
  try {
    for await (const page of client.listIpPolicyRules(client.startOperation())) {
      ids.push(...page.ip_policy_rules.map(({ id }) => id));
    }
  } catch (error) {
    return { steps: [], errors: [error as Error] };
  }
  expect(ids).toEqual(scene.emulator.state().rules.map(({ id }) => id));
  return { steps: [], errors: [] };
}

async function healthy(run: Promise<Outcome>): Promise<void> {
  expect((await run).errors).toEqual([]);
}
