import { inspect } from 'node:util';
import { simulate, type Verdict } from './simulate';
import type { Life, RunStep, Step } from './life';
import type { Part, Program } from '../support/random-program/program';

const LONGEST_TIMELINE = 200;

/** A failing life in readable form: as small as possible, as text to store, with its time line. */
export async function explain(failing: Verdict): Promise<string> {
  const smallest = await shrink(failing);
  const { broken = '', timeline } = await simulate(smallest.life, true);
  return [
    `seed ${failing.life.seed}: ${failing.broken ?? ''}`,
    `the smallest life that fails in the same way (for tests/simulation/regressions.ts):`,
    inspect(smallest.life, { depth: null, breakLength: 110 }),
    ...timeline.slice(-LONGEST_TIMELINE),
    broken,
  ].join('\n');
}

/** Limits the number of tries, as more are not worth the wait. */
const MOST_TRIES = 1_000;

/** Removes from a failing life whatever it fails without, until nothing more can be removed. */
async function shrink(failing: Verdict): Promise<Verdict> {
  let smallest = failing;
  let tries = 0;
  for (let hasShrunk = true; hasShrunk && tries < MOST_TRIES;) {
    hasShrunk = false;
    for (const smaller of reductions(smallest.life)) {
      if ((tries += 1) > MOST_TRIES) break;
      const verdict = await simulate(smaller);
      if (verdict.invariant !== failing.invariant) continue;
      smallest = verdict;
      hasShrunk = true;
      break;
    }
  }
  return smallest;
}

function* reductions(life: Life): Generator<Life> {
  const { steps, switches } = life;
  for (let index = steps.length - 1; index >= 0; index -= 1)
    yield { ...life, steps: steps.toSpliced(index, 1) };
  yield* simplerPrograms(life);
  for (const [index, step] of steps.entries()) {
    for (const simpler of simplerSteps(step)) yield { ...life, steps: steps.with(index, simpler) };
  }
  for (const name of Object.keys(switches)) {
    const rest = Object.fromEntries(Object.entries(switches).filter(([other]) => other !== name));
    yield { ...life, switches: rest };
  }
  if (life.skewMs !== 0) yield { ...life, skewMs: 0 };
  if (life.crowd !== 0) yield { ...life, crowd: 0 };
  if (Object.keys(life.settings).length > 0) yield { ...life, settings: {} };
}

/** Without a resource, a rule of a set, or a property of a resource, everywhere or in one program only. */
function* simplerPrograms({ steps, ...life }: Life): Generator<Life> {
  const programs = steps.flatMap((step, index) => (step.do === 'program' ? [{ ...step, index }] : []));
  const names = new Set(programs.flatMap(({ program }) => program.map(({ name }) => name)));
  const edited = (edit: (program: Program) => Program): Life => ({
    ...life,
    steps: steps.map((step) => (step.do === 'program' ? { ...step, program: edit(step.program) } : step)),
  });
  for (const name of names) yield edited((program) => program.filter((part) => part.name !== name));
  for (const { program, index } of programs) {
    for (const [at, part] of program.entries()) {
      const simpler: readonly Program[] = [
        program.toSpliced(at, 1),
        ...simplerParts(part).map((one) => program.with(at, one)),
      ];
      for (const one of simpler) yield { ...life, steps: steps.with(index, { do: 'program', program: one }) };
    }
  }
}

const partOptions = [
  ...['dependsOn', 'link', 'aliases', 'provider', 'replaceOnChanges', 'isRefused', 'ignoredText'],
] as const;

function simplerParts(part: Part): Part[] {
  const fewer =
    part.kind === 'set' ? part.rules.map((_, at) => ({ ...part, rules: part.rules.toSpliced(at, 1) })) : [];
  const barer = partOptions.filter((option) => option in part).map((option) => omitted(part, option));
  return [...fewer, ...barer];
}

const omitted = (part: Part, option: string): Part =>
  Object.fromEntries(Object.entries(part).filter(([key]) => key !== option)) as unknown as Part;

function* simplerSteps(step: Step): Generator<Step> {
  if (!('weather' in step)) return;
  for (const option of options) {
    if (option in step) yield without(step, option);
  }
  const { weather } = step;
  for (const [index, fault] of weather.faults.entries()) {
    yield { ...step, weather: { ...weather, faults: weather.faults.toSpliced(index, 1) } };
    if (fault.times > 1) {
      const weaker = { ...fault, times: fault.times >> 1 };
      yield { ...step, weather: { ...weather, faults: weather.faults.with(index, weaker) } };
    }
  }
  if (step.parallel !== 16) yield { ...step, parallel: 16 };
}

const options = ['death', 'target', 'replace', 'refresh', 'continuesOnError', 'apartMs', 'crowdMs'] as const;

function without(step: RunStep, option: (typeof options)[number]): RunStep {
  const { [option]: _, ...rest } = step;
  return rest;
}
