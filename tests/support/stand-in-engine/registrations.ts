import { PROVIDER_KEY } from '../../../provider/src/fields/field';
import { providerReference } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../host-process';
import { type Declaration, type Entry, type Identity, isSameResource } from './entry';
import type { EngineRun, Wanted } from './run';

/**
 * A program registers its resources one after another, except those that depend on others, which arrive when those are written.
 * Each is checked and compared in its turn, and its steps begin as soon as a worker is free.
 */
export class Registrations {
  /** The names that this run has seen, aliases included. */
  readonly seen: Identity[] = [];
  private lastTurn: Promise<unknown> = Promise.resolve();
  private readonly written = new Map<string, Promise<void>>();

  constructor(private readonly run: EngineRun) {}

  /** Resolves when everything is written, or nothing new may begin. */
  async all(program: readonly Declaration[]): Promise<void> {
    const flows = program.map(async (declaration) => {
      const flow = this.register(declaration);
      this.written.set(declaration.name, flow);
      try {
        await flow;
      } catch (error) {
        // A failed step has reported that already.
        if (!this.run.skipped.has(declaration.name)) this.run.stop(error as Error);
      }
    });
    await Promise.all(flows);
  }

  private async register(declaration: Declaration): Promise<void> {
    const { run } = this;
    for (const name of declaration.dependsOn ?? []) await this.isWritten(name);
    await this.refreshed(declaration);
    const begin = async (): Promise<(() => Promise<void>) | undefined> => {
      await run.options.pause?.();
      run.requireRunning();
      const next = await this.stepFor(declaration);
      if (next !== undefined) await run.workers.take();
      return next;
    };
    const turn = this.lastTurn.then(begin, begin);
    this.lastTurn = turn;
    const step = await turn;
    if (step === undefined) return;
    try {
      await step();
    } finally {
      run.workers.release();
    }
  }

  /**
   * Resolves when the resource is written. A program whose resource failed does not get that far, except with
   * `--continue-on-error`: then the engine skips the steps of its dependents.
   */
  private async isWritten(name: string): Promise<void> {
    if (this.run.options.continuesOnError === true) await this.written.get(name)?.catch(() => undefined);
    else await this.written.get(name);
    this.run.requireRunning();
  }

  private async refreshed(declaration: Declaration): Promise<void> {
    const { run } = this;
    const old = this.oldOf(declaration);
    if (run.options.refresh !== 'as registered' || old === undefined) return;
    if (!run.isTargeted(declaration) || old.isPendingReplacement === true) return;
    await run.readAgain(old);
  }

  /** What there is to do for a resource; undefined if it is as declared. */
  private async stepFor(declaration: Declaration): Promise<(() => Promise<void>) | undefined> {
    const { run } = this;
    const { type, name, dependsOn = [], provider } = declaration;
    const old = this.oldOf(declaration) ?? (await this.imported(declaration));
    this.seen.push(declaration, ...(old === undefined ? [] : [old]));
    if (!run.isTargeted(declaration)) {
      if (old !== undefined) run.file.put(old, { ...old, name });
      return undefined;
    }
    const isForced = run.options.replace?.includes(name) === true;
    const inputs = await this.checked(declaration, isForced ? {} : (old?.inputs ?? {}));
    const entry = { type, name, inputs, dependsOn, provider };
    if (this.isSkipped(entry)) return undefined;
    run.named.add(name);
    if (old === undefined) return () => run.create(entry);
    if (isForced) return () => run.replace(old, entry);
    const isServedAlike = old.provider === provider;
    const { changes, replaces } = isServedAlike
      ? await run.rpc(old, (provider) => provider.diff(old.id, old.outputs, inputs))
      : { changes: true, replaces: ['provider'] };
    const isReplaced = replaces.length > 0 || (changes && declaration.replaceOnChanges === true);
    if (isReplaced || old.isPendingReplacement === true) {
      // A replacement computes its inputs anew, without the old ones, before the old resource is deleted.
      const anew = { ...entry, inputs: await this.checked(declaration, {}) };
      return () => run.replace(old, anew);
    }
    if (changes || old.initErrors.length > 0) return () => run.update(old, entry);
    run.file.put(old, { ...old, ...entry });
    return undefined;
  }

  private async imported({ type, name, importId }: Declaration): Promise<Entry | undefined> {
    if (importId === undefined) return undefined;
    const { id, props, inputs } = await this.run.rpc({ type }, (provider) => provider.read(importId, {}));
    const entry = { type, name, id, inputs, outputs: props, initErrors: [] };
    this.run.steps.push('import');
    this.run.file.add(entry);
    return entry;
  }

  /** With `--continue-on-error`: dependents of a failure are skipped, and state keeps them as they are. */
  private isSkipped({ name, dependsOn = [] }: Wanted): boolean {
    const { skipped } = this.run;
    const isAny = dependsOn.some((other) => skipped.has(other));
    if (isAny) skipped.add(name);
    return isAny;
  }

  private async checked(
    { type, name, inputs: given, provider, ignoreChanges = [] }: Declaration,
    olds: Bag,
  ): Promise<Bag> {
    const declared = { ...given, [PROVIDER_KEY]: providerReference(type) };
    const news =
      Object.keys(olds).length === 0 ? declared : ignoring(ignoreChanges, { olds, news: declared });
    const { inputs, failures } = await this.run.rpc({ type, provider }, (hosted) => hosted.check(olds, news));
    if (failures.length > 0) throw new Error(`${name}: ${failures.join('; ')}`);
    return inputs;
  }

  private oldOf({ name, aliases = [], ...rest }: Declaration): Entry | undefined {
    const live = this.run.file.untouched.filter((entry) => entry.isDoomed !== true);
    for (const candidate of [name, ...aliases]) {
      const old = live.find((entry) => isSameResource(entry, { ...rest, name: candidate }));
      if (old !== undefined) return old;
    }
    return undefined;
  }
}

function ignoring(names: readonly string[], { olds, news }: { readonly olds: Bag; readonly news: Bag }): Bag {
  const kept = Object.entries(olds).filter(([name]) => names.includes(name));
  const rest = Object.entries(news).filter(([name]) => !names.includes(name));
  return Object.fromEntries([...rest, ...kept]);
}
