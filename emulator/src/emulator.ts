// What for: the service, written from its document alone: server, pipeline, switches, journal, data file.
// Must not know: the provider and the review; it shares not even a type with them.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import {
  type AccountState,
  plant,
  readSnapshot,
  Remote,
  type Seed,
  seedOf,
  stateOf,
  writeSnapshot,
} from './seed';
import { answerDirectly, type DirectAnswer, type DirectRequest } from './direct';
import type { Service } from './endpoint';
import type { Fault } from './faults/fault';
import { type FaultHandle, FaultSchedule } from './faults/fault-schedule';
import { Barriers, type HoldHandle, type HoldTarget } from './faults/barriers';
import { Journal, type JournalEntry, type JournalMode } from './journal';
import { Limits } from './limits';
import { DEFAULT_ACCOUNT, type Machinery } from './pipeline';
import type { RuleWire } from './routes/ip-policy-rule-wire';
import { createServer, type TlsOptions } from './server';
import { World } from './store/world';
import { parseSwitches, startSwitches, type Switches } from './switches';

export interface EmulatorOptions {
  /** By default 0, which takes a free port. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. */
  readonly host?: string;
  /** Account names by API key, of which several may open one account; defaults to `{ 'test-key': 'default' }`. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** The path of the service on its host, such as `/api`; by default the root. */
  readonly basePath?: string;
  /** Name of the version header; defaults to `Service-Version`. */
  readonly versionHeader?: string;
  /** Begins with the snapshot in this file, and writes it at `save` and `close`; by default the state is in memory only. */
  readonly dataFile?: string;
  /** Serves the control plane under `/__emulator/`, to anyone who can connect; off by default. */
  readonly control?: boolean;
  readonly switches?: Partial<Switches>;
  readonly tls?: TlsOptions;
  /** Milliseconds since the epoch, for creation times, windows, list lag and the Date header. Defaults to `Date.now`. */
  readonly clock?: () => number;
  /** Defaults to `full`. */
  readonly journal?: JournalMode;
}

/** Routes that read an emulator and change it, for tests in other processes. */
type ControlPlane = (emulator: Emulator, listensOn: string) => FastifyPluginCallback;

/** A running emulator of the service. Accounts are named; the name defaults to `default`. */
export class Emulator {
  /** Edits that bypass the HTTP interface, as another user of the account would make them. */
  readonly remote: Remote;
  private readonly startPosition: Readonly<Switches>;
  private readonly startKeys: ReadonlyMap<string, string>;
  private readonly keys: Map<string, string>;
  private readonly service: Service & { url: string; switches: Readonly<Switches> };
  private readonly machinery: Machinery;
  private readonly options: EmulatorOptions;
  private server: FastifyInstance | undefined;

  constructor(options: EmulatorOptions = {}) {
    this.options = options;
    const nowMs = options.clock ?? Date.now;
    this.startPosition = { ...startSwitches, ...parseSwitches(options.switches ?? {}) };
    this.service = { url: NOT_LISTENING, switches: this.startPosition, nowMs };
    this.startKeys = new Map(Object.entries(options.accounts ?? { 'test-key': DEFAULT_ACCOUNT }));
    this.keys = new Map(this.startKeys);
    this.machinery = {
      service: this.service,
      basePath: normalise(options.basePath ?? ''),
      versionHeader: options.versionHeader ?? 'Service-Version',
      accounts: this.keys,
      world: new World(),
      journal: new Journal(options.journal ?? 'full', nowMs),
      limits: new Limits(nowMs),
      faults: new FaultSchedule(),
      barriers: new Barriers(),
    };
    this.remote = new Remote(this.service, (name) => this.machinery.world.account(name ?? DEFAULT_ACCOUNT));
    const snapshot = options.dataFile === undefined ? {} : readSnapshot(options.dataFile);
    for (const [account, seed] of Object.entries(snapshot)) this.seed(seed, account);
  }

  /** The base address of the service: scheme, host, port and base path, without a slash at the end. */
  get url(): string {
    return this.service.url;
  }

  get switches(): Readonly<Switches> {
    return this.service.switches;
  }

  /** The requests so far, oldest first, in the mode `full`. */
  get journal(): readonly JournalEntry[] {
    return this.machinery.journal.entries;
  }

  /** How many requests each operation got, by `METHOD /path/{template}`. */
  get counts(): Readonly<Record<string, number>> {
    return this.machinery.journal.counts;
  }

  get faults(): readonly FaultHandle[] {
    return this.machinery.faults.all;
  }

  async listen(port: number, host: string, controlPlane?: ControlPlane): Promise<void> {
    const { tls } = this.options;
    this.server = createServer(this.machinery, tls);
    if (controlPlane) this.server.register(controlPlane(this, host), { prefix: '/__emulator' });
    await this.server.listen({ port, host });
    const address = this.server.server.address() as AddressInfo;
    const scheme = tls === undefined ? 'http' : 'https';
    this.service.url = `${scheme}://${reachableHost(address)}:${address.port}${this.machinery.basePath}`;
  }

  /** Answers a request without a socket; this also works if the emulator never listens. */
  answer(request: DirectRequest): DirectAnswer {
    return answerDirectly(this.machinery, request);
  }

  /** Writes the data file, if there is one. */
  save(): void {
    const { dataFile } = this.options;
    const entries = this.machinery.world.accounts.map((account) => [account.name, seedOf(account)] as const);
    if (dataFile !== undefined) writeSnapshot(dataFile, Object.fromEntries(entries));
  }

  /** Ends all connections, including held and unanswered requests, frees the port, and writes the data file. */
  async close(): Promise<void> {
    this.forgetRequests();
    await this.server?.close();
    this.save();
  }

  /** Issues an API key: from now on it opens the account, in addition to earlier keys. Throws for one that no header can carry. */
  issueKey(key: string, account = DEFAULT_ACCOUNT): void {
    if (!/^[\x21-\x7e]+$/.test(key)) throw new RangeError('a key consists of visible ASCII characters');
    this.keys.set(key, account);
  }

  /** Revokes an API key: requests with it are answered with 401 from now on. */
  revokeKey(key: string): void {
    this.keys.delete(key);
  }

  /** Resets everything: empty stores, no journal, no faults, no barriers, switches and keys as given to `start`. */
  reset(): void {
    this.forgetRequests();
    this.keys.clear();
    for (const [key, account] of this.startKeys) this.keys.set(key, account);
    this.machinery.world.clear();
    this.machinery.journal.clear();
    this.machinery.limits.clear();
    this.service.switches = this.startPosition;
  }

  /** Moves switches, and returns the position of each. */
  setSwitches(changes: Partial<Switches>): Readonly<Switches> {
    this.service.switches = { ...this.service.switches, ...parseSwitches(changes) };
    return this.switches;
  }

  state(account = DEFAULT_ACCOUNT): AccountState {
    return stateOf(this.machinery.world.account(account), this.url);
  }

  /** Adds parents, rules and modules without using the HTTP interface; returns the rules. */
  seed(seed: Seed, account = DEFAULT_ACCOUNT): RuleWire[] {
    return plant(seed, { remote: this.remote, store: this.machinery.world.account(account) });
  }

  clearJournal(): void {
    this.machinery.journal.clear();
  }

  /** Sets a fault for future requests. */
  fault(fault: Fault): FaultHandle {
    return this.machinery.faults.add(fault);
  }

  clearFaults(): void {
    this.machinery.faults.clear();
  }

  /** Sets up a barrier at which future requests will wait. */
  hold(target: HoldTarget): HoldHandle {
    return this.machinery.barriers.add(target);
  }

  private forgetRequests(): void {
    this.machinery.faults.clear();
    this.machinery.barriers.dropAll();
  }
}

/** The base address before `listen`; no request can be sent to port 0. */
const NOT_LISTENING = 'http://127.0.0.1:0';

function normalise(basePath: string): string {
  const trimmed = basePath.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

function reachableHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}
