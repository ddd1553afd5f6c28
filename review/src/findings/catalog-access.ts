import type { FindingKind } from './severity';

/** Findings about who gets in. */
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
    posture: 'stack',
    advice:
      'Allow the networks that need access instead, or waive this with a reason if the endpoint is meant to be public.',
  },
  'open-to-most': {
    title: 'At least half of an address family is let in',
    severity: 'high',
    about: 'state',
    posture: 'stack',
    advice: 'Look for a prefix length that is too short, or waive this with a reason.',
  },
  'nobody-let-in': {
    title: 'A policy lets nobody in',
    severity: 'high',
    about: 'state',
    posture: 'stack',
    advice: 'Add an allow rule that no deny rule covers, or detach the policy from its endpoint first.',
  },
  'access-may-change': {
    title: 'Some addresses may gain or lose access',
    severity: 'medium',
    about: 'change',
    advice: 'Check the networks listed as the upper bound, or make hidden and unknown values visible.',
  },
  'rule-ended': {
    title: 'A rule that has ended is still live',
    severity: 'medium',
    about: 'change',
    verdict: 'affects-access',
    advice: 'Run pulumi up, which deletes the rule, and schedule one; or give the rule a later end.',
  },
  'rule-left-out': {
    title: 'A rule has ended before it was declared',
    severity: 'low',
    about: 'change',
    posture: 'one-resource',
    advice: 'Correct its until, or remove the rule: it is never sent to the service.',
  },
  'end-required': {
    title: 'A rule has no end although the gate requires one',
    severity: 'high',
    about: 'change',
    posture: 'one-resource',
    advice: 'Declare the rule in a set, with an until that the gate allows.',
  },
  'exclusive-set-takes-over': {
    title: 'A set takes over a whole policy',
    severity: 'medium',
    about: 'change',
    verdict: 'affects-access',
    advice: 'Review with --live, which counts the rules that the set will delete.',
  },
  'exclusive-set-released': {
    title: 'A set gives up a whole policy',
    severity: 'medium',
    about: 'change',
    verdict: 'affects-access',
    advice: 'Keep a set exclusive, or let a scheduled job look for drift: it finds rules that others add.',
  },
  'overwrite-not-seen': {
    title: 'The objects to be taken over were not seen',
    severity: 'medium',
    about: 'change',
    advice: 'Review with --live, which starts from what the service holds there.',
  },
  'up-would-fail': {
    title: 'The up would stop half-way',
    severity: 'high',
    about: 'change',
    advice:
      'If a resource is only renamed or moved, give it an alias. Otherwise set overwriteExisting: true on the one that takes (a single rule that changes its network also needs a new name), or apply in two steps, first what gives up. If the service accepts two rules for one network, pass --duplicate-networks accepted.',
  },
  'exclusive-set-contested': {
    title: 'An exclusive set and other rules share a policy',
    severity: 'high',
    about: 'state',
    posture: 'stack',
    advice:
      'Move the other rules into the set, or set exclusive to false: the set deletes rules that are not its own.',
  },
  'replacement-gap': {
    title: 'A rule is briefly absent while it is replaced or moves',
    severity: 'low',
    about: 'change',
    verdict: 'affects-access',
    advice: 'Apply at a quiet time, or add the new rule in a separate change before the old one is removed.',
  },
  'left-on-service': {
    title: 'A resource leaves the stack but stays on the service',
    severity: 'medium',
    about: 'change',
    advice: 'Note who is responsible for it now, or remove the option retainOnDelete so that it is deleted.',
  },
} as const satisfies Record<string, FindingKind>;
