import type { Fault } from '../../../emulator/src/index';
import type { ApiClient, ClientSettings } from '../../../provider/src/api/client';
import type { Host } from '../../../provider/src/resources/provider-reference';
import type { HostProcess } from '../../support/host';
import { otherTcpEdgeId, policyId } from '../../support/ids';
import {
  expectNoSecret,
  judgeDeclared,
  judgeHeld,
  judgeIds,
  judgeStillness,
  judgeSuccess,
} from '../../support/invariants';
import { heldThings, liveThings, type Thing, thingsDeclared } from '../../support/things';
import { type Declaration, done, type Outcome, StandInEngine } from '../../support/stand-in-engine';
import { type RawServer, startRawServer } from '../../support/raw-server';
import { testedHost } from '../../support/tested-host';
import type { Place } from './fault-row';
import { type Cell, cellsOf, mustSucceed, type Persistence } from './matrix';
import { declarations } from './operations';
import { isOfNeighbour, makeBusy, startWay, type Way, type WayName } from './ways';

const operationTimeoutMs = 300_000;
// Four attempts, what verifies or looks up, and for a rate limit that does not end a request every 20 s; a list is read
// for 100 pages without anything new before it counts as endless.
const mostRequests = { list: 110, other: 40 };

/** One cell, struck once or throughout. */
type Trial = Cell & { readonly persistence: Persistence };

/** A fault in place: what leads a process there, and how often it struck. */
interface Strike {
  readonly settings: Partial<ClientSettings>;
  readonly hits: () => number;
  readonly remove: () => void;
}

/** Tries cells of the matrix on one way: a service, another origin, and what belongs to somebody else. */
class Trials {
  private foreign: readonly string[] = [];
  /** With these a process takes the way. */
  private settings: Partial<ClientSettings> = {};

  private constructor(
    private readonly way: Way,
    /** Another origin: whatever it hears is a breach. */
    private readonly other: RawServer,
  ) {}

  /** Lives as long as the test file. */
  static async start(name: WayName, host: Host = testedHost): Promise<Trials> {
    const other = await startRawServer((_request, response) => response.end('{}'), { lifetime: 'file' });
    return new Trials(await startWay(name, host), other);
  }

  /** Tries a cell: a fault that settings make strikes throughout, any other also once. */
  async run(cell: Cell): Promise<void> {
    const { emulator } = this.way.scene;
    emulator.reset();
    // Somebody else's objects, for answers about another one; they must be left alone.
    const [rule] = emulator.seed({
      rules: [{ cidr: '192.0.2.0/24', action: 'allow', ip_policy_id: policyId }],
      tcpModules: { [otherTcpEdgeId]: { enabled: true, value: '{"inbound":[]}' } },
    });
    this.foreign = [rule?.id ?? '', otherTcpEdgeId];
    this.settings = await this.way.open();
    if (cell.row.settings === undefined) await this.runOnce({ ...cell, persistence: 'once' });
    await this.runOnce({ ...cell, persistence: 'throughout' });
  }

  private async runOnce(trial: Trial): Promise<void> {
    const { verb, resource } = trial.operation;
    const { emulator, secrets } = this.way.scene;
    const { first, changed } = declarations(resource, secrets.plant('secret'));
    const wanted = verb === 'delete' ? [] : [verb === 'update' ? changed : first];
    let struck: HostProcess | undefined;
    const engine = new StandInEngine(() => struck ?? this.way.newProcess(this.settings));
    if (!['create', 'look', 'list'].includes(verb)) await done(engine.up([first]));

    const strike = await this.put(trial);
    struck = await this.processOf(trial, strike);
    const before = {
      state: engine.state,
      sent: emulator.journal.length,
      atMs: this.way.scene.clock.epochMs(),
    };
    const outcome = verb === 'list' ? await this.listAll(struck.client) : await act(engine, verb, wanted);
    expect(strike.hits()).toBeGreaterThanOrEqual(1);
    this.expectJustified(trial, outcome, { engine, wanted, before: before.state });
    this.expectBounded(trial, before);

    // I1 to I5, I11, I12, once all is well again.
    strike.remove();
    struck = undefined;
    await this.judgeConvergence(engine, verb === 'list' ? [] : wanted);
    await done(engine.destroy());
    judgeHeld([], this.live);
  }

  private async judgeConvergence(engine: StandInEngine, wanted: readonly Declaration[]): Promise<void> {
    judgeSuccess(await engine.up(wanted), 'up');
    judgeIds(engine.state.map(({ type, id }) => `${type} ${id}`));
    judgeDeclared(wanted.flatMap(thingsDeclared), this.live);
    judgeHeld(engine.state.flatMap(heldThings), this.live);
    await judgeStillness({
      engine,
      refresh: () => engine.refresh(),
      preview: () => engine.preview(wanted),
      sent: () => this.way.scene.emulator.journal.length,
    });
    judgeHeld(engine.state.flatMap(heldThings), this.live);
  }

  /** All objects of the service, except those of other users. */
  private get live(): readonly Thing[] {
    const all = liveThings(this.way.scene.emulator.state());
    return all.filter(({ id = '' }) => !this.foreign.includes(id));
  }

  private async put({ row, operation, persistence }: Trial): Promise<Strike> {
    const { emulator, clock } = this.way.scene;
    const place: Place = {
      ...{ operation, serviceUrl: emulator.url, otherUrl: this.other.url, nowMs: clock.epochMs() },
      otherRule: emulator.state().rules[0],
    };
    const times = persistence === 'once' ? 1 : Infinity;
    const blocked = row.obstacle && (await this.way.block(row.obstacle, times));
    const spec = row.fault?.(place);
    const target = row.isEverywhere === true ? {} : { method: operation.method, path: operation.path };
    const fault =
      spec && emulator.fault({ ...spec, ...target, times: times === 1 ? 1 : 'always' } satisfies Fault);
    return {
      settings: { ...this.settings, ...row.settings?.(place), ...blocked?.settings },
      hits: () => fault?.hits ?? blocked?.hits() ?? 1,
      remove: () => fault?.remove(),
    };
  }

  /** Over TLS what strikes a connection strikes one that others use too; where none comes about, there is none to share. */
  private async processOf({ row }: Trial, { settings }: Strike): Promise<HostProcess> {
    const process = this.way.newProcess(settings);
    if (this.way.name !== 'http' && row.outcome !== 'N') await makeBusy(process);
    return process;
  }

  /** I10, I6, I7, I8: success means done, failure loses nothing, and nobody hears what is none of his business. */
  private expectJustified(
    { row, operation, persistence }: Trial,
    outcome: Outcome,
    {
      engine,
      wanted,
      before,
    }: {
      readonly engine: StandInEngine;
      readonly wanted: readonly Declaration[];
      readonly before: StandInEngine['state'];
    },
  ): void {
    const { secrets } = this.way.scene;
    const isDue = mustSucceed(row, operation, persistence);
    expect(outcome.errors.map(({ message }) => message)).toHaveLength(isDue ? 0 : 1);
    if (isDue) {
      judgeHeld(engine.state.flatMap(heldThings), this.live);
      if (operation.verb !== 'list') judgeDeclared(wanted.flatMap(thingsDeclared), this.live);
    } else {
      for (const { id } of before) expect(engine.state.map((entry) => entry.id)).toContain(id);
    }
    judgeIds(engine.state.map(({ type, id }) => `${type} ${id}`));
    expectNoSecret(secrets, outcome, engine.warnings);
    expect(this.other.requests).toEqual([]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  }

  /** I9. */
  private expectBounded({ operation }: Trial, { sent, atMs }: { sent: number; atMs: number }): void {
    const { emulator, clock } = this.way.scene;
    const journal = emulator.journal.slice(sent).filter((entry) => !isOfNeighbour(entry));
    expect(journal.length).toBeLessThanOrEqual(mostRequests[operation.verb === 'list' ? 'list' : 'other']);
    for (const { startedAt } of journal) expect(startedAt - atMs).toBeLessThanOrEqual(operationTimeoutMs);
    expect(clock.epochMs() - atMs).toBeLessThanOrEqual(operationTimeoutMs);
  }

  /** A list is all of it or a failure. */
  private async listAll(client: ApiClient): Promise<Outcome> {
    const ids: string[] = [];
    try {
      for await (const page of client.listIpPolicyRules(client.startOperation())) {
        ids.push(...page.rules.map(({ id }) => id));
      }
    } catch (error) {
      return { steps: [], errors: [error as Error] };
    }
    expect(ids).toEqual(this.way.scene.emulator.state().rules.map(({ id }) => id));
    return { steps: [], errors: [] };
  }
}

function act(engine: StandInEngine, verb: string, wanted: readonly Declaration[]): Promise<Outcome> {
  return verb === 'read' ? engine.refresh() : engine.up(wanted);
}

/** A test for each cell that is tried on a way, or for each of these. */
export function tryCells(
  way: WayName,
  { cells = cellsOf(way), host }: { readonly cells?: ReturnType<typeof cellsOf>; readonly host?: Host } = {},
): void {
  let trials: Trials;
  beforeAll(async () => {
    trials = await Trials.start(way, host);
  });
  test.each(cells)('%s, at %s', (_fault, _operation, cell) => trials.run(cell));
}
