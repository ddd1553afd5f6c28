import { accessKinds } from './access';
import { driftKinds } from './drift';
import { endKinds } from './ends';
import { feedKinds } from './feeds';
import { findingOf } from './finding';
import { hiddenValueKinds } from './hidden-values';
import { moduleKinds } from './modules';
import { gateKinds, guardKinds } from './process';
import { ruleKinds } from './rules';
import { serviceKinds } from './services';
import { type FindingKind, isAtLeast } from './severity';
import { trafficPolicyKinds } from './traffic-policies';
import { upKinds } from './up';
import { userAgentFilterKinds } from './user-agent-filters';
import { userAgentKinds } from './user-agents';

/** The kinds of finding by the page that describes them, each beside what finds it. */
export const PAGES = {
  access: { ...accessKinds, ...endKinds, ...upKinds },
  rules: ruleKinds,
  modules: { ...moduleKinds, ...trafficPolicyKinds, ...userAgentKinds, ...userAgentFilterKinds },
  process: { ...hiddenValueKinds, ...gateKinds, ...serviceKinds, ...guardKinds },
  outside: { ...driftKinds, ...feedKinds },
};

const catalog = { ...PAGES.access, ...PAGES.rules, ...PAGES.modules, ...PAGES.process, ...PAGES.outside };

/** The id of a kind of finding. */
export type FindingId = keyof typeof catalog;

/** Every kind of finding by its id. Ids are a public contract: waivers and code-scanning rules name them. */
export const CATALOG: Readonly<Record<FindingId, FindingKind>> = catalog;

/** Makes a finding of any kind. The files that this one imports cannot import it: they make findings of their own kinds. */
export const finding = findingOf(CATALOG);

/** All ids, in the order of the catalog. */
export const FINDING_IDS = Object.keys(CATALOG) as FindingId[];

/** Whether a text is the id of a kind of finding. */
export const isFindingId = (text: string): text is FindingId => Object.hasOwn(CATALOG, text);

/** A kind of finding that can be judged without a state before the change: its id, and what the catalog says of it. */
export type PostureKind = FindingKind & {
  readonly id: FindingId;
  /** Whether one resource decides it, independently of the rest of the stack. */
  readonly isOfOneResource: boolean;
  /** Whether it reports something unknown, as is usual before the first `up`. */
  readonly isOfTheUnknown: boolean;
  /** Whether a review stops at it by default: see `DEFAULT_FAIL_ON`. */
  readonly isSevere: boolean;
};

/** All kinds of posture, in the order of the catalog. */
export const POSTURE_KINDS: readonly PostureKind[] = FINDING_IDS.flatMap((id) => {
  const kind = CATALOG[id];
  const { posture = 'none', severity } = kind;
  return posture === 'none'
    ? []
    : {
        ...{ id, ...kind },
        isOfOneResource: posture === 'one-resource',
        isOfTheUnknown: posture === 'unknown',
        isSevere: isAtLeast(severity, 'high'),
      };
});

/** Whether it needs no state before the change. */
export const isPosture = (id: FindingId): boolean => POSTURE_KINDS.some((kind) => kind.id === id);
