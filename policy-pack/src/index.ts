export type { Assertions } from './assertions';
export { edgePolicies, type EdgePoliciesOptions } from './edge-policies';
