import type { IpModel } from '../access/evaluation-model';
import { CORPUS, type CorpusEntry } from '../user-agents/corpus';
import type { UserAgentModel } from '../user-agents/user-agent-model';

/** What a review assumes about behaviour that the API document leaves open. Every report names it. */
export interface Assumptions {
  readonly ipModel: IpModel;
  readonly userAgentModel: UserAgentModel;
  /** Phases of traffic policies that decide who gets in, in addition to the known ones. */
  readonly phases: readonly string[];
  /** Whether the service refuses a second rule for a network of one policy. */
  readonly duplicateNetworks: DuplicateNetworks;
}

export const DUPLICATE_NETWORKS = ['refused', 'accepted'] as const;

export type DuplicateNetworks = (typeof DUPLICATE_NETWORKS)[number];

export const DEFAULT_ASSUMPTIONS: Assumptions = {
  ipModel: 'deny-wins',
  userAgentModel: 'allow-wins',
  phases: [],
  duplicateNetworks: 'refused',
};

export interface FinderContext {
  readonly assumptions: Assumptions;
  readonly corpus: readonly CorpusEntry[];
}

export const DEFAULT_CONTEXT: FinderContext = { assumptions: DEFAULT_ASSUMPTIONS, corpus: CORPUS };
