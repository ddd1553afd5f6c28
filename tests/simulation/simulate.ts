// What for: whole stacks through their lives in virtual time, from seeds.
// Must not know: the real CLI, real time, and random numbers without a seed.
import { randomLife } from './random-life';
import { Broken } from '../support/invariants';
import { healAndJudge } from './heal';
import type { Life } from './life';
import { Lived } from './lived';
import { Dice } from '../support/dice';

/** The result of a life. */
export interface Verdict {
  readonly life: Life;
  /** The broken invariant; absent if all went well. */
  readonly broken?: string;
  readonly invariant?: string;
  readonly timeline: readonly string[];
}

/** Lives one life, alone in this process, and judges it. Never throws for anything that the provider does. */
export async function simulate(life: Life, keepTimeline = false): Promise<Verdict> {
  const { random } = Math;
  const { stackTraceLimit } = Error;
  // The service makes its own identifiers: the same life must be the same in every detail.
  Math.random = new Dice(life.seed).fraction;
  // Most errors of a life are answers of the service, and their stacks would cost more than the rest of them.
  if (!keepTimeline) Error.stackTraceLimit = 0;
  const lived = new Lived(life, keepTimeline);
  try {
    await lived.live();
    await healAndJudge(lived);
    return { life, timeline: lived.world.timeline.lines };
  } catch (error) {
    const timeline = lived.world.timeline.lines;
    if (error instanceof Broken) return { life, broken: error.message, invariant: error.invariant, timeline };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { life, broken: text, invariant: 'crash', timeline };
  } finally {
    lived.world.end();
    Math.random = random;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const simulateSeed = (seed: number, keepTimeline = false): Promise<Verdict> =>
  simulate(randomLife(seed), keepTimeline);
