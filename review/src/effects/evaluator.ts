import type { SubjectAccess } from '../access/subject-access';
import type { FinderContext } from '../findings/assumptions';
import type { Finding } from '../findings/finding';
import type { Snapshot } from '../model/declarations';
import type { StackChange } from '../model/snapshot';

/**
 * What a review knows of a kind of module, besides the provider's table with its fields, its name and its parent. Which addresses
 * and which user agents get in are different questions: each evaluator answers its own.
 */
export interface ModuleEvaluator {
  evaluate(stack: StackChange, context: FinderContext): Evaluation;
  /** Oddities of the modules that one side declares, besides those of any module. */
  stateFindings(snapshot: Snapshot, context: FinderContext): Finding[];
}

/** Findings about a change of modules of one kind. */
export interface Evaluation {
  /** By each edge or route; those that are hidden count as one each. */
  readonly accesses: readonly SubjectAccess[];
  changeFindings(): Finding[];
}
