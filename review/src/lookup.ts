import { addressesInWords, amountOf, familyName } from './text/amounts';
import { lowerCased, say, type Sentence, trusted } from './text/sentence';
import { type CidrSet, sizeOf } from './access/cidr-set';
import { publicSizes } from './access/public-space';

// What a page in a browser needs: decisions about addresses and single user agents, from what is declared. The proofs about all
// user agents need automata, which are large: whoever writes such a page stores their results.
export { type CidrSet, covers, emptyCidrSet, isEmptyCidrSet, touches } from './access/cidr-set';
export { type AddressBounds, isExact } from './access/bounds';
export type { AddressAccess, Doubt, SubjectKind, UserAgentShift } from './access/subject-access';
export { doubtsOf, looksAtUserAgents, SUBJECT_KINDS, titleOfKind } from './access/subject-access';
export { policyChanges, type PolicyChange, unplacedPolicies } from './access/policy-change';
export { type RuleEffect, ruleEffects } from './access/rule-effects';
export { Explainer } from './explain/explainer';
export type { Answer, Decision } from './explain/question';
export type { Assumptions } from './findings/assumptions';
export type { ExplainedClients } from './traffic/explain-clients';
export { textsOf } from './model/changed-rules';
export type { Origin, RuleDeclaration, Snapshot } from './model/declarations';
export { endOfRule, snapshotAt } from './model/ending-rules';
export type { ResourceChange, ResourceSide as ReviewedResource } from './model/resource-change';
export { declaredBy, snapshotOf, type StackChange, stackChangeOf } from './model/snapshot';
export { compareText, count, momentInWords, isForeign, type Sentence, withThousands } from './text/sentence';
export { plain, visible } from './text/escape';
export { trafficPoliciesOf, trafficRulesOf } from './traffic-policy/traffic-rules';
export { filtersOf, patternsIn } from './user-agents/user-agent-model';

/** How many addresses of each family are in a set, IPv4 first; of nearly all addresses, how many are not. */
export const amountsInWords = (set: CidrSet): Sentence[] =>
  publicSizes(set).map(({ family, share }) => {
    const size = sizeOf(set, family);
    if (share >= 0.5) return lowerCased(addressesInWords(family, size, share));
    const amount = size === 0n ? trusted('no') : amountOf(size);
    return say`${amount} ${trusted(familyName(family))} ${trusted(size === 1n ? 'address' : 'addresses')}`;
  });
