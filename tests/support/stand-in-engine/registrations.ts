import { PROVIDER_KEY } from '../../../provider/src/fields/field';
import { providerReference } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../host-process';
import { type Declaration, type Entry, type Identity, isSameResource } from './entry';
import { type EngineRun, type Wanted, Turns } from './run';
import { UNKNOWN } from '../../../provider/src/values/unknowns';

/** The steps for one resource, in order; none if it is as declared. */
type Chain = readonly (() => Promise<void>)[];

/**
 * A program registers its resources one after another, except those that depend on others, which arrive when those are written.
 * Each is checked and compared in its turn, and its steps begin as soon as a worker is free.
 */
export class Registrations {
  /** The names that this run has seen, aliases included. */
  readonly seen: Identity[] = [];
  private readonly turns = new Turns();
  private readonly written = new Map<string, Promise<void>>();
  /** The resources that this run has deleted, or is about to, as they depend on a replaced one. */
  private readonly deleted = new Set<string>();

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
    const chain = await this.turns.next(async () => {
      await run.options.pause?.();
      run.requireRunning();
      const steps = await this.stepsFor(declaration);
      if (steps.length > 0) await Promise.race([run.workers.take(), run.stopping]);
      run.requireRunning();
      return steps;
    });
    try {
      for (const step of chain) await step();
    } finally {
      if (chain.length > 0) run.workers.release();
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

  private async stepsFor(declaration: Declaration): Promise<Chain> {
    const { run } = this;
    const { type, name, dependsOn = [], propertyDependsOn, provider } = declaration;
    const old = this.oldOf(declaration) ?? (await this.imported(declaration));
    this.seen.push(declaration, ...(old === undefined ? [] : [old]));
    if (!run.isTargeted(declaration)) {
      if (old !== undefined) run.file.put(old, { ...old, name });
      return [];
    }
    const isForced = run.options.replace?.includes(name) === true;
    const isDeleted = old !== undefined && this.deleted.has(old.name);
    const olds = isForced || isDeleted ? {} : (old?.inputs ?? {});
    const inputs = await this.checked(declaration, olds);
    const entry = { type, name, inputs, dependsOn, propertyDependsOn, provider };
    if (this.isSkipped(entry)) return [];
    run.named.add(name);
    if (old === undefined) return [() => run.create(entry)];
    if (isDeleted) return [() => this.createAnew(entry, old)];
    if (isForced) return this.replacement(entry, old);
    const isServedAlike = old.provider === provider;
    const { changes, replaces } = isServedAlike
      ? await run.rpc(old, (provider) => provider.diff(old.id, old.outputs, inputs))
      : { changes: true, replaces: ['provider'] };
    const isReplaced = replaces.length > 0 || (changes && declaration.replaceOnChanges === true);
    if (isReplaced || old.isPendingReplacement === true) {
      // A replacement computes its inputs anew, without the old ones, before the old resource is deleted.
      return this.replacement({ ...entry, inputs: await this.checked(declaration, {}) }, old);
    }
    if (changes || old.initErrors.length > 0) return [() => run.update(old, entry)];
    run.file.put(old, { ...old, ...entry });
    return [];
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

  private async replacement(entry: Wanted, old: Entry): Promise<Chain> {
    const { run } = this;
    if (old.isPendingReplacement === true) return [() => run.create(entry, old)];
    const dependents = await dependentReplacements(run, old, this.seen);
    for (const { name } of dependents) this.deleted.add(name);
    return [
      ...dependents.reverse().map((dependent) => () => this.condemn(dependent)),
      () => this.condemn(old),
      () => run.create(entry, condemned(run, old)),
    ];
  }

  /** The resource that it replaces may be deleted at the same time, as it no longer depends on a replaced one. */
  private createAnew(entry: Wanted, old: Entry): Promise<void> {
    return this.run.create(entry, undefined, () => {
      this.run.file.put(condemned(this.run, old), undefined);
    });
  }

  private async condemn(old: Entry): Promise<void> {
    await this.run.remove(old, 'replace');
    this.run.file.mark(old, { ...old, isPendingReplacement: true });
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

/** A resource that a replacement has deleted, as state holds it until the new one exists. */
const condemned = (run: EngineRun, old: Identity): Entry | undefined =>
  run.file.untouched.find((entry) => isSameResource(entry, old));

function ignoring(names: readonly string[], { olds, news }: { readonly olds: Bag; readonly news: Bag }): Bag {
  const kept = Object.entries(olds).filter(([name]) => names.includes(name));
  const rest = Object.entries(news).filter(([name]) => !names.includes(name));
  return Object.fromEntries([...rest, ...kept]);
}

/**
 * The resources that must be deleted before a resource that is replaced: those that depend on it by an input, directly or not,
 * and would be replaced if that input changed. The provider is asked by a diff without a check before it. What has been
 * registered before no longer depends on it (`calculateDependentReplacements`).
 */
async function dependentReplacements(
  run: EngineRun,
  root: Entry,
  registered: readonly Identity[],
): Promise<Entry[]> {
  const replaced = new Set([root.name]);
  const dependents: Entry[] = [];
  for (const entry of run.file.untouched) {
    if (entry.isPendingReplacement === true || registered.some((each) => isSameResource(entry, each)))
      continue;
    const unknown = Object.entries(entry.propertyDependsOn ?? {})
      .filter(([, names]) => names.some((name) => replaced.has(name)))
      .map(([property]) => property);
    if (unknown.length === 0) continue;
    const inputs = {
      ...entry.inputs,
      ...Object.fromEntries(
        unknown.filter((property) => property in entry.inputs).map((property) => [property, UNKNOWN]),
      ),
    };
    const { replaces } = await run.rpc(entry, (provider) => provider.diff(entry.id, entry.outputs, inputs));
    if (replaces.length === 0) continue;
    replaced.add(entry.name);
    dependents.push(entry);
  }
  return dependents;
}
