import type { ListRule } from '../lists/rules-of-lists';
import { printableByEngine } from '../values/printable';
import { log } from './sdk';

export type { ListRule } from '../lists/rules-of-lists';

/** The options of {@link rulesFrom}. */
export interface RulesFromArgs {
  /** The name of a list in the file, or several names. Default: all lists of the file. */
  readonly list?: string | readonly string[];
}

/**
 * The rules for the named lists in a file of the repository: nothing is ever fetched. An entry with `until` ends by itself. A
 * network that several lists hold appears once, with the entry that lasts longest. The list is plain data, so you can combine it
 * with others. A network that is a whole address family, such as 0.0.0.0/0, prints a warning.
 *
 * @param file The file, relative to the working directory, which is the project if the CLI runs the program.
 * @throws Error that names the file, the list, the entry, the rule and the corrected value, if the file is missing or wrong.
 */
export function rulesFrom(file: string, { list = [] }: RulesFromArgs = {}): ListRule[] {
  const { rulesOfLists } = require('../lists/rules-of-lists') as typeof import('../lists/rules-of-lists');
  return rulesOfLists(file, typeof list === 'string' ? [list] : list, (line) => {
    void log.warn(printableByEngine(line));
  });
}
