import type { Switches } from '../../emulator/src/index';
import type { Dice } from '../support/dice';
import type { Life, RunStep, Step } from './life';
import type { NetworkFault } from './network/faults';

/** A life on a service that does not tell the whole truth, each time in a way that docs/reliability.md has an answer to. */
export function withLies(life: Life, dice: Dice): Life {
  const lies = liesOf(dice);
  const all = JSON.stringify(life.steps);
  // The id of a lost create is unknown: if a delete by others or by this run cuts the list, nobody can find its rule.
  if (/"POST"|"death"/.test(all)) delete lies.listPages;
  // Behind a 404 that says nothing, nobody can know whether a rule of the list is live: a run fails, and a later one goes on.
  if (life.switches.missingRule === 'empty') delete lies.deletedListedMs;
  // A list with one rule a page would take longer than an operation may.
  if (life.switches.rateLimit !== undefined) delete lies.pageSize;
  const switches = { ...life.switches, ...lies };
  const isCut = switches.listPages === 'offset';
  // No declaration has what `ignoreChanges` keeps of a cut text.
  const isTrimmed = !all.includes('ignoredText');
  const steps = life.steps.map((step) => lied(step, dice, { isCut, isTrimmed }));
  return { ...life, switches, steps, ...(isCut ? { crowd: Math.max(life.crowd, 12) } : {}) };
}

function liesOf(dice: Dice): Partial<Switches> {
  const lies: Partial<Switches>[] = [
    { deletedListedMs: dice.pick([500, 3_000, 8_000]) },
    { listPages: 'offset', pageSize: dice.pick([1, 3]) },
    { ruleIds: 'any' },
    { moduleLagMs: dice.pick([300, 3_000]) },
    { createdAtAheadMs: dice.pick([-3_000, -2_000, 2_000, 8_000]) },
    { partialPatch: 'cleared' },
    { equalPost: 'existing' },
  ];
  return Object.assign({}, ...lies.filter(() => dice.isLucky(0.2))) as Partial<Switches>;
}

/** In a run, others may delete rules while lists are read, and the service may store texts without their last character. */
function lied(
  step: Step,
  dice: Dice,
  { isCut, isTrimmed }: { readonly isCut: boolean; readonly isTrimmed: boolean },
): Step {
  if (!('weather' in step)) return step;
  const leaving: Partial<RunStep> = isCut && dice.isLucky(0.6) ? { leaving: 1 + dice.below(6) } : {};
  if (step.isUnhindered === true || !isTrimmed || !dice.isLucky(0.1)) return { ...step, ...leaving };
  const fault: NetworkFault = {
    method: dice.pick(['POST', 'PATCH']),
    kind: 'trimmed',
    nth: 1 + dice.below(3),
    times: dice.pick([1, 2, 4]),
  };
  return { ...step, ...leaving, weather: { ...step.weather, faults: [...step.weather.faults, fault] } };
}
