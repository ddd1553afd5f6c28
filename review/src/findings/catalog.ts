import { accessCatalog } from './catalog-access';
import { driftCatalog } from './catalog-drift';
import { feedCatalog } from './catalog-feeds';
import { moduleCatalog } from './catalog-modules';
import { processCatalog } from './catalog-process';
import { ruleCatalog } from './catalog-rules';
import type { FindingKind } from './severity';

/** Every kind of finding by its id. Ids are a public contract: waivers and code-scanning rules name them. */
export const CATALOG = {
  ...accessCatalog,
  ...ruleCatalog,
  ...moduleCatalog,
  ...driftCatalog,
  ...processCatalog,
  ...feedCatalog,
} as const satisfies Record<string, FindingKind>;

/** The id of a kind of finding. */
export type FindingId = keyof typeof CATALOG;

/** All ids, in the order of the catalog. */
export const FINDING_IDS = Object.keys(CATALOG) as FindingId[];

/** Whether a text is the id of a kind of finding. */
export const isFindingId = (text: string): text is FindingId => Object.hasOwn(CATALOG, text);
