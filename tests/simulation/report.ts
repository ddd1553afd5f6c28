import { inspect } from 'node:util';
import { simulate, type Verdict } from './simulate';
import type { Life } from './life';

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
  let untried = reductions(failing.life);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const next = untried.next();
    if (next.done === true) break;
    const verdict = await simulate(next.value);
    if (verdict.invariant !== failing.invariant) continue;
    smallest = verdict;
    untried = reductions(verdict.life);
  }
  return smallest;
}

function* reductions(life: Life): Generator<Life> {
  // A resource goes from all programs at once, or each without it would make it anew.
  const programs = life.steps.flatMap((step) => (step.do === 'program' ? step.program : []));
  for (const gone of new Set(programs.map(({ name }) => name))) {
    const steps = life.steps.map((step) =>
      step.do === 'program' ? { ...step, program: step.program.filter(({ name }) => name !== gone) } : step,
    );
    yield { ...life, steps };
  }
  yield* simpler(life) as Generator<Life>;
}

/** The simplest value of a number that a life cannot do without. */
const simplest = new Map(Object.entries({ skewMs: 0, crowd: 0, parallel: 16, times: 1 }));

/** Members without which their owner is complete; every switch and every setting is one. */
const optional = new Set([
  ...['unknownForMs', 'clockSetAtMs', 'death', 'target', 'replace', 'refresh', 'continuesOnError', 'apartMs'],
  ...['hasNoFolder', 'crowdMs', 'leaving', 'dependsOn', 'aliases', 'provider', 'replaceOnChanges'],
  ...['isRefused', 'ignoredText'],
]);

/** The same without an element of a list, or a member of an object, or with a simpler one. The end of a list goes first. */
function* simpler(value: unknown, isOptional = false): Generator {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const indices = [...list.keys()].reverse();
    for (const index of indices) yield list.toSpliced(index, 1);
    for (const index of indices) for (const less of simpler(list[index])) yield list.with(index, less);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      if (isOptional || optional.has(name)) yield rest;
      if (simplest.has(name) && member !== simplest.get(name)) yield { ...value, [name]: simplest.get(name) };
      const isOwner = name === 'switches' || name === 'settings';
      for (const less of simpler(member, isOwner)) yield { ...value, [name]: less };
    }
  }
}
