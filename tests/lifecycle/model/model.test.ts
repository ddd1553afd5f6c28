import fc from 'fast-check';
import type { Switches } from '../../../emulator/src/index';
import { type Scene, startScene } from '../../support/host';
import { expectConvergence, expectServiceAsDeclared } from '../../support/invariants';
import { regressions } from './regressions';
import { beginning, position, step, type Step } from './steps';
import { World } from './world';

const numRuns = Number(process.env['EDGE_POLICY_MODEL_RUNS'] ?? 1_000);
const seed = Number(process.env['EDGE_POLICY_MODEL_SEED'] ?? Date.now() % 2 ** 31);

jest.setTimeout(600_000);
let scene: Scene;

beforeAll(async () => {
  scene = await startScene({ lifetime: 'file' });
});

/** A step as fast-check runs it: the model is the program, the world holds it. */
class StepCommand implements fc.AsyncCommand<object, World> {
  constructor(readonly step: Step) {}

  check(): boolean {
    return true;
  }

  async run(_model: object, world: World): Promise<void> {
    await world.live([this.step]);
  }

  toString(): string {
    return JSON.stringify(this.step);
  }
}

function newWorld(switches: Partial<Switches>): World {
  scene.emulator.reset();
  scene.emulator.setSwitches(switches);
  // Calls of the CLI are seconds apart, and rules are not young for ever.
  scene.clock.pass(60_000);
  return new World(scene);
}

/** Once all is well again: a refresh tells of what others did, and one `up` must then put everything right. */
async function expectAllWell(world: World): Promise<void> {
  const refreshed = await world.engine.refresh();
  expect(refreshed.errors).toEqual([]);
  await expectConvergence(world.engine, world.program, scene);
  const destroyed = await world.engine.destroy();
  expect(destroyed.errors).toEqual([]);
  expectServiceAsDeclared([], scene.emulator);
}

test.each(regressions)('a sequence that failed once: $why', async ({ switches, steps }) => {
  const world = newWorld(switches);
  await world.live(steps);
  await expectAllWell(world);
});

test('whatever happens, one healthy run puts everything right', async () => {
  process.stderr.write(`model: ${numRuns} runs, EDGE_POLICY_MODEL_SEED=${seed}\n`);
  const commands = fc.commands([step.map((each) => new StepCommand(each))], { maxCommands: 7, size: 'max' });
  await fc.assert(
    fc.asyncProperty(position, beginning, commands, async (switches, first, life) => {
      const world = newWorld(switches);
      await world.live(first);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), life);
      await expectAllWell(world);
    }),
    { numRuns, seed },
  );
});
