import type { Switches } from '../../emulator/src/index';
import type { Dice } from '../support/dice';
import { editKinds } from '../support/random-program/edit';
import type { Life } from './life';
import type { NetworkFault } from './network/faults';
import type { Script } from './script';

/** What chance alone produces too rarely: another beginning, and another end of a life. */
export interface Story {
  readonly switches: Partial<Switches>;
  readonly settings?: Life['settings'];
  readonly tell: (script: Script) => void;
}

const EVERY = 8;
/** The seeds whose story is about a twin. */
const EVERY_TWIN = 64;

/** The story of a seed; most have none. */
export function storyOf(seed: number, dice: Dice): Story | undefined {
  if (seed % EVERY_TWIN === 3) return lateTwin(dice);
  if (seed % EVERY !== EVERY - 1) return undefined;
  const stories = [usedUpLimit, openRemoval, openDestroy, editedLoss];
  return dice.pick([...stories, secondEntry, secondEntry])(dice);
}

/** Two entries of state have one id, while the program changes. */
const secondEntry = (dice: Dice): Story => ({
  switches: { duplicateCidr: dice.pick(['400', 'accepted']) },
  tell: (script) => {
    script.edit('add set', 'add rule', dice.pick(['add set', 'add module', 'add filter']));
    script.run('up');
    script.duplicate();
    script.edit(...editKinds.filter(() => dice.isLucky(0.1)));
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
      'add module',
      'add filter',
      'add set',
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
const openDestroy = (): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  tell: (script) => {
    leaveRuleInDoubt(script);
    script.run('destroy');
  },
});

/** A rule of a set may exist or not, and its description is edited before the next `up`. */
const editedLoss = (): Story => ({
  switches: { rateLimit: 0 },
  settings: {},
  tell: (script) => {
    leaveRuleInDoubt(script);
    script.edit('reword', 'reword', 'reword');
    script.run('up');
  },
});

/** The create of a rule of a set is lost for good: the rule may exist or not. */
function leaveRuleInDoubt(script: Script): void {
  script.edit('add set');
  const weather = script.weather([
    { method: 'POST', kind: '500 though done', nth: 1, times: 1 + script.dice.below(4) },
    { method: 'LIST', kind: '500', nth: 1, times: 50 },
  ]);
  script.run('up', { weather });
  script.wait(60_000);
}
