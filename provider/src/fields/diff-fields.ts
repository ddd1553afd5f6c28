import { fieldsOf, isSameValue, type Properties } from './field';
import { containsUnknown } from '../values/unknowns';

/** The answer of diff. Replacements delete first, as the service may refuse a second object while the old one exists. */
export interface DiffOutcome {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares two property bags of a resource by its field table. Sends nothing. The engine compares old outputs with new inputs
 * at an update, and new outputs with old inputs at a refresh. A value that is not known yet counts as changed.
 */
export function diffFields(table: object, olds: object, news: object): DiffOutcome {
  const [before, after] = [olds as Properties, news as Properties];
  const changed = fieldsOf(table).filter(([name, field]) => {
    if (field.onChange === 'settings-only') return false;
    return containsUnknown(after[name]) || !isSameValue(field, before[name], after[name]);
  });
  const replaces = changed.filter(([, field]) => field.onChange === 'replace').map(([name]) => name);
  return { changes: changed.length > 0, replaces, deleteBeforeReplace: replaces.length > 0 };
}
