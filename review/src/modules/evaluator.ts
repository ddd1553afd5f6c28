// What for: what the review knows of each kind of module: whose access it decides, and what is to be said of that.
// Must not know: `effects`, `assertions`, `plan` and `report`.
import type { SubjectAccess } from '../access/subject-access';
import type { FinderContext } from '../assumptions/assumptions';
import type { Finding } from '../findings/finding';
import type { Snapshot } from '../model/declarations';
import type { StackChange } from '../model/snapshot';

/**
 * What a review knows of a kind of module beside the provider's table, which says its fields and words. Who gets in through an
 * edge and which clients a route lets in are different questions: each evaluator answers its own in its own terms.
 */
export interface ModuleEvaluator {
  /** Whose access it decides: that of connections through a TCP edge, or that of clients on a route. */
  readonly gates: Gate;
  /** Who gets in by the modules of this kind, before and after. */
  evaluate(stack: StackChange, context: FinderContext): Evaluation;
  /** What is odd about the modules that one side declares, besides what may be odd about any. */
  stateFindings(snapshot: Snapshot, context: FinderContext): Finding[];
}

/** What a module is in front of, as assertions and questions name it. */
export type Gate = 'tcp-edge' | 'route';

/** What the change does by the modules of one kind. */
export interface Evaluation {
  /** By each edge or route; those that are hidden count as one each. */
  readonly accesses: readonly SubjectAccess[];
  changeFindings(): Finding[];
}
