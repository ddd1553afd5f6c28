import { accessKinds } from './access';
import { driftKinds } from './drift';
import { endKinds } from './ends';
import { feedKinds } from './feeds';
import { findingOf } from './finding';
import { hiddenValueKinds } from './hidden-values';
import { modelKinds } from './models';
import { moduleKinds } from './modules';
import { gateKinds, guardKinds } from './process';
import { ruleKinds } from './rules';
import { serviceKinds } from './services';
import type { FindingKind } from './severity';
import { trafficPolicyKinds } from './traffic-policies';
import { upKinds } from './up';
import { userAgentFilterKinds } from './user-agent-filters';
import { userAgentKinds } from './user-agents';

/** The kinds of finding by the page that describes them, each beside what finds it. */
export const PAGES = {
  access: { ...accessKinds, ...endKinds, ...upKinds, ...modelKinds },
  rules: ruleKinds,
  modules: { ...moduleKinds, ...trafficPolicyKinds, ...userAgentKinds, ...userAgentFilterKinds },
  process: { ...hiddenValueKinds, ...gateKinds, ...serviceKinds, ...guardKinds },
  outside: { ...driftKinds, ...feedKinds },
};

const catalog = { ...PAGES.access, ...PAGES.rules, ...PAGES.modules, ...PAGES.process, ...PAGES.outside };

export type FindingId = keyof typeof catalog;

/** Every kind of finding by its id. Ids are a public contract: waivers and code-scanning rules name them. */
export const CATALOG: Readonly<Record<FindingId, FindingKind>> = catalog;

/** Makes a finding of any kind. A family, which this file imports, makes findings of its own kinds. */
export const finding = findingOf(CATALOG);

export const FINDING_IDS = Object.keys(CATALOG) as FindingId[];

/** The kind of a finding, whose id the catalog has. */
export function kindOf(id: string): FindingKind {
  if (!isFindingId(id)) throw new Error(`The catalog lacks the kind ${id}.`);
  return CATALOG[id];
}

/** The place in the documentation that explains a kind of finding. */
export function pageOf(id: string): string {
  const [page = ''] = Object.entries(PAGES).find(([, kinds]) => Object.hasOwn(kinds, id)) ?? [];
  return `findings-${page}.md#${id}`;
}

export const isFindingId = (text: string): text is FindingId => Object.hasOwn(CATALOG, text);

/** The kinds of finding that can be judged without a state before the change, in the order of the catalog. */
export const POSTURE_KINDS = FINDING_IDS.map((id) => ({ id, ...CATALOG[id] })).filter(
  ({ posture = 'none' }) => posture !== 'none',
);

export type PostureKind = (typeof POSTURE_KINDS)[number];
