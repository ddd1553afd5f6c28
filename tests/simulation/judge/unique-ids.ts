import type { World } from '../world';
import { Broken } from './broken';
import { declaredThings, heldThings } from '../../support/things';

/** The part of a run's result that matters here. */
export interface EndedRun {
  /** Whether the run knew the whole program: not with `--target`, nor in a refresh. */
  readonly isWhole: boolean;
  /** Whether it applied the whole program successfully. */
  readonly isApplied: boolean;
  /** Whether it reported that an id belongs to two resources. */
  readonly isTold: boolean;
}

/**
 * I11. With `--target` the other resource is never named, and a refresh knows no program: so the next whole `up` must notice. A
 * resource in state whose registration arrives late fails after another one has taken its rule; if one of its dependencies
 * fails, it does not arrive at all.
 */
export class UniqueIds {
  private knownTwice: readonly string[] = [];

  judge(world: World, { isWhole, isApplied, isTold }: EndedRun): void {
    const twice = idsHeldTwice(world, isApplied);
    const isNew = twice.some((id) => !this.knownTwice.includes(id));
    this.knownTwice = twice;
    if (isWhole && twice.length > 0 && (isApplied || (isNew && !isTold)))
      throw new Broken('I11', `${twice.join(', ')} is held twice`);
  }
}

/**
 * The ids that two of the program's resources have. A resource that gave up its object, or was dropped, may share an id until
 * the engine gets to it.
 */
function idsHeldTwice({ engine, program }: World, isAllNamed: boolean): string[] {
  const named = program.filter(({ dependsOn = [] }) => isAllNamed || dependsOn.length === 0);
  // Declarations with two providers, each in a process of its own, are only visible to `doctor` and the review.
  if (new Set(program.map(({ provider }) => provider)).size > 1) return [];
  const ids = named.flatMap((part) => {
    const effects = new Set(declaredThings([part]).map(({ effect }) => effect));
    return engine.state
      .filter(
        (entry) => entry.name === part.name && entry.isDoomed !== true && entry.isPendingReplacement !== true,
      )
      .flatMap(heldThings)
      .filter(({ effect }) => effects.has(effect))
      .map(({ id = '' }) => id);
  });
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
