import { accessCatalog } from './catalog-access';
import { moduleCatalog } from './catalog-modules';
import { processCatalog } from './catalog-process';
import type { Severity } from './severity';

/** What is said of every finding of a kind; docs/findings.md shows an example of each. */
export interface FindingKind {
  readonly title: string;
  /** The usual severity; a finding may be worse or milder where its size says so. */
  readonly severity: Severity;
  /**
   * `change`: says what the change does. `state`: says what is odd about a declaration, before or after, and counts
   * only if the change brings it. `undecidable`: says that nothing may be concluded.
   */
  readonly about: 'change' | 'state' | 'undecidable';
  /** What to do about it. */
  readonly advice: string;
}

/** Every kind of finding by its id. Ids are a public contract: waivers and code-scanning rules name them. */
export const CATALOG = { ...accessCatalog, ...moduleCatalog, ...processCatalog } as const satisfies Record<
  string,
  FindingKind
>;

/** The id of a kind of finding. */
export type FindingId = keyof typeof CATALOG;

/** All ids, in the order of the catalog. */
export const FINDING_IDS = Object.keys(CATALOG) as FindingId[];

/** Whether a text is the id of a kind of finding. */
export const isFindingId = (text: string): text is FindingId => Object.hasOwn(CATALOG, text);
