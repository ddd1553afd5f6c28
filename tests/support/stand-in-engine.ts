import { PROVIDER_KEY } from '../../provider/src/lifecycle/properties';
import { providerReference, type ResourceType } from '../../provider/src/resources/provider-reference';
import type { HostProcess } from './host';
import { type Bag, type HostedProvider } from './host';

/** A resource as a program declares it. */
export interface Declaration {
  readonly type: ResourceType;
  readonly name: string;
  readonly inputs: Bag;
}

/** A resource as the engine keeps it in state. */
export interface Entry {
  readonly type: ResourceType;
  readonly name: string;
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** Why the resource is not as declared; the next `up` then updates it even where nothing differs. */
  readonly initErrors: readonly string[];
}

/** How a call of the engine ended. */
export interface Outcome {
  /** What the engine did, in order: `create`, `update`, `replace`, `delete`; unchanged resources are left out. */
  readonly steps: readonly string[];
  readonly errors: readonly Error[];
}

/**
 * Calls the provider and keeps state as the engine does, one resource after another, within this process: thousands of
 * runs take a minute. The engine ring holds it to the real CLI on a sample of sequences.
 */
export class StandInEngine {
  state: Entry[] = [];
  /** What the provider printed. */
  readonly warnings: string[] = [];

  constructor(private readonly newProcess: () => HostProcess) {}

  /** `pulumi up`. The first failure ends it, as the engine starts nothing more then. */
  up(program: readonly Declaration[]): Promise<Outcome> {
    return this.run(async (run) => {
      for (const declaration of program) await this.register(declaration, run);
      const isDeclared = ({ type, name }: Entry): boolean =>
        program.some((declaration) => declaration.type === type && declaration.name === name);
      for (const entry of this.state.filter((candidate) => !isDeclared(candidate)).reverse()) {
        await this.remove(entry, run, 'delete');
      }
    });
  }

  /** `pulumi preview`: the steps that `up` would begin. */
  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.run(async ({ host, steps }) => {
      for (const declaration of program) {
        const entry = this.entryOf(declaration);
        const provider = host.provider(declaration.type);
        const inputs = await checked(provider, entry, declaration);
        const step = entry === undefined ? 'create' : await stepFor(provider, entry, inputs);
        if (step !== 'same') steps.push(step);
      }
      const names = program.map(({ type, name }) => `${type} ${name}`);
      for (const { type, name } of this.state) if (!names.includes(`${type} ${name}`)) steps.push('delete');
    });
  }

  /** `pulumi refresh`: one resource that cannot be read does not keep the others from being read. */
  refresh(): Promise<Outcome> {
    return this.run(async ({ host, steps, errors }) => {
      for (const entry of [...this.state]) {
        try {
          const found = await host.provider(entry.type).read(entry.id, entry.outputs);
          if (found.id === '') {
            steps.push('delete');
            this.put(entry, undefined);
          } else {
            const { id, props: outputs, inputs } = found;
            this.put(entry, { ...entry, id, outputs, inputs, initErrors: [] });
          }
        } catch (error) {
          errors.push(error as Error);
        }
      }
    });
  }

  /** `pulumi destroy`. */
  destroy(): Promise<Outcome> {
    return this.run(async (run) => {
      for (const entry of [...this.state].reverse()) await this.remove(entry, run, 'delete');
    });
  }

  private async run(work: (run: Run) => Promise<void>): Promise<Outcome> {
    const host = this.newProcess();
    const run: Run = { host, steps: [], errors: [] };
    try {
      await work(run);
    } catch (error) {
      run.errors.push(error as Error);
    }
    host.end();
    this.warnings.push(...host.warnings);
    return run;
  }

  private async register(declaration: Declaration, run: Run): Promise<void> {
    const entry = this.entryOf(declaration);
    const provider = run.host.provider(declaration.type);
    const inputs = await checked(provider, entry, declaration);
    if (entry === undefined) {
      run.steps.push('create');
      await this.create(declaration, provider, inputs);
      return;
    }
    const step = await stepFor(provider, entry, inputs);
    if (step === 'same') {
      this.put(entry, { ...entry, inputs });
      return;
    }
    if (step === 'update') {
      run.steps.push('update');
      await this.update(entry, provider, inputs);
      return;
    }
    // A replacement computes its inputs anew, without the old ones, before the old resource is deleted.
    const anew = await checked(provider, undefined, declaration);
    await this.remove(entry, run, 'replace');
    await this.create(declaration, provider, anew);
  }

  private async create({ type, name }: Declaration, provider: HostedProvider, inputs: Bag): Promise<void> {
    try {
      const { id, outs: outputs } = await provider.create(inputs);
      this.state.push({ type, name, id, inputs, outputs, initErrors: [] });
    } catch (error) {
      const partial = asPartialFailure(error);
      if (partial !== undefined) this.state.push({ type, name, inputs, ...partial });
      throw error;
    }
  }

  private async update(entry: Entry, provider: HostedProvider, inputs: Bag): Promise<void> {
    try {
      const { outs: outputs } = await provider.update(entry.id, entry.outputs, inputs);
      this.put(entry, { ...entry, inputs, outputs, initErrors: [] });
    } catch (error) {
      const partial = asPartialFailure(error);
      if (partial !== undefined) this.put(entry, { ...entry, ...partial });
      throw error;
    }
  }

  private async remove(entry: Entry, { host, steps }: Run, step: string): Promise<void> {
    steps.push(step);
    await host.provider(entry.type).delete(entry.id, entry.outputs);
    this.put(entry, undefined);
  }

  private entryOf({ type, name }: Declaration): Entry | undefined {
    return this.state.find((entry) => entry.type === type && entry.name === name);
  }

  private put(old: Entry, now: Entry | undefined): void {
    this.state = this.state.flatMap((entry) => (entry === old ? (now ?? []) : entry));
  }
}

interface Run {
  readonly host: HostProcess;
  readonly steps: string[];
  readonly errors: Error[];
}

async function checked(
  provider: HostedProvider,
  entry: Entry | undefined,
  { type, name, inputs: given }: Declaration,
): Promise<Bag> {
  const news = { ...given, [PROVIDER_KEY]: providerReference(type) };
  const { inputs, failures } = await provider.check(entry?.inputs ?? {}, news);
  if (failures.length > 0) throw new Error(`${name}: ${failures.join('; ')}`);
  return inputs;
}

async function stepFor(provider: HostedProvider, entry: Entry, inputs: Bag): Promise<string> {
  const { changes, replaces } = await provider.diff(entry.id, entry.outputs, inputs);
  if (replaces.length > 0) return 'replace';
  return changes || entry.initErrors.length > 0 ? 'update' : 'same';
}

/** What the engine keeps of a failure with an id. */
function asPartialFailure(error: unknown): Pick<Entry, 'id' | 'outputs' | 'initErrors'> | undefined {
  const { id, properties, reasons } = error as { id?: string; properties?: Bag; reasons?: string[] };
  if (!id) return undefined;
  return { id, outputs: properties ?? {}, initErrors: reasons ?? [] };
}
