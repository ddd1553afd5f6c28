import { type CidrSet, complement, emptyCidrSet, intersect } from '../access/cidr-set';
import type { AddressBounds, BoundedChange } from '../access/bounds';
import { boundsOfAny, changeInAny, exactly, independently, isExact } from '../access/bounds';
import { contentOf, type Program, type ProgramStep, textOf } from './traffic-program';
import { compile, type Compiled, run, variablesOf } from './run-program';

export interface Side {
  readonly programs: readonly Program[];
  /** The variable that chooses among the programs; the first is in force unless its value is another one's index. */
  readonly choice: string;
}

/** A comparison, and whether it went through all values of all variables. */
export interface Comparison extends BoundedChange {
  readonly isComplete: boolean;
}

/** How many parts of conditions, and boundaries of sets, one comparison may visit before it stops distinguishing all cases: a second or two. */
const MAX_VISITS = 10_000_000;

/** Both sides are run for each choice of values for conditions that are not about the address, as long as a choice matters. */
export function compareSides(before: Side, after: Side): Comparison {
  const [left, right] = [prepare(before), prepare(after)];
  if (contentsOf(before) === contentsOf(after)) {
    const bounds = left.run(new Map());
    const nobody = exactly(emptyCidrSet);
    return { before: bounds, after: bounds, gained: nobody, lost: nobody, isComplete: true };
  }
  const variables = new Map<string, Set<string>>();
  for (const side of [before, after]) {
    if (side.programs.length > 1)
      variables.set(side.choice, new Set(side.programs.slice(1).map((_, index) => `${index + 1}`)));
    for (const { steps } of side.programs) variablesOf(steps, variables);
  }
  const search = new Search(left, right, variables);
  const change = search.from(new Map());
  if (search.isComplete) return { ...change, isComplete: true };
  return { ...narrowedByCommonSteps(change, before, after), isComplete: false };
}

const contentsOf = ({ programs }: Side): string => JSON.stringify(programs.map(contentOf));

interface Runnable {
  readonly cost: number;
  run(assignment: ReadonlyMap<string, string>): AddressBounds;
}

function prepare({ programs, choice }: Side): Runnable {
  const compiled: readonly Compiled[] = programs.map(compile);
  return {
    // The results of several programs are joined one after the other.
    cost: compiled.reduce((sum, { cost }) => sum + cost, 0) * compiled.length,
    run(assignment) {
      const chosen = assignment.get(choice);
      if (chosen !== undefined || compiled.length === 1) {
        return run(compiled[Number(chosen ?? 0)] ?? { steps: [], cost: 0 }, assignment);
      }
      return boundsOfAny(compiled.map((program) => run(program, assignment)));
    },
  };
}

class Search {
  isComplete = true;
  private left = MAX_VISITS;
  private readonly names: readonly string[];

  constructor(
    private readonly before: Runnable,
    private readonly after: Runnable,
    private readonly variables: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.names = [...variables.keys()];
  }

  from(assignment: ReadonlyMap<string, string>): BoundedChange {
    const [before, after] = [this.before.run(assignment), this.after.run(assignment)];
    if (isExact(before) && isExact(after)) return independently(before, after);
    const name = this.names[assignment.size];
    if (name === undefined) return independently(before, after);
    const values = [...(this.variables.get(name) ?? []), ''];
    const cost = this.before.cost + this.after.cost + assignment.size;
    this.left -= cost * values.length;
    if (this.left < 0) {
      this.isComplete = false;
      return independently(before, after);
    }
    return changeInAny(values.map((value) => this.from(new Map(assignment).set(name, value))));
  }
}

/** Refusals on both sides change nothing: with too many cases, only the addresses that they leave can be gained or lost. */
function narrowedByCommonSteps(change: BoundedChange, before: Side, after: Side): BoundedChange {
  const [left, right] = [before.programs[0], after.programs[0]];
  if (before.programs.length + after.programs.length !== 2 || !left || !right) return change;
  if (![...left.steps, ...right.steps].every((step) => step.kind === 'refuse')) return change;
  const ownBefore = refusedBy(onlyIn(left, right));
  const ownAfter = refusedBy(onlyIn(right, left));
  return {
    ...change,
    // A gained address was refused by a step that is removed; a lost one is refused by a new step.
    gained: { ...change.gained, possibly: intersect(change.gained.possibly, ownBefore) },
    lost: { ...change.lost, possibly: intersect(change.lost.possibly, ownAfter) },
  };
}

function onlyIn(program: Program, other: Program): ProgramStep[] {
  const common = new Set(other.steps.filter(isSteady).map(textOf));
  return program.steps.filter((step) => !isSteady(step) || !common.has(textOf(step)));
}

function isSteady(step: ProgramStep): step is ProgramStep & { readonly kind: 'refuse' } {
  return step.kind === 'refuse' && [...variablesOf([step]).keys()].every((name) => !name.includes('#'));
}

/** An upper bound. */
const refusedBy = (steps: readonly ProgramStep[]): CidrSet =>
  complement(run(compile({ steps, content: [] }), new Map()).surely);
