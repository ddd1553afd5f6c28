import { ofUnknownAccounts } from '../../provider/src/resources/known-account';
import type { Entry, Outcome } from '../support/stand-in-engine';
import { requireInvariant } from './watches/broken';
import { declaredThings, full, heldThings, isSame, liveThings, type Thing } from '../support/things';
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
  await judgeStillness(lived);
  world.program = [];
  await healthyRun(lived, 'destroy');
  requireInvariant(engine.state.length === 0, 'I6', () => 'a destroy has left something in state');
  judgeService(lived);
  world.assertUnbroken();
}

/** I6: with a key of another account, a refresh loses nothing from state, and `drift` decides nothing. */
async function strangersRefresh(lived: Lived): Promise<void> {
  const { world } = lived;
  const { settings } = world;
  const held = (): string => show(world.engine.state.flatMap(heldThings));
  const before = held();
  const entries = world.engine.state.map(({ type, id, outputs }) => ({ type, id, state: outputs }));
  world.settings = { ...settings, apiKey: FOREIGN_KEY };
  await call(lived, 'refresh');
  const unknown = await world.time.run(ofUnknownAccounts(entries, world.newProcess().host.key));
  world.settings = settings;
  requireInvariant(held() === before, 'I6', () => `a foreign key leaves ${held()} of ${before}`);
  requireInvariant(unknown.length === entries.length, 'I6', () => `a foreign key knows some of ${before}`);
}

async function call(lived: Lived, command: 'up' | 'refresh' | 'destroy'): Promise<Outcome> {
  const { world, life } = lived;
  const { ended } = world.start(command, { weather: goodWeather(life.seed), parallel: 8 });
  const outcome = await world.time.run(ended);
  world.windows.end();
  world.noteKept();
  world.timeline.note(
    () => `${command}: ${outcome.steps.join(', ')} ${outcome.errors.map(String).join(' | ')}`,
  );
  return outcome;
}

async function healthyRun(lived: Lived, command: 'refresh' | 'destroy'): Promise<void> {
  const { errors } = await call(lived, command);
  requireInvariant(
    errors.length === 0,
    'I4',
    () => `a healthy ${command} fails: ${errors.map(String).join(' | ')}`,
  );
}

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
  const declared = declaredThings(program);
  const ids = held.map(({ id }) => id);
  requireInvariant(new Set(ids).size === ids.length, 'I11', () => `held: ${show(held)}`);
  requireInvariant(isSame(declared, ours), 'I3', () => `declared: ${show(declared)}\n live: ${show(ours)}`);
  requireInvariant(isSame(held, ours, full), 'I5', () => `held: ${show(held)}\n live: ${show(ours)}`);
  for (const { id, policy, said: before } of account.foreign) {
    const now = JSON.stringify(live.find((thing) => thing.id === id));
    const isLeft = now === before || world.ownedPolicies.has(policy);
    requireInvariant(isLeft, 'I6', () => `what others made: ${before}, now ${now}`);
  }
}

const show = (things: readonly Thing[]): string => `\n  ${things.map(full).sort().join('\n  ')}`;

/** The state as text, whatever the order of its entries and keys. */
const written = (state: readonly Entry[]): string =>
  state
    .map(({ name, id, outputs }) => JSON.stringify([name, id, Object.entries(outputs).sort()]))
    .sort()
    .join('\n');

/** I4 and I12: nothing is left to do, before and after a refresh, and a preview sends nothing. */
async function judgeStillness(lived: Lived): Promise<void> {
  const { engine, time, network } = lived.world;
  const before = written(engine.state);
  for (const isRefreshed of [false, true]) {
    if (isRefreshed) await healthyRun(lived, 'refresh');
    const sent = network.sent;
    const { steps, errors } = await time.run(engine.preview(lived.world.declarations));
    requireInvariant(
      steps.length + errors.length === 0,
      'I4',
      () => `a preview is not empty: ${steps.join(', ')} ${errors.join()}`,
    );
    requireInvariant(network.sent === sent, 'I12', () => 'a preview has sent requests');
  }
  const after = written(engine.state);
  requireInvariant(before === after, 'I4', () => `a refresh changes\n ${before}\n to\n ${after}`);
}
