// What for: the service, written from its document alone: server, pipeline, switches, journal, data file.
// Must not know: the provider and the review; it shares not even a type with them.
import type { AddressInfo } from 'node:net';

import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

import { DataLog } from './data-log';
import { answerDirectly, type DirectAnswer, type DirectRequest } from './direct';
import type { Service } from './endpoint';
import type { Fault } from './faults/fault';
import { FaultSchedule, type FaultHandle } from './faults/fault-schedule';
import { Barriers, type HoldHandle, type HoldTarget } from './faults/barriers';
import { Journal, type JournalEntry } from './journal';
import { LateEffects } from './late-effects';
import { Limits } from './limits';
import type { EmulatorOptions } from './emulator-options';
import { DEFAULT_ACCOUNT, type Machinery } from './pipeline';
import type { RuleWire } from './routes/ip-policy-rule-wire';
import { plant, Remote, stateOf, type AccountState, type Seed } from './seed';
import { createServer } from './server';
import { World } from './store/world';
import { parseSwitches, startSwitches, type Switches } from './switches';

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
    const parents = options.parents === undefined ? {} : { parents: options.parents };
    this.startPosition = { ...startSwitches, ...parents, ...parseSwitches(options.switches ?? {}) };
    this.service = { url: NOT_LISTENING, switches: this.startPosition, nowMs };
    this.startKeys = new Map(Object.entries(options.accounts ?? { 'test-key': DEFAULT_ACCOUNT }));
    this.keys = new Map(this.startKeys);
    this.machinery = {
      service: this.service,
      basePath: normalise(options.basePath ?? ''),
      versionHeader: options.versionHeader ?? 'Service-Version',
      accounts: this.keys,
      world: new World(options.dataFile === undefined ? undefined : new DataLog(options.dataFile)),
      journal: new Journal(options.journal ?? 'full', options.journalLimit ?? 50_000, nowMs),
      limits: new Limits(nowMs),
      faults: new FaultSchedule(),
      barriers: new Barriers(),
      lateEffects: new LateEffects(),
    };
    this.remote = new Remote(this.service, (name) => this.machinery.world.account(name ?? DEFAULT_ACCOUNT));
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

  /** The faults that have been set and not removed. */
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

  /** Ends all connections, including held and unanswered requests, and frees the port and the data file. */
  async close(): Promise<void> {
    this.forgetRequests();
    await this.server?.close();
    this.machinery.world.close();
  }

  /** Issues an API key: from now on it opens the account, in addition to earlier keys. */
  issueKey(key: string, account = DEFAULT_ACCOUNT): void {
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

  setSwitches(changes: Partial<Switches>): void {
    this.service.switches = { ...this.service.switches, ...parseSwitches(changes) };
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

  /** Sets up a barrier at which future requests will wait. */
  hold(target: HoldTarget): HoldHandle {
    return this.machinery.barriers.add(target);
  }

  /** The barrier with this number, until it is removed. */
  holdNumbered(number: number): HoldHandle | undefined {
    return this.machinery.barriers.get(number);
  }

  private forgetRequests(): void {
    this.machinery.faults.clear();
    this.machinery.barriers.dropAll();
    this.machinery.lateEffects.clear();
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
