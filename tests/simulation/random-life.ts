import type { Switches } from '../../emulator/src/index';
import { Dice } from '../support/dice';
import type { Death, Life, RunStep, Step } from './life';
import { isFair, type NetworkFault, faultKinds } from './network/faults';
import { additions } from '../support/random-program/additions';
import { type EditKind, edits, engineEdits, kindsOf } from '../support/random-program/edits';
import { moves } from '../support/random-program/moves';
import { withLies } from './lies';
import { Script } from './script';

/** The life of a seed. */
export function randomLife(seed: number): Life {
  const script = new Script(new Dice(seed));
  const { dice } = script;
  const story = storyOf(seed, dice);
  const asksEngine = story === undefined && seed % 3 === 0;
  const switches = { ...position(dice), ...story?.switches };
  const skewMs = dice.isLucky(0.5) ? 0 : Math.round(dice.between(-120_000, 120_000));
  begin(script, asksEngine);
  if (story === undefined) goOn(script, asksEngine, switches);
  else story.tell(script);
  script.write();
  const steps = withoutFolder(script.steps, new Dice(-seed));
  // The times in an earlier state would be those of another clock, which recover cannot know.
  const canSetClock = skewMs !== 0 && !steps.some((step) => 'death' in step);
  const life = {
    seed,
    switches,
    skewMs,
    crowd: dice.isLucky(0.15) ? 10 + dice.below(30) : dice.below(3),
    settings: story?.settings ?? settings(dice),
    steps,
    ...(dice.isLucky(0.2) ? { unknownForMs: dice.pick([500, 2_000, 4_000]) } : {}),
    ...(canSetClock && dice.isLucky(0.3) ? { clockSetAtMs: dice.between(5_000, 20_000) } : {}),
  };
  return withLies(life, new Dice(~seed));
}

/** Lets some runs of a life find no folder. The dice are others, so that the life of a seed stays as it was. */
const withoutFolder = (steps: readonly Step[], dice: Dice): Step[] =>
  steps.map((step) => ('weather' in step && dice.isLucky(0.06) ? { ...step, hasNoFolder: true } : step));

/** The position of one of the service's switches that matter here. */
function position(dice: Dice): Partial<Switches> {
  const isLimited = dice.isLucky(0.12);
  return {
    duplicateCidr: dice.pick(['400', '400', '409', 'accepted', 'accepted']),
    missingModuleOnGet: dice.pick(['404', '404', 'null', 'empty-object']),
    missingModuleOnDelete: dice.pick(['404', '204']),
    missingRule: dice.pick(['error-body', 'error-body', 'error-body-without-code', 'empty']),
    unsetText: dice.pick(['absent', 'absent', 'empty', 'null']),
    policyValue: dice.pick(['verbatim', 'verbatim', 'reserialised']),
    listOrder: dice.pick(['newest-first', 'oldest-first']),
    listLagMs: dice.pick([0, 0, 0, 3_000, 10_000]),
    pageSize: dice.pick([1, 3, 100, 100]),
    timestamps: dice.pick(['whole-seconds', 'fraction', 'offset']),
    // A list with one rule a page would take longer than an operation may.
    ...(isLimited
      ? { rateLimit: 30, pageSize: 3, retryAfter: dice.pick(['seconds', 'date', 'absent', 'nonsense']) }
      : {}),
  };
}

const settings = (dice: Dice): Life['settings'] =>
  dice.isLucky(0.7)
    ? {}
    : {
        maxConcurrency: dice.pick([1, 2, 8]),
        maxAttempts: dice.pick([1, 2, 4]),
        operationTimeoutMs: dice.pick([60_000, 300_000]),
      };

function begin(script: Script, asksEngine: boolean): void {
  const { dice } = script;
  const kinds = kindsOf(additions).filter((kind) => kind !== 'add double');
  const count = 1 + dice.below(7);
  for (let index = 0; index < count; index += 1) script.edit(dice.pick(kinds));
  const parallel = anyParallel(dice);
  script.run('up', { parallel, ...crowd(dice), ...(asksEngine ? waysOf(script, 'up') : {}) });
}

function goOn(script: Script, asksEngine: boolean, { duplicateCidr = '400' }: Partial<Switches>): void {
  const { dice } = script;
  const rounds = 1 + dice.below(4);
  for (let round = 0; round < rounds; round += 1) {
    const edits = dice.pick([0, 1, 1, 1, 2, 3]);
    for (let index = 0; index < edits; index += 1) script.edit(anyEdit(dice));
    if (dice.isLucky(0.2)) script.others(dice.pick(['edit', 'move', 'delete', 'add']));
    if (dice.isLucky(0.06)) script.steps.push({ do: 'settings', settings: settings(dice) });
    if (dice.isLucky(0.05)) script.duplicate();
    if (asksEngine) askEngine(script);
    const command = dice.pick([...Array<'up'>(7).fill('up'), 'refresh', 'refresh', 'destroy'] as const);
    script.run(command, {
      parallel: anyParallel(dice),
      ...(dice.isLucky(0.25) ? {} : { weather: badWeather(script, duplicateCidr) }),
      ...(dice.isLucky(0.05) ? script.name('target') : {}),
      ...(dice.isLucky(0.2) ? { death: anyDeath(dice, duplicateCidr) } : {}),
      ...crowd(dice),
      ...(asksEngine ? waysOf(script, command) : {}),
    });
    if (dice.isLucky(0.3)) script.wait(dice.pick([1_000, 20_000, 600_000]));
  }
}

/** Edits that concern the engine, and options of its calls. */
function askEngine(script: Script): void {
  const { dice } = script;
  script.edit(...kindsOf(engineEdits).filter(() => dice.isLucky(0.18)));
  if (dice.isLucky(0.1)) script.preview();
}

function waysOf(script: Script, command: RunStep['do']): Partial<RunStep> {
  const { dice } = script;
  const refresh = dice.pick(['before', 'as registered'] as const);
  return {
    ...(dice.isLucky(0.25) && command !== 'refresh' ? { refresh } : {}),
    ...(dice.isLucky(0.2) ? { apartMs: 1_500 } : {}),
    ...(dice.isLucky(0.2) ? { continuesOnError: true } : {}),
    ...(dice.isLucky(0.12) && command === 'up' ? script.name('replace') : {}),
  };
}

const anyParallel = (dice: Dice): number => dice.pick([1, 2, 8, 16, 16]);

const crowd = (dice: Dice): Partial<RunStep> => (dice.isLucky(0.2) ? { crowdMs: 60_000 } : {});

/** A killed plugin leaves no trace: if duplicates are accepted, only a person who looks at what is live helps. */
function anyDeath(dice: Dice, duplicates: string): Death {
  const of = dice.pick(['cli', 'both', 'plugin', 'interrupt'] as const);
  const mustRecover = of === 'plugin' && duplicates === 'accepted';
  return {
    of,
    atEvent: 1 + dice.below(dice.pick([5, 20, 60])),
    lingerMs: dice.pick([0, 2_000, 60_000]),
    then: mustRecover || dice.isLucky(0.6) ? 'recover' : 'nothing',
  };
}

const anyEdit = (dice: Dice): EditKind | 'undo' =>
  dice.pick(dice.isLucky(0.3) ? kindsOf(moves) : [...kindsOf(edits), 'undo' as const]);

function badWeather(script: Script, duplicates: string): RunStep['weather'] {
  const { dice } = script;
  const faults = Array.from({ length: 1 + dice.below(3) }, () => anyFault(dice));
  const fair = faults.filter((fault) => isFair(fault, duplicates));
  return { ...script.weather(fair), latencyMs: dice.pick([20, 80, 80, 1_000]) };
}

const anyFault = (dice: Dice): NetworkFault => ({
  method: dice.pick(['POST', 'POST', 'DELETE', 'DELETE', 'PATCH', 'PUT', 'LIST', 'GET']),
  kind: dice.pick(faultKinds),
  nth: dice.pick([1, 1, 1, 2, 3, 4]),
  times: dice.pick([1, 1, 2, 4, 5, 50]),
});

/** What chance alone produces too rarely: another beginning, and another end of a life. */
interface Story {
  readonly switches: Partial<Switches>;
  readonly settings?: Life['settings'];
  readonly tell: (script: Script) => void;
}

const EVERY = 8;
/** The seeds whose story is about a twin. */
const EVERY_TWIN = 64;

/** The story of a seed; most have none. */
function storyOf(seed: number, dice: Dice): Story | undefined {
  if (seed % EVERY_TWIN === 3) return lateTwin(dice);
  if (seed % EVERY !== EVERY - 1) return undefined;
  return dice.pick([usedUpLimit, openRemoval, openDestroy, editedLoss, secondEntry, secondEntry])(dice);
}

/** Two entries of state have one id, while the program changes. */
const secondEntry = (dice: Dice): Story => ({
  switches: { duplicateCidr: dice.pick(['400', 'accepted']) },
  tell: (script) => {
    script.edit('add set', 'add rule', dice.pick(['add set', 'add module', 'add filter']));
    script.run('up');
    script.duplicate();
    script.edit(...kindsOf(edits).filter(() => dice.isLucky(0.1)));
    script.run('up', { parallel: dice.pick([1, 2, 16]) });
  },
});

/** Others use up the limit for a minute, and nothing else is wrong. */
const usedUpLimit = (dice: Dice): Story => ({
  // With one rule per page, a list would take longer than an operation may.
  switches: { rateLimit: 30, retryAfter: dice.pick(['seconds', 'date', 'absent']), pageSize: 3 },
  settings: { maxConcurrency: dice.pick([1, 2, 4]) },
  tell: (script) => {
    script.run('up');
    script.edit(
      ...Array.from({ length: 8 }, () => 'add rule' as const),
      ...(['add module', 'add filter', 'add set'] as const),
    );
    script.wait(120_000);
    script.run('up', { crowdMs: 60_000, isUnhindered: true });
  },
});

/** A rule leaves a set, it stays unknown whether it is gone, and the program goes back. */
const openRemoval = (dice: Dice): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  tell: (script) => {
    script.edit('add set');
    script.run('up');
    script.edit('shorten');
    const kind = dice.pick(['silence though done', '500 though done'] as const);
    const weather = script.weather([
      { method: 'DELETE', kind, nth: 1, times: 50 },
      { method: 'GET', kind: '500', nth: 1, times: 50 },
    ]);
    script.run('up', { weather });
    script.edit('undo');
    script.run('up');
  },
});

/** Creates take effect long after their answers were given up, on a service that accepts a second rule for a network. */
const lateTwin = (dice: Dice): Story => ({
  switches: { duplicateCidr: 'accepted', rateLimit: 0, listLagMs: dice.pick([0, 3_000]) },
  settings: {},
  tell: (script) => {
    const faults: NetworkFault[] = [{ method: 'POST', kind: 'late', nth: 1, times: 3 + dice.below(4) }];
    script.edit('add rule', 'add rule', 'add rule', 'add set');
    script.run('up', { weather: { ...script.weather(faults), latencyMs: 1_000 } });
  },
});

/** A rule of a set may exist or not, and the set is destroyed. */
const openDestroy = (): Story =>
  afterLoss((script) => {
    script.run('destroy');
  });

/** A rule of a set may exist or not, and its description is edited before the next `up`. */
const editedLoss = (): Story =>
  afterLoss((script) => {
    script.edit('reword', 'reword', 'reword');
    script.run('up');
  });

/** The create of a rule of a set is lost for good: the rule may exist or not. */
const afterLoss = (goOn: Story['tell']): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  tell: (script) => {
    script.edit('add set');
    const weather = script.weather([
      { method: 'POST', kind: '500 though done', nth: 1, times: 1 + script.dice.below(4) },
      { method: 'LIST', kind: '500', nth: 1, times: 50 },
    ]);
    script.run('up', { weather });
    script.wait(60_000);
    goOn(script);
  },
});
