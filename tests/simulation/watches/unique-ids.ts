import type { World } from '../world';
import { Broken } from '../../support/invariants';
import { declaredThings, heldThings } from '../../support/things';

/** The part of a run's result that matters here. */
export interface EndedRun {
  /** Whether the run knew the whole program: not with `--target`, nor in a refresh. */
  readonly isWhole: boolean;
  /** Whether it applied the whole program successfully. */
  readonly isApplied: boolean;
  /** Whether it reported that an id belongs to two resources. */
  readonly isTold: boolean;
  /** Whether others have changed or deleted objects, and state has not been refreshed since. */
  readonly isDrifted: boolean;
  /** The names of the resources that the engine has named: a failure ends a run before the rest. */
  readonly named: ReadonlySet<string>;
}

/**
 * I11. With `--target` the other resource is never named, and a refresh knows no program: so the next whole `up` must notice. A
 * resource in state whose registration arrives late fails after another one has taken its rule, or does not arrive at all. A
 * module that others have deleted is made again by a create, even if a diff has named it, as after an interrupted replacement:
 * the next `up` must notice that, too.
 */
export class UniqueIds {
  private knownTwice: readonly string[] = [];

  judge(world: World, { isWhole, isApplied, isTold, isDrifted, named }: EndedRun): void {
    const twice = idsHeldTwice(world, named);
    const fresh = twice.filter((id) => !this.knownTwice.includes(id));
    this.knownTwice = twice;
    const isMadeAgain = isDrifted && fresh.length > 0 && fresh.every((id) => !id.startsWith('ipr_'));
    if (isWhole && twice.length > 0 && !isMadeAgain && (isApplied || (fresh.length > 0 && !isTold)))
      throw new Broken('I11', `${twice.join(', ')} is held twice`);
  }
}

/**
 * The ids that two of the program's resources have. A resource that gave up its object, or was dropped, may share an id until
 * the engine gets to it.
 */
function idsHeldTwice({ engine, program }: World, named: ReadonlySet<string>): string[] {
  // Declarations with two providers, each in a process of its own, are only visible to `doctor` and the review.
  if (new Set(program.map(({ provider }) => provider)).size > 1) return [];
  const ids = program
    .filter(({ name }) => named.has(name))
    .flatMap((part) => {
      const effects = new Set(declaredThings([part]).map(({ effect }) => effect));
      return engine.state
        .filter(
          (entry) =>
            entry.name === part.name && entry.isDoomed !== true && entry.isPendingReplacement !== true,
        )
        .flatMap(heldThings)
        .filter(({ effect }) => effects.has(effect))
        .map(({ id = '' }) => id);
    });
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
