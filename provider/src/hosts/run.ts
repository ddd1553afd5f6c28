// What for: what both hosts share: one client, one record and one ownership for all resources of a run.
// Must not know: `program`.
import type { ApiClient } from '../api/client';
import { isSettled } from '../errors/partial-failure';
import { importByCommandLine, type ImportDeclared } from '../errors/words';
import { diffFields, PROVIDER_KEY } from '../fields/field';
import { keyAdvice } from '../settings/advice';
import { Account } from '../settings/account';
import { resolveSettings, type SettingsSources } from '../settings/settings';
import { type EngineLink, joinRun } from '../run/run-members';
import { type RunContext, RunRecord } from '../run/run-record';
import { printableByEngine } from '../values/printable';
import { MarkedValues } from './marked-values';

/** Reads a setting by its full key, such as `edge-policy:apiKey`. */
export type Config = (key: string) => string | undefined;

export type HostRun = RunContext &
  Pick<Run, 'joined' | 'declaredDiffs' | 'marked' | 'warn' | 'keyAdvice' | 'configure'>;

interface RunOptions {
  readonly say: (line: string, urn?: string) => void;
  readonly importDeclared?: ImportDeclared;
  readonly engine?: EngineLink | undefined;
}

/** Every host keeps one process, in which all resources share settings, client and record. */
export class Run implements RunContext {
  record = new RunRecord();
  /** Ends when the process has met the others of the run, before any operation begins. */
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

  /** @param of.engine Without it, no other process belongs to the run. */
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

  /** Reads the settings when the first request is due. Resource types may configure the process again with the same ones. */
  get client(): ApiClient {
    if (this.current !== undefined && !this.isReconfigured) return this.current.client;
    const settings = resolveSettings(this.sources);
    const fingerprint = JSON.stringify(settings);
    if (this.current?.fingerprint !== fingerprint) {
      // Loaded with the first request, as a preview sends none.
      const { ApiClient: Client } = require('../api/client') as typeof import('../api/client');
      this.current = { fingerprint, client: new Client(settings, undefined, this.marked.all) };
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

/**
 * Tells diffs of what the program declares from those of a refresh. The engine hands a diff exactly what a check with old
 * inputs has returned right before; a refresh checks nothing. So a diff counts if such a check has returned its news and no
 * earlier diff has used it up.
 */
export class DeclaredDiffs {
  private readonly checked = new Map<string, number>();
  private readonly creates = new Map<string, number>();

  /** @param resource Identifies the resource that is checked: its URN, or only its type. */
  noteCheck(resource: string, { olds, inputs }: { readonly olds: object; readonly inputs: object }): void {
    const counts = Object.keys(olds).length === 0 ? this.creates : this.checked;
    const key = keyOf(resource, inputs);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Whether the run creates exactly one resource with these inputs: the engine checks each once more before its create. */
  isOnlyCreate(resource: string, inputs: object): boolean {
    return this.creates.get(keyOf(resource, inputs)) === 1;
  }

  /** Whether a diff is about what the program declares. */
  use(resource: string, news: object): boolean {
    const key = keyOf(resource, news);
    const count = this.checked.get(key) ?? 0;
    if (count > 1) this.checked.set(key, count - 1);
    else this.checked.delete(key);
    return count > 0;
  }
}

/** The engine's wire has an order of its own. */
const keyOf = (resource: string, inputs: object): string =>
  JSON.stringify([
    resource,
    Object.entries(inputs)
      .filter(([name]) => name !== PROVIDER_KEY)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
