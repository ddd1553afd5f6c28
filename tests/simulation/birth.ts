import type { Switches } from '../../emulator/src/index';
import type { Deed, Death, Life, RunStep, Step } from './life';
import { goodWeather, isFair, type Strike, strikeKinds, type Weather } from './network/strike';
import { additionKinds } from './program/additions';
import { type Edit, editKinds } from './program/edit';
import { engineEditKinds } from './program/engine-edits';
import { moveKinds } from './program/moves';
import { storyOf } from './stories';
import { Dice } from './time/dice';

const LARGE = 1_000;

/** The life that belongs to a seed. */
export function birth(seed: number): Life {
  const dice = new Dice(seed);
  const switches = position(dice);
  const steps = [...beginning(dice), ...later(dice, switches)];
  const life: Life = {
    seed,
    switches,
    skewMs: dice.isLucky(0.5) ? 0 : Math.round(dice.between(-120_000, 120_000)),
    crowd: dice.isLucky(0.15) ? 10 + dice.below(30) : dice.below(3),
    settings: settings(dice),
    steps,
  };
  // The times in a state of before would be those of another clock: recover cannot know.
  const hasDeath = steps.some((step) => 'death' in step);
  const alike = { ...life, ...timesOf(seed, hasDeath ? 0 : life.skewMs) };
  const story = storyOf(seed);
  if (story === undefined) return { ...alike, steps: withEngineWays(seed, steps) };
  return {
    ...alike,
    ...story,
    switches: { ...switches, ...story.switches },
    steps: [...beginning(dice), ...story.steps],
  };
}

/** From dice of its own: a seed keeps the rest of its life. */
function timesOf(seed: number, skewMs: number): Pick<Life, 'unknownForMs' | 'clockSetAtMs'> {
  const dice = new Dice(seed + 7_777_777);
  return {
    ...(dice.isLucky(0.2) ? { unknownForMs: dice.pick([500, 2_000, 4_000]) } : {}),
    ...(skewMs !== 0 && dice.isLucky(0.3) ? { clockSetAtMs: dice.between(5_000, 20_000) } : {}),
  };
}

/**
 * What the engine can be asked for, and what people write that concerns it, in every third life. From dice of its own, too: the
 * other lives stay as they are.
 */
function withEngineWays(seed: number, steps: readonly Step[]): readonly Step[] {
  const dice = new Dice(seed + 5_555_555);
  if (seed % 3 !== 0) return steps;
  let isFirst = true;
  return steps.flatMap((step): Step[] => {
    if (!('weather' in step)) return [step];
    const before: Step[] = [];
    if (!isFirst) for (const kind of engineEditKinds) if (dice.isLucky(0.18)) before.push(edit(dice, kind));
    isFirst = false;
    if (dice.isLucky(0.1)) before.push({ do: 'preview', unknown: dice.below(LARGE) });
    return [...before, { ...step, ...waysOf(dice, step) }];
  });
}

function waysOf(dice: Dice, { do: command }: RunStep): Partial<RunStep> {
  const isRefreshed = dice.isLucky(0.25);
  const refresh = dice.pick(['before', 'as registered'] as const);
  return {
    ...(isRefreshed && command !== 'refresh' ? { refresh } : {}),
    ...(dice.isLucky(0.2) ? { apartMs: 1_500 } : {}),
    ...(dice.isLucky(0.2) ? { continuesOnError: true } : {}),
    ...(dice.isLucky(0.12) && command === 'up' ? { replace: dice.below(LARGE) } : {}),
  };
}

/** A position of the service in the questions that matter here. */
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
    ...(isLimited ? { rateLimit: 30, retryAfter: dice.pick(['seconds', 'date', 'absent', 'nonsense']) } : {}),
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

function beginning(dice: Dice): Step[] {
  const count = 1 + dice.below(7);
  const kinds = additionKinds.filter((kind) => kind !== 'add double');
  const additions = Array.from({ length: count }, (): Step => edit(dice, dice.pick(kinds)));
  return [...additions, call(dice, 'up', goodWeather(dice.below(LARGE)))];
}

function later(dice: Dice, { duplicateCidr = '400' }: Partial<Switches>): Step[] {
  const steps: Step[] = [];
  const rounds = 1 + dice.below(4);
  for (let round = 0; round < rounds; round += 1) {
    const edits = dice.pick([0, 1, 1, 1, 2, 3]);
    for (let index = 0; index < edits; index += 1) steps.push(edit(dice, anyEdit(dice)));
    if (dice.isLucky(0.2)) steps.push({ do: 'others', deed: deed(dice) });
    if (dice.isLucky(0.06)) steps.push({ do: 'settings', settings: settings(dice) });
    const weather = dice.isLucky(0.25) ? goodWeather(dice.below(LARGE)) : badWeather(dice, duplicateCidr);
    const command = dice.pick([
      'up',
      'up',
      'up',
      'up',
      'up',
      'up',
      'up',
      'refresh',
      'refresh',
      'destroy',
    ] as const);
    steps.push(call(dice, command, weather, duplicateCidr));
    if (dice.isLucky(0.3)) steps.push({ do: 'wait', ms: dice.pick([1_000, 20_000, 600_000]) });
  }
  return steps;
}

function call(
  dice: Dice,
  command: 'up' | 'refresh' | 'destroy',
  weather: Weather,
  duplicates?: string,
): Step {
  const parallel = dice.pick([1, 2, 8, 16, 16]);
  const death = duplicates !== undefined && dice.isLucky(0.2) ? anyDeath(dice, duplicates) : undefined;
  return {
    do: command,
    weather,
    parallel,
    ...(duplicates !== undefined && dice.isLucky(0.05) ? { target: dice.below(LARGE) } : {}),
    ...(death === undefined ? {} : { death }),
    ...(dice.isLucky(0.2) ? { crowdMs: 60_000 } : {}),
  };
}

/** A killed plugin leaves no trace: where twins are accepted, nothing but the documented recovery helps. */
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

const anyEdit = (dice: Dice): (typeof editKinds)[number] => {
  if (dice.isLucky(0.3)) return dice.pick(moveKinds);
  return dice.pick(editKinds);
};

const edit = (dice: Dice, kind: Edit['kind']): Step => ({
  do: 'edit',
  edit: { kind, which: dice.below(LARGE), how: dice.below(LARGE) },
});

const deed = (dice: Dice): Deed => ({
  kind: dice.pick(['edit', 'move', 'delete', 'add']),
  which: dice.below(LARGE),
});

function badWeather(dice: Dice, duplicates: string): Weather {
  const strikes = Array.from({ length: 1 + dice.below(3) }, () => anyStrike(dice));
  return {
    seed: dice.below(LARGE),
    latencyMs: dice.pick([20, 80, 80, 1_000]),
    strikes: strikes.filter((strike) => isFair(strike, duplicates)),
  };
}

const anyStrike = (dice: Dice): Strike => ({
  method: dice.pick(['POST', 'POST', 'DELETE', 'DELETE', 'PATCH', 'PUT', 'LIST', 'GET']),
  kind: dice.pick(strikeKinds),
  nth: dice.pick([1, 1, 1, 2, 3, 4]),
  times: dice.pick([1, 1, 2, 4, 5, 50]),
});
