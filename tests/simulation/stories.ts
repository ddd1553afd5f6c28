import type { Switches } from '../../emulator/src/index';
import type { Life, RunStep, Step } from './life';
import { goodWeather, type Strike, type Weather } from './network/strike';
import type { EditKind } from './program/edit';
import { Dice } from './time/dice';

/** What chance alone tells too rarely: what is different from the beginning, and how the life goes on at its end. */
export interface Story {
  readonly switches?: Partial<Switches>;
  readonly settings?: Life['settings'];
  readonly crowd?: number;
  readonly steps: readonly Step[];
}

const EVERY = 8;
/** Of all seeds, those whose story is of a twin: {@link EVERY} does not tell it, so that its stories keep their seeds. */
const EVERY_TWIN = 64;

/** The story of a seed; most have none. */
export function storyOf(seed: number): Story | undefined {
  if (seed % EVERY_TWIN === 3) return lateTwin(new Dice(seed ^ 0x7717));
  if (seed % EVERY !== EVERY - 1) return undefined;
  const dice = new Dice(seed ^ 0x570f1e5);
  return dice.pick([longRefresh, usedUpLimit, listBesideWrites, openRemoval, openDestroy, editedLoss])(dice);
}

/** A long list that is read slowly, for longer than one operation may take, while something is gone. */
function longRefresh(dice: Dice): Story {
  return {
    switches: { pageSize: 1, listLagMs: 0, rateLimit: 0 },
    settings: { operationTimeoutMs: 60_000 },
    crowd: 20 + dice.below(20),
    steps: [
      ...edits(dice, ['add set', 'add set']),
      up(dice),
      { do: 'others', deed: { kind: 'delete', which: dice.below(1_000) } },
      {
        do: 'refresh',
        weather: struck(dice, [{ method: 'LIST', kind: 'slow', nth: 1, times: 1_000 }]),
        parallel: 8,
        isUnhindered: true,
      },
    ],
  };
}

/** Others use up the limit for a minute, and nothing else is wrong. */
function usedUpLimit(dice: Dice): Story {
  return {
    switches: { rateLimit: 30, retryAfter: dice.pick(['seconds', 'date', 'absent']) },
    settings: { maxConcurrency: dice.pick([1, 2, 4]) },
    steps: [
      up(dice),
      ...edits(
        dice,
        Array.from({ length: 8 }, () => 'add rule' as const),
      ),
      ...edits(dice, ['add module', 'add filter', 'add set']),
      { do: 'wait', ms: 120_000 },
      { ...up(dice), parallel: 16, crowdMs: 60_000, isUnhindered: true },
    ],
  };
}

/** Somebody else's policies are looked up while rules are written. */
function listBesideWrites(dice: Dice): Story {
  return {
    switches: { pageSize: dice.pick([1, 3]), listLagMs: 0, rateLimit: 0, missingRule: 'error-body' },
    settings: { maxConcurrency: 2 },
    crowd: 30 + dice.below(10),
    steps: [
      ...edits(dice, ['add set', 'add set', 'add rule', 'add rule', 'add rule']),
      { ...up(dice), parallel: 16, looksUpPolicies: true, isUnhindered: true },
    ],
  };
}

/** A rule leaves a set, nobody learns whether it is gone, and the program goes back. */
function openRemoval(dice: Dice): Story {
  return {
    switches: { rateLimit: 0 },
    settings: {},
    steps: [
      ...edits(dice, ['add set']),
      up(dice),
      { do: 'edit', edit: { kind: 'change', which: dice.below(1_000), how: 1 + 5 * dice.below(100) } },
      {
        do: 'up',
        weather: struck(dice, [
          {
            method: 'DELETE',
            kind: dice.pick(['silence though done', '500 though done']),
            nth: 1,
            times: 50,
          },
          { method: 'GET', kind: '500', nth: 1, times: 50 },
        ]),
        parallel: 16,
      },
      ...edits(dice, ['undo']),
      up(dice),
    ],
  };
}

/** Creates take effect long after their answers were given up, on a service that accepts a second rule for a network. */
function lateTwin(dice: Dice): Story {
  const strikes: Strike[] = [{ method: 'POST', kind: 'late', nth: 1, times: 3 + dice.below(4) }];
  return {
    switches: { duplicateCidr: 'accepted', rateLimit: 0, listLagMs: dice.pick([0, 3_000]) },
    settings: {},
    steps: [
      ...edits(dice, ['add rule', 'add rule', 'add rule', 'add set']),
      { do: 'up', weather: { ...struck(dice, strikes), latencyMs: 1_000 }, parallel: 16 },
    ],
  };
}

/** A rule of a set may exist or not, and the set is destroyed. */
const openDestroy = (dice: Dice): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  steps: [...ruleInDoubt(dice), { do: 'destroy', weather: goodWeather(dice.below(1_000)), parallel: 16 }],
});

/** A rule of a set may exist or not, and its description is edited before the next `up`. */
const editedLoss = (dice: Dice): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  steps: [
    ...ruleInDoubt(dice),
    ...Array.from({ length: 3 }, (): Step => ({
      do: 'edit',
      edit: { kind: 'change', which: dice.below(1_000), how: 2 + 5 * dice.below(100) },
    })),
    up(dice),
  ],
});

/** A rule of a set whose create was lost for good: it may exist or not. */
const ruleInDoubt = (dice: Dice): Step[] => [
  ...edits(dice, ['add set']),
  lostCreates(dice),
  { do: 'wait', ms: 60_000 },
];

const lostCreates = (dice: Dice): RunStep => ({
  do: 'up',
  weather: struck(dice, [
    { method: 'POST', kind: '500 though done', nth: 1, times: 1 + dice.below(4) },
    { method: 'LIST', kind: '500', nth: 1, times: 50 },
  ]),
  parallel: 16,
});

const up = (dice: Dice): RunStep => ({ do: 'up', weather: goodWeather(dice.below(1_000)), parallel: 16 });

const struck = (dice: Dice, strikes: readonly Strike[]): Weather => ({
  ...goodWeather(dice.below(1_000)),
  strikes,
});

const edits = (dice: Dice, kinds: readonly EditKind[]): Step[] =>
  kinds.map((kind) => ({
    do: 'edit',
    edit: { kind, which: dice.below(1_000), how: dice.below(1_000) },
  }));
