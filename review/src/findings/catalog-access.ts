import type { FindingKind } from './severity';

/** Findings about IP policies. */
export const accessCatalog = {
  'access-widened': {
    title: 'Addresses gain access',
    severity: 'medium',
    about: 'change',
    advice: 'Check that each of these networks should have access.',
  },
  'access-narrowed': {
    title: 'Addresses lose access',
    severity: 'low',
    about: 'change',
    advice: 'Check that nobody in the lost networks still needs access.',
  },
  'open-to-all': {
    title: 'A whole address family is let in',
    severity: 'critical',
    about: 'state',
    advice:
      'Allow the networks that need access instead, or waive this with a reason if the endpoint is meant to be public.',
  },
  'open-to-most': {
    title: 'At least half of an address family is let in',
    severity: 'high',
    about: 'state',
    advice: 'Look for a prefix length that is too short, or waive this with a reason.',
  },
  'nobody-let-in': {
    title: 'A policy lets nobody in',
    severity: 'high',
    about: 'state',
    advice: 'Add an allow rule that no deny rule covers, or detach the policy from its endpoint first.',
  },
  'access-undecided': {
    title: 'The effect on some addresses is undecided',
    severity: 'medium',
    about: 'change',
    advice: 'Check the networks listed as the upper bound, or make hidden and unknown values visible.',
  },
  'end-moved': {
    title: 'A rule that ends lets someone in for longer',
    severity: 'medium',
    about: 'change',
    advice: 'Check that the reason for the exception still holds, and that the new end is soon enough.',
  },
  'rule-ended': {
    title: 'A rule that has ended is still live',
    severity: 'medium',
    about: 'change',
    advice: 'Run pulumi up, which deletes the rule, and schedule one; or give the rule a later end.',
  },
  'end-required': {
    title: 'A rule has no end although the gate asks for one',
    severity: 'high',
    about: 'change',
    advice: 'Declare the rule in a set, with an until that the gate allows.',
  },
  'exclusive-set-takes-over': {
    title: 'A set takes over a whole policy',
    severity: 'medium',
    about: 'change',
    advice: 'Review with --live, which counts the rules that the set will delete.',
  },
  'overwrite-not-seen': {
    title: 'The objects to be taken over were not seen',
    severity: 'medium',
    about: 'change',
    advice: 'Review with --live, which begins with what the service holds there.',
  },
  'exclusive-set-contested': {
    title: 'An exclusive set and other rules share a policy',
    severity: 'high',
    about: 'state',
    advice:
      'Move the other rules into the set, or set exclusive to false: the set deletes rules that are not its own.',
  },
  'deny-removed': {
    title: 'A deny rule is removed',
    severity: 'low',
    about: 'change',
    advice: 'Check that the reason for the block is gone.',
  },
  'replacement-gap': {
    title: 'A rule is briefly absent while it is replaced',
    severity: 'low',
    about: 'change',
    advice: 'Apply at a quiet time, or add the new rule in a separate change before the old one is removed.',
  },
  'network-handed-over': {
    title: 'A network moves from one resource to another',
    severity: 'low',
    about: 'change',
    advice:
      'Remove it from one and add it to the other in two separate changes: the service may refuse two rules for one network.',
  },
  'left-on-service': {
    title: 'A resource leaves the stack but stays on the service',
    severity: 'medium',
    about: 'change',
    advice: 'Note who is responsible for it now, or remove the option retainOnDelete so that it is deleted.',
  },
  'rule-covered': {
    title: 'A rule is redundant: a wider rule does the same',
    severity: 'low',
    about: 'state',
    advice: 'Remove the narrower rule, or the wider one if it was not meant.',
  },
  'rule-covered-by-union': {
    title: 'A rule is redundant: narrower rules together do the same',
    severity: 'info',
    about: 'state',
    advice: 'Keep either the rule or the narrower ones, not both.',
  },
  'allow-without-effect': {
    title: 'An allow rule has no effect: deny rules cover it',
    severity: 'low',
    about: 'state',
    advice: 'Remove the allow rule, or narrow the deny rules if its sources should get in.',
  },
  'deny-without-effect': {
    title: 'A deny rule has no effect: nothing it covers is allowed',
    severity: 'info',
    about: 'state',
    advice: 'Remove it, or keep it deliberately as a guard against later allow rules.',
  },
  'rules-mergeable': {
    title: 'Rules can be merged',
    severity: 'info',
    about: 'state',
    advice: 'Replace the neighbouring rules with the wider networks shown.',
  },
  'rules-contradict': {
    title: 'One network is both allowed and denied',
    severity: 'low',
    about: 'state',
    advice: 'Decide which of the two is meant and remove the other.',
  },
  'cidr-declared-twice': {
    title: 'One network is declared twice',
    severity: 'medium',
    about: 'state',
    advice: 'Remove one of the two: the service may refuse the second, and deleting one may delete both.',
  },
  'one-family-only': {
    title: 'Only one address family is let in',
    severity: 'info',
    about: 'state',
    advice: 'Add rules for the other family if your users have such addresses.',
  },
  'set-too-large': {
    title: 'A set has more rules than the gate allows',
    severity: 'high',
    about: 'state',
    advice:
      'Aggregate the networks, select fewer of them, or split the set; otherwise raise maxRules in the gate.',
  },
  'special-network-allowed': {
    title: 'A network with no outside visitors is allowed',
    severity: 'low',
    about: 'state',
    advice: 'Check for a mistyped or left-over example network.',
  },
} as const satisfies Record<string, FindingKind>;
