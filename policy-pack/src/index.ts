export type { Assertions } from './assertions';
export { edgePolicies } from './edge-policies';
export type { EdgePoliciesOptions } from './edge-policies';
