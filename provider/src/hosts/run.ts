// What for: what both hosts share: one client, one record and one ownership for all resources of a run.
// Must not know: `program`.
import type { ApiClient } from '../api/client';
import type { ClientSettings } from '../api/client-settings';
import { isSettled } from '../errors/partial-failure';
import { importByCommandLine, type ImportDeclared } from '../errors/words';
import { diffFields } from '../fields/field';
import { keyAdvice } from '../settings/advice';
import { Account } from '../settings/account';
import { resolveSettings, type SettingsSources } from '../settings/settings';
import { type EngineLink, joinRun } from '../run/run-members';
import { RunRecord, type RunContext } from '../run/run-record';
import { printableByEngine } from '../values/printable';
import { DeclaredDiffs } from './declared-diffs';
import { MarkedValues } from './marked-values';

/** Reads a setting by its full key, such as `edge-policy:apiKey`. */
export type Config = (key: string) => string | undefined;

/** Loads the client with the first request, so that a preview without requests does not load it. */
function newClient(settings: ClientSettings, { all }: MarkedValues): ApiClient {
  const { ApiClient: Client } = require('../api/client') as typeof import('../api/client');
  return new Client(settings, undefined, all);
}

/** What the hosts use of a run. */
export type HostRun = RunContext &
  Pick<Run, 'joined' | 'declaredDiffs' | 'marked' | 'warn' | 'keyAdvice' | 'configure'>;

interface RunOptions {
  readonly say: (line: string, urn?: string) => void;
  readonly importDeclared?: ImportDeclared;
  readonly engine?: EngineLink | undefined;
}

/** One run of the engine: every host keeps one process, in which all resources share settings, client and record. */
export class Run implements RunContext {
  record = new RunRecord();
  /** Ends when the process knows the others of the run, before any operation begins. */
  readonly joined: Promise<void>;
  readonly importDeclared: ImportDeclared;
  private readonly say: RunOptions['say'];
  readonly declaredDiffs = new DeclaredDiffs();
  readonly marked = new MarkedValues();
  account: Account;
  private sources: SettingsSources;
  private current: { readonly fingerprint: string; readonly client: ApiClient } | undefined;
  private isReconfigured = false;
  private isCancelled = false;
  private readonly warned = new Set<string>();

  /**
   * @param of.say Shows one line among the diagnostics.
   * @param of.importDeclared How messages say to import an object.
   * @param of.engine The engine; without it no other process belongs to the run.
   */
  constructor({ say, importDeclared = importByCommandLine, engine }: RunOptions) {
    this.say = say;
    this.sources = { config: () => undefined, environment: process.env };
    this.account = new Account(this.sources);
    this.importDeclared = importDeclared;
    this.joined = engine === undefined ? Promise.resolve() : this.join(engine);
    // Every operation reports the failure. No operation may be there to do so now.
    this.joined.catch(() => undefined);
  }

  private async join(engine: EngineLink): Promise<void> {
    const others = await joinRun(engine, () => this.account.address);
    this.record = new RunRecord(others, this.record.startedAtMs);
  }

  /** Only stores the settings. Problems are reported when a setting is first needed. The dynamic host sees no marks of secrets. */
  configure(config: Config, isAddressSecret = true): void {
    this.sources = { config, environment: process.env };
    this.account = new Account(this.sources, isAddressSecret);
    this.isReconfigured = true;
  }

  /**
   * Reads the settings when the first request is due. Check and diff need none, and a missing key fails operations only. Each
   * resource type may configure the process again, mostly with the same settings. A set asks for the client once per rule.
   */
  get client(): ApiClient {
    if (this.current !== undefined && !this.isReconfigured) return this.current.client;
    const settings = resolveSettings(this.sources);
    const fingerprint = JSON.stringify(settings);
    if (this.current?.fingerprint !== fingerprint) {
      this.current = { fingerprint, client: newClient(settings, this.marked) };
      if (this.isCancelled) this.current.client.cancel();
    }
    this.isReconfigured = false;
    return this.current.client;
  }

  /** Shows a line once, or once for each resource that it is about. */
  readonly warn = (line: string, urn = ''): void => {
    const key = `${urn} ${line}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.say(printableByEngine(this.marked.conceal(line)), urn);
  };

  readonly keyAdvice = (): string => keyAdvice(this.sources);

  /** Ends all operations, including those that begin later. Requests under way may still be answered. */
  cancel(): void {
    this.isCancelled = true;
    this.current?.client.cancel();
  }
}

/** Whether an update sends nothing, as after a move from one host to the other: the last write is settled, and nothing has changed. */
export const isLiveAsDeclared = (fields: object, olds: object, news: object): boolean =>
  isSettled(olds) && !diffFields(fields, olds, news).changes;
