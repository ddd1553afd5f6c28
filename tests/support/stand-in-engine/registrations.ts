import { PROVIDER_KEY } from '../../../provider/src/fields/field';
import { providerReference } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../host-process';
import { type Declaration, type Entry, isSameResource } from './entry';
import type { EngineRun } from './run';
import { Turns } from './workers';

/** What is to be done about one resource, in order; nothing where it is as declared. */
type Chain = readonly (() => Promise<void>)[];

/**
 * A program registers its resources: one after another, but for those that depend on others, which arrive when those are
 * written. Each is checked and compared in its turn, and its steps begin as soon as a worker is free.
 */
export class Registrations {
  /** The names that this run has seen, aliases included. */
  readonly seen: Pick<Entry, 'type' | 'name'>[] = [];
  private readonly turns = new Turns();
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
        this.run.stop(error as Error);
      }
    });
    await Promise.all(flows);
  }

  private async register(declaration: Declaration): Promise<void> {
    const { run } = this;
    for (const name of declaration.dependsOn ?? []) await this.isWritten(name);
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

  /** Resolves when the resource is written; a program whose resource failed never gets that far. */
  private async isWritten(name: string): Promise<void> {
    await this.written.get(name);
    this.run.requireRunning();
  }

  private async stepsFor(declaration: Declaration): Promise<Chain> {
    const { run } = this;
    if (declaration.lookUp !== undefined)
      return [() => run.lookUp(declaration.type, declaration.lookUp ?? '')];
    const old = this.oldOf(declaration);
    this.seen.push(declaration, ...(old === undefined ? [] : [old]));
    if (!run.isTargeted(declaration)) {
      if (old !== undefined) run.file.put(old, { ...old, name: declaration.name });
      return [];
    }
    const inputs = await this.checked(declaration, old?.inputs ?? {});
    const { type, name, dependsOn = [] } = declaration;
    const entry = { type, name, inputs, dependsOn };
    if (old === undefined) return [() => run.create(entry)];
    const { changes, replaces } = await run.rpc(type, (provider) =>
      provider.diff(old.id, old.outputs, inputs),
    );
    if (replaces.length > 0 || old.isPendingReplacement === true) return this.replacement(declaration, old);
    if (changes || old.initErrors.length > 0) return [() => run.update(old, entry)];
    run.file.put(old, { ...old, ...entry });
    return [];
  }

  /** A replacement computes its inputs anew, without the old ones, before the old resource is deleted. */
  private async replacement(declaration: Declaration, old: Entry): Promise<Chain> {
    const { run } = this;
    const { type, name, dependsOn = [] } = declaration;
    const entry = { type, name, inputs: await this.checked(declaration, {}), dependsOn };
    if (old.isPendingReplacement === true) return [() => run.create(entry, old)];
    const condemned = { ...old, isPendingReplacement: true };
    return [
      async () => {
        await run.remove(old, 'replace');
        run.file.mark(old, condemned);
      },
      () => run.create(entry, condemned),
    ];
  }

  private async checked({ type, name, inputs: given }: Declaration, olds: Bag): Promise<Bag> {
    const news = { ...given, [PROVIDER_KEY]: providerReference(type) };
    const { inputs, failures } = await this.run.rpc(type, (provider) => provider.check(olds, news));
    if (failures.length > 0) throw new Error(`${name}: ${failures.join('; ')}`);
    return inputs;
  }

  private oldOf({ type, name, aliases = [] }: Declaration): Entry | undefined {
    const live = this.run.file.untouched.filter((entry) => entry.isDoomed !== true);
    for (const candidate of [name, ...aliases]) {
      const old = live.find((entry) => isSameResource(entry, { type, name: candidate }));
      if (old !== undefined) return old;
    }
    return undefined;
  }
}
