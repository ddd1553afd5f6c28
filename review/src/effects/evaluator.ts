import type { SubjectAccess } from '../access/subject-access';
import type { FinderContext } from '../findings/assumptions';
import type { Finding } from '../findings/finding';
import type { Snapshot } from '../model/declarations';
import type { StackChange } from '../model/snapshot';

/** What a review knows of a kind of module, besides the provider's table of its fields, name and parent. */
export interface ModuleEvaluator {
  evaluate(stack: StackChange, context: FinderContext): Evaluation;
  stateFindings(snapshot: Snapshot, context: FinderContext): Finding[];
}

export interface Evaluation {
  readonly accesses: readonly SubjectAccess[];
  changeFindings(): Finding[];
}
