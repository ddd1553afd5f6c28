import {
  requireInvariant,
  judgeDeclared,
  judgeHeld,
  judgeIds,
  judgeStillness,
  judgeSuccess,
} from '../support/invariants';
import type { Outcome } from '../support/stand-in-engine';
import { declaredThings, full, heldThings, liveThings } from '../support/things';
import type { Lived } from './lived';
import { goodWeather } from './network/faults';
import { FOREIGN_KEY } from './world';
import { remedyFor } from './remedies';
import { mended, withoutConflicts } from '../support/random-program/program';

/** A time after which all waits have ended. */
const LONG_MS = 900_000;
const MOST_UPS = 4;

/** Everything works again: one healthy `up` must reach what docs/reliability.md promises, and a destroy must leave nothing. */
export async function healAndJudge(lived: Lived): Promise<void> {
  const { world, operator } = lived;
  const { time, engine } = world;
  await time.run(time.sleep(LONG_MS));
  for (const process of world.processes) process.kill();
  // A service that accepts 30 requests a minute, and shows one rule per page, needs more time than an impatient setting gives.
  world.settings = { ...world.settings, operationTimeoutMs: 900_000 };
  world.program = withoutConflicts(mended(world.program));
  if (operator.isInDoubt) await operator.recover();
  operator.deleteLateTwins();
  operator.deleteWhatWasLeft();
  await strangersRefresh(lived);
  await healthyRun(lived, 'refresh');
  await healthyUp(lived);
  judgeService(lived);
  await judgeStillness({
    engine,
    refresh: async () => {
      // A replica still shows the content before the last update.
      await time.run(time.sleep(lived.life.switches.moduleLagMs ?? 0));
      return call(lived, 'refresh');
    },
    preview: () => time.run(engine.preview(world.declarations)),
    sent: () => world.network.sent,
  });
  world.program = [];
  await healthyRun(lived, 'destroy');
  requireInvariant(engine.state.length === 0, 'I6', () => 'a destroy has left something in state');
  judgeService(lived);
  world.assertUnbroken();
}

/** I6: with a key of another account, a refresh loses nothing from state. */
async function strangersRefresh(lived: Lived): Promise<void> {
  const { world } = lived;
  const { settings } = world;
  const held = (): string => world.engine.state.flatMap(heldThings).map(full).sort().join('\n');
  const before = held();
  world.settings = { ...settings, apiKey: FOREIGN_KEY };
  await call(lived, 'refresh');
  world.settings = settings;
  requireInvariant(held() === before, 'I6', () => `a foreign key leaves ${held()} of ${before}`);
}

async function call(lived: Lived, command: 'up' | 'refresh' | 'destroy'): Promise<Outcome> {
  const { world, life } = lived;
  const { ended } = world.start(command, { weather: goodWeather(life.seed), parallel: 8 });
  const outcome = await world.time.run(ended);
  world.windows.end();
  world.noteKept();
  for (const line of world.runProcesses.flatMap(({ host }) => host.warnings))
    lived.operator.deleteDoubtful(line);
  world.timeline.note(
    () => `${command}: ${outcome.steps.join(', ')} ${outcome.errors.map(String).join(' | ')}`,
  );
  return outcome;
}

const healthyRun = async (lived: Lived, command: 'refresh' | 'destroy'): Promise<void> => {
  judgeSuccess(await call(lived, command), command);
};

/** One `up`; if it fails in a way that no client can prevent, the remedy that its message names, and another `up`. */
async function healthyUp(lived: Lived): Promise<void> {
  for (let count = 1; ; count += 1) {
    const { errors } = await call(lived, 'up');
    if (errors.length === 0) return;
    const remedies = errors.map((error) => ({ error, remedy: remedyFor(lived, error) }));
    const isKnown = count < MOST_UPS && remedies.every(({ remedy }) => remedy !== undefined);
    requireInvariant(isKnown, 'I4', () => `a healthy up fails: ${errors.map(String).join(' | ')}`);
    if (remedies.some(({ remedy }) => remedy?.refreshes)) await healthyRun(lived, 'refresh');
    for (const { error, remedy } of remedies) remedy?.apply(lived, error.message);
  }
}

/** I1, I2, I3, I5, I6, I11: program, state and service agree, and have each object once. */
function judgeService({ world }: Lived): void {
  const { account, engine, program } = world;
  const live = liveThings(account.state);
  // An object of others that an exclusive set has changed belongs to the set.
  const untouched = new Set(live.map((thing) => JSON.stringify(thing)));
  const foreign = new Set(account.foreign.filter(({ said }) => untouched.has(said)).map(({ id }) => id));
  const ours = live.filter(({ id = '' }) => !foreign.has(id));
  const held = engine.state.flatMap(heldThings).filter(({ id = '' }) => !foreign.has(id));
  judgeIds(held.map(({ id }) => id));
  judgeDeclared(declaredThings(program), ours);
  judgeHeld(held, ours);
  for (const { id, policy, said: before } of account.foreign) {
    const now = JSON.stringify(live.find((thing) => thing.id === id));
    const isLeft = now === before || world.ownedPolicies.has(policy);
    requireInvariant(isLeft, 'I6', () => `what others made: ${before}, now ${now}`);
  }
}
