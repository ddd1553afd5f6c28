import type { CidrSet } from '../access/cidr-set';
import { complement, emptyCidrSet, everything, intersect, subtract, unionAll } from '../access/cidr-set';
import { type AddressBounds, exactly } from '../access/bounds';
import { type Assignment, boundariesIn, boundsOfFormula, collectVariables, sizeOf } from './formula';
import type { Program, ProgramStep } from './traffic-program';

export interface Compiled {
  readonly steps: readonly ProgramStep[];
  /** The cost of a run: the parts of its conditions, and the boundaries of its sets. */
  readonly cost: number;
}

/** Prepares a program for many runs. The order of refusals does not matter, so consecutive ones are joined. */
export function compile({ steps }: Program): Compiled {
  const compiled: ProgramStep[] = [];
  let fixed: CidrSet[] = [];
  const flush = () => {
    if (fixed.length > 0) {
      const set = fixed.length === 1 ? (fixed[0] ?? emptyCidrSet) : unionAll(fixed);
      compiled.push({ kind: 'refuse', when: { kind: 'addresses', set }, set: everything });
    }
    fixed = [];
  };
  for (const step of steps) {
    if (step.kind === 'refuse' && step.when.kind === 'addresses')
      fixed.push(intersect(step.when.set, step.set));
    else {
      if (step.kind === 'unknown') flush();
      compiled.push(step);
    }
  }
  flush();
  const costs = compiled.map(
    (step) => sizeOf(step.when) + (step.kind === 'refuse' ? boundariesIn(step.set) : 0),
  );
  // Addresses that a step may let in for good matter for every step that follows.
  const letIn = compiled.reduce((sum, { kind, when }) => sum + (kind === 'unknown' ? sizeOf(when) : 0), 0);
  return { steps: compiled, cost: costs.reduce((sum, cost) => sum + cost, 1) + letIn * compiled.length };
}

export function run({ steps }: Compiled, assignment: Assignment): AddressBounds {
  const refused: { surely: CidrSet[]; possibly: CidrSet[] } = { surely: [], possibly: [] };
  // The addresses that have not been let in for good.
  let open = exactly(everything);
  for (const step of steps) {
    const when = boundsOfFormula(step.when, assignment);
    const outcome = step.kind === 'refuse' ? 'refuses' : assignment.get(step.name);
    const set = step.kind === 'refuse' ? step.set : everything;
    if (outcome === 'refuses') refused.surely.push(intersect(intersect(when.surely, open.surely), set));
    if (outcome === 'refuses' || outcome === undefined)
      refused.possibly.push(intersect(intersect(when.possibly, open.possibly), set));
    if (outcome === 'admits' || outcome === undefined) {
      open = {
        surely: subtract(open.surely, when.possibly),
        possibly: outcome === 'admits' ? subtract(open.possibly, when.surely) : open.possibly,
      };
    }
  }
  const possibly = notIn(refused.surely);
  const isExact = refused.surely.every((set, index) => set === refused.possibly[index]);
  const isDecided = isExact && refused.surely.length === refused.possibly.length;
  return { surely: isDecided ? possibly : notIn(refused.possibly), possibly };
}

const notIn = (sets: readonly CidrSet[]): CidrSet =>
  sets.includes(everything) ? emptyCidrSet : complement(unionAll(sets));

const OUTCOMES = ['refuses', 'admits'];

export function variablesOf(
  steps: readonly ProgramStep[],
  into = new Map<string, Set<string>>(),
): ReadonlyMap<string, ReadonlySet<string>> {
  for (const step of steps) {
    collectVariables(step.when, into);
    if (step.kind === 'unknown') into.set(step.name, new Set(OUTCOMES));
  }
  return into;
}
