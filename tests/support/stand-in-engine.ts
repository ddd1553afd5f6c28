import type { Declaration, Entry, Outcome, PendingOperation, State } from './stand-in-engine/entry';
import { isSameResource } from './stand-in-engine/entry';
import { Registrations } from './stand-in-engine/registrations';
import { EngineRun, type RunOptions, StateFile } from './stand-in-engine/run';
import type { HostProcess } from './host-process';

export type { Declaration, Entry, Outcome, PendingOperation } from './stand-in-engine/entry';
export type { EngineRun, RunOptions } from './stand-in-engine/run';

/** A running call of the CLI. */
export interface Call {
  readonly run: EngineRun;
  /** Never resolves if the CLI is killed. */
  readonly ended: Promise<Outcome>;
}

/** The commands of the CLI. */
export type Command =
  | { readonly command: 'up' | 'preview'; readonly program: readonly Declaration[] }
  | { readonly command: 'refresh' | 'destroy' };

/**
 * Calls the provider and keeps state as the engine does (deployment_executor.go, step_generator.go and snapshot.go of Pulumi),
 * within this process: thousands of runs take a minute. The engine suite compares it with the real CLI on a sample of sequences.
 */
export class StandInEngine {
  state: readonly Entry[] = [];
  /** Pending operations of killed runs. */
  pending: readonly PendingOperation[] = [];
  /** The output of the provider. */
  readonly warnings: string[] = [];

  /** @param newProcess Starts the plugin process of a provider; the name of the default one is empty. */
  constructor(private readonly newProcess: (provider: string) => HostProcess) {}

  up(program: readonly Declaration[], options?: RunOptions): Promise<Outcome> {
    return this.start({ command: 'up', program }, options).ended;
  }

  /** The steps that `up` would begin. */
  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.start({ command: 'preview', program }).ended;
  }

  refresh(options?: Omit<RunOptions, 'refresh'>): Promise<Outcome> {
    return this.start({ command: 'refresh' }, options).ended;
  }

  destroy(options?: RunOptions): Promise<Outcome> {
    return this.start({ command: 'destroy' }, options).ended;
  }

  /** Begins a call, which can be interrupted or killed while it runs. */
  start(command: Command, options: RunOptions = {}): Call {
    // A refresh drops all pending operations except creates, as every run does; see saveSnapshot in snapshot.go.
    const carried = this.pending.filter(({ type }) => type === 'creating');
    const isPreview = command.command === 'preview';
    const file = new StateFile([...this.state], carried, isPreview ? () => undefined : this.save);
    const run = new EngineRun(this.newProcess, file, { ...options, isPreview });
    const program = 'program' in command ? command.program : [];
    return { run, ended: this.finish(run, works[command.command](run, program)) };
  }

  private async finish(run: EngineRun, work: Promise<void>): Promise<Outcome> {
    await work.catch((error: unknown) => {
      run.stop(error as Error);
    });
    for (const host of run.hosts.values()) {
      host.end();
      this.warnings.push(...host.warnings);
    }
    return { steps: run.steps, errors: run.errors };
  }

  private readonly save = ({ entries, pending }: State): void => {
    this.state = entries;
    this.pending = pending;
  };
}

/** What a call has done, in order; throws what fails. */
export async function done(call: Promise<Outcome>): Promise<readonly string[]> {
  const { steps, errors } = await call;
  if (errors[0] !== undefined) throw errors[0];
  return steps;
}

const works = { up, preview: up, refresh, destroy };

/** In neither form of `--refresh` does a destroy know what the program declares. */
async function destroy(run: EngineRun): Promise<void> {
  if (run.options.refresh !== undefined) await refreshFirst(run);
  await deleteAll(run, run.file.untouched);
}

/** If a resource cannot be read, the rest of the run does not begin. */
async function refreshFirst(run: EngineRun): Promise<void> {
  await refresh(run);
  if (run.errors.length > 0) run.stop();
}

async function up(run: EngineRun, program: readonly Declaration[]): Promise<void> {
  if (run.options.refresh === 'before') await refreshFirst(run);
  const registrations = new Registrations(run);
  await registrations.all(program);
  // Resources that the program dropped are only deleted if nothing in the run failed.
  if (run.isStopped) return;
  const dropped = run.file.untouched.filter(
    (entry) => entry.isDoomed === true || !registrations.seen.some((seen) => isSameResource(seen, entry)),
  );
  await deleteAll(run, dropped);
}

/** With `--continue-on-error`, the dependencies of a failed resource, direct or not, are not deleted. */
function withDependencies(failed: Iterable<string>, entries: readonly Entry[]): ReadonlySet<string> {
  const spared = new Set(failed);
  // A name that is added meanwhile gets its turn, too.
  for (const name of spared)
    for (const entry of entries)
      if (entry.name === name) for (const dependency of entry.dependsOn ?? []) spared.add(dependency);
  return spared;
}

/** The youngest first, in generations: dependents are deleted before their dependencies. */
async function deleteAll(run: EngineRun, entries: readonly Entry[]): Promise<void> {
  let left = entries.filter((entry) => run.isTargeted(entry)).reverse();
  while (left.length > 0 && !run.isStopped) {
    const needed = new Set(left.flatMap(({ dependsOn = [] }) => dependsOn));
    const generation = left.filter(({ name }) => !needed.has(name));
    left = left.filter((entry) => !generation.includes(entry));
    const spared = withDependencies(run.skipped, entries);
    const due = generation.filter(({ name }) => !spared.has(name));
    // A delete that failed has stopped the run, and said why.
    await Promise.allSettled(due.map((entry) => deleteOne(run, entry)));
  }
}

async function deleteOne(run: EngineRun, entry: Entry): Promise<void> {
  if (entry.isPendingReplacement === true) run.file.put(entry, undefined);
  else await run.byWorker(() => run.remove(entry));
}

/** A resource that cannot be read does not prevent reading the others. */
async function refresh(run: EngineRun): Promise<void> {
  const targets = run.file.untouched.filter(
    (entry) => run.isTargeted(entry) && entry.isPendingReplacement !== true,
  );
  const reads = await Promise.allSettled(targets.map((entry) => run.byWorker(() => run.readAgain(entry))));
  for (const read of reads) if (read.status === 'rejected') run.errors.push(read.reason as Error);
}
