import type { HostProcess } from './host-process';
import { type Declaration, type Outcome, StandInEngine } from './stand-in-engine';
import type { Entry } from './stand-in-engine/entry';

/** A stack without the CLI: a test says what its program declares, and the stand-in of the engine calls the handlers. */
export class StandInStack {
  private readonly engine: StandInEngine;
  private host: HostProcess | undefined;

  /** @param newProcess Starts a host process, as every call of the CLI has one. */
  constructor(newProcess: () => HostProcess) {
    this.engine = new StandInEngine(() => (this.host = newProcess()));
  }

  /** `pulumi up`; answers what was done, in order: `create`, `update`, `replace`, `delete`. Throws what fails. */
  up(...program: readonly Declaration[]): Promise<readonly string[]> {
    return stepsOf(this.engine.up(program));
  }

  /** `pulumi refresh` */
  refresh(): Promise<readonly string[]> {
    return stepsOf(this.engine.refresh());
  }

  /** `pulumi destroy` */
  destroy(): Promise<readonly string[]> {
    return stepsOf(this.engine.destroy());
  }

  get state(): readonly Entry[] {
    return this.engine.state;
  }

  /** `pulumi state delete --all` */
  forget(): void {
    this.engine.state = [];
  }

  /** What the provider printed in the latest call. */
  get warnings(): readonly string[] {
    return this.host?.warnings ?? [];
  }
}

async function stepsOf(call: Promise<Outcome>): Promise<readonly string[]> {
  const { steps, errors } = await call;
  const [error] = errors;
  if (error !== undefined) throw error;
  return steps;
}
