// What for: what Pulumi's engine does in one call of the CLI, within this process.
// Must not know: our resources: to the engine they are bags of properties.
import type { Bag, HostedProvider, HostProcess } from '../host-process';
import type { Entry, PendingOperation, State } from './entry';

/** The state while a run works on it: written after each step, new entries first, as the engine's snapshots are. */
export class StateFile {
  private readonly news: Entry[] = [];
  private readonly operations: PendingOperation[] = [];
  private isClosed = false;

  /** @param write Receives every version of the state. */
  constructor(
    private readonly base: Entry[],
    private readonly carried: readonly PendingOperation[],
    private readonly write: (state: State) => void,
  ) {
    this.flush();
  }

  /** The entries of the earlier state that this run has not touched yet. */
  get untouched(): readonly Entry[] {
    return this.base;
  }

  begin(operation: PendingOperation): PendingOperation {
    this.operations.push(operation);
    this.flush();
    return operation;
  }

  end(operation: PendingOperation): void {
    this.operations.splice(this.operations.indexOf(operation), 1);
    this.flush();
  }

  /** Replaces an old entry by a new one; without either, adds or removes. */
  put(old: Entry | undefined, now: Entry | undefined): void {
    const index = old === undefined ? -1 : this.base.indexOf(old);
    if (index >= 0) this.base.splice(index, 1);
    if (now !== undefined) this.news.push(now);
    this.flush();
  }

  /** Adds what an import has read: the run goes on as if it had been there before. */
  add(entry: Entry): void {
    this.base.push(entry);
    this.flush();
  }

  /** Changes an old entry in its place. */
  mark(old: Entry, now: Entry): void {
    const index = this.base.indexOf(old);
    if (index >= 0) this.base[index] = now;
    this.flush();
  }

  /** The process is gone: later answers reach no state. */
  close(): void {
    this.isClosed = true;
  }

  private flush(): void {
    if (this.isClosed) return;
    this.write({ entries: [...this.news, ...this.base], pending: [...this.operations, ...this.carried] });
  }
}

/**
 * The engine's step workers. A chain of steps waits until one of them is free: with `--parallel 1` the next resource is not
 * even checked before that.
 */
class Workers {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async take(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

/** The options of a call of the CLI. */
export interface RunOptions {
  /** `--parallel`; defaults to 16. */
  readonly parallel?: number;
  /** `--target`: names of resources; by default all. */
  readonly targets?: readonly string[] | undefined;
  /** `--refresh`: before anything else or, with `--run-program`, each resource when it is registered. */
  readonly refresh?: 'before' | 'as registered' | undefined;
  /** `--replace`: names of resources. */
  readonly replace?: readonly string[] | undefined;
  /**
   * `--continue-on-error`, in a language whose program goes on as well. In Node.js the program ends with the first resource
   * that fails, and only deletes go on.
   */
  readonly continuesOnError?: boolean;
  /** Reports the steps without doing them. */
  readonly isPreview?: boolean;
  /** Spends the time that the program and the engine need before each registration. */
  readonly pause?: () => Promise<void>;
}

/** The CLI's message if its plugin is gone. */
const PLUGIN_DIED = 'error reading from server: EOF';

/** The engine stops; the reason has been noted already. */
class Stopped extends Error {}

const never = new Promise<never>(() => undefined);

/** The provider that serves a resource. */
type Served = Pick<Entry, 'type' | 'provider'>;

/** What the engine knows of a resource before it has created it. */
export type Wanted = Omit<Entry, 'id' | 'outputs' | 'initErrors'>;

/** One call of the CLI: its plugin processes, its workers, and its results so far. */
export class EngineRun {
  readonly steps: string[] = [];
  readonly errors: Error[] = [];
  /** With `--continue-on-error`: the resources that failed, and their dependents. */
  readonly skipped = new Set<string>();
  /** The resources that the program has named, and whose steps are known. */
  readonly named = new Set<string>();
  readonly hosts = new Map<string, HostProcess>();
  readonly workers: Workers;
  private isKilled = false;
  private isPluginDead = false;
  /** Nothing new begins. */
  isStopped = false;
  private failPlugin: (error: Error) => void = () => undefined;
  private readonly pluginDeath = new Promise<never>((_, reject) => (this.failPlugin = reject));

  /** @param newProcess Starts the plugin process of a provider; the name of the default one is empty. */
  constructor(
    private readonly newProcess: (provider: string) => HostProcess,
    readonly file: StateFile,
    readonly options: RunOptions,
  ) {
    this.workers = new Workers(options.parallel ?? 16);
    this.hostOf('');
    this.pluginDeath.catch(() => undefined);
  }

  /** The plugin process of a provider. */
  hostOf(provider: string): HostProcess {
    const host = this.hosts.get(provider) ?? this.newProcess(provider);
    this.hosts.set(provider, host);
    return host;
  }

  /** Throws if nothing new may begin. */
  requireRunning(): void {
    if (this.isStopped) throw new Stopped();
  }

  /** The first failure, or one Ctrl-C: steps under way end, nothing new begins. */
  stop(error?: Error): void {
    if (error !== undefined && !(error instanceof Stopped)) this.errors.push(error);
    this.isStopped = true;
  }

  /** A step of a resource has failed. */
  fail(error: Error, name: string): void {
    if (this.options.continuesOnError !== true) {
      this.stop(error);
      return;
    }
    this.errors.push(error);
    this.skipped.add(name);
  }

  /** SIGKILL of the CLI: the state stays as it was last written, and the plugin does not notice. */
  killCli(): void {
    this.isKilled = true;
    this.file.close();
    this.stop();
  }

  /** SIGKILL of the plugin processes: every call under way fails, and the engine goes on. */
  killPlugin(): void {
    this.isPluginDead = true;
    this.failPlugin(new Error(PLUGIN_DIED));
  }

  isTargeted({ name }: { readonly name: string }): boolean {
    return this.options.targets?.includes(name) ?? true;
  }

  /** Does something once a worker is free. */
  async byWorker(work: () => Promise<void>): Promise<void> {
    await this.workers.take();
    try {
      await work();
    } finally {
      this.workers.release();
    }
  }

  /** One call of the plugin. */
  async rpc<T>({ type, provider = '' }: Served, call: (provider: HostedProvider) => Promise<T>): Promise<T> {
    if (this.isPluginDead) throw new Error(PLUGIN_DIED);
    try {
      return await Promise.race([call(this.hostOf(provider).provider(type)), this.pluginDeath]);
    } finally {
      if (this.isKilled) await never;
    }
  }

  /** One step: noted as pending before, and with its result after. */
  async step(step: {
    readonly name: string;
    readonly operation: PendingOperation;
    readonly work: () => Promise<void>;
  }): Promise<void> {
    this.requireRunning();
    this.steps.push(step.name);
    if (this.options.isPreview === true) return;
    const operation = this.file.begin(step.operation);
    try {
      await step.work();
    } catch (error) {
      this.fail(error as Error, step.operation.entry.name);
      throw new Stopped();
    } finally {
      this.file.end(operation);
    }
  }

  /** Refreshes one resource. */
  async readAgain(entry: Entry): Promise<void> {
    const found = await this.rpc(entry, (provider) => provider.read(entry.id, entry.outputs));
    if (found.id === '') {
      this.steps.push('delete');
      this.file.put(entry, undefined);
      return;
    }
    const { id, props: outputs, inputs } = found;
    this.file.mark(entry, { ...entry, id, outputs, inputs, initErrors: [] });
    // Whether the refresh found a change is the provider's diff of new outputs and old inputs.
    const { changes } = await this.rpc(entry, (provider) => provider.diff(id, outputs, entry.inputs));
    if (changes) this.steps.push('update');
  }

  /** @param old What the new resource replaces in state, even if its create has failed in part. */
  async create(entry: Wanted, old?: Entry): Promise<void> {
    const pending = { ...entry, initErrors: [] };
    await this.step({
      name: old === undefined ? 'create' : 'create-replacement',
      operation: { type: 'creating', entry: pending },
      work: async () => {
        const { failure, ...created } = await this.partly(async () => {
          const { id, outs } = await this.rpc(entry, (provider) => provider.create(entry.inputs, entry.name));
          return { id, outputs: outs };
        });
        this.file.put(old, { ...entry, ...created });
        if (failure !== undefined) throw failure;
      },
    });
  }

  async update(old: Entry, entry: Wanted): Promise<void> {
    await this.step({
      name: 'update',
      operation: { type: 'updating', entry: { ...old, ...entry, ...formerName(old, entry) } },
      work: async () => {
        const { failure, ...updated } = await this.partly(async () => {
          const { outs } = await this.rpc(entry, (provider) =>
            provider.update(old.id, old.outputs, entry.inputs),
          );
          return { id: old.id, outputs: outs };
        });
        // After a partial failure the engine keeps the old inputs with the new outputs.
        const inputs = failure === undefined ? entry.inputs : old.inputs;
        this.file.put(old, { ...entry, ...updated, inputs });
        if (failure !== undefined) throw failure;
      },
    });
  }

  async remove(old: Entry, name: 'delete' | 'replace' = 'delete'): Promise<void> {
    await this.step({
      name,
      operation: { type: 'deleting', entry: old },
      work: async () => {
        await this.rpc(old, (provider) => provider.delete(old.id, old.outputs));
        if (name === 'delete') this.file.put(old, undefined);
      },
    });
  }

  /** Deletes the old resource first, unless an earlier run has. */
  async replace(old: Entry, entry: Wanted): Promise<void> {
    if (old.isPendingReplacement === true) return this.create(entry, old);
    await this.remove(old, 'replace');
    const deleted = { ...old, isPendingReplacement: true };
    this.file.mark(old, deleted);
    return this.create(entry, deleted);
  }

  /** The state that the engine keeps of a success, or of a failure with an id; other failures are thrown. */
  private async partly(work: () => Promise<{ id: string; outputs: Bag }>): Promise<{
    id: string;
    outputs: Bag;
    initErrors: readonly string[];
    failure: Error | undefined;
  }> {
    try {
      return { ...(await work()), initErrors: [], failure: undefined };
    } catch (error) {
      const { id, properties, reasons } = error as { id?: string; properties?: Bag; reasons?: string[] };
      if (id === undefined || id === '') throw error;
      return { id, outputs: properties ?? {}, initErrors: reasons ?? [], failure: error as Error };
    }
  }
}

const formerName = (old: Entry, { name }: Pick<Entry, 'name'>): { readonly aliases?: readonly string[] } =>
  old.name === name ? {} : { aliases: [old.name] };
