import type { FindingKind } from './severity';

/** Findings about rules that have no effect, overlap or contradict each other. */
export const ruleCatalog = {
  'rule-covered': {
    title: 'A rule is redundant: a wider rule does the same',
    severity: 'low',
    about: 'state',
    posture: 'stack',
    advice: 'Remove the narrower rule, or the wider one if it was not intended.',
  },
  'rule-covered-by-union': {
    title: 'A rule is redundant: narrower rules together do the same',
    severity: 'info',
    about: 'state',
    posture: 'none',
    advice: 'Keep either the rule or the narrower ones, not both.',
  },
  'allow-without-effect': {
    title: 'An allow rule has no effect: deny rules cover it',
    severity: 'low',
    about: 'state',
    posture: 'stack',
    advice: 'Remove the allow rule, or narrow the deny rules if its sources should get in.',
  },
  'deny-without-effect': {
    title: 'A deny rule has no effect: nothing it covers is allowed',
    severity: 'info',
    about: 'state',
    posture: 'none',
    advice: 'Remove it, or keep it deliberately as a guard against later allow rules.',
  },
  'cidr-declared-twice': {
    title: 'One network is declared twice',
    severity: 'medium',
    about: 'state',
    posture: 'stack',
    advice: 'Remove one of the two: the service may refuse the second, and deleting one may delete both.',
  },
  'set-too-large': {
    title: 'A set has more rules than the gate allows',
    severity: 'high',
    about: 'state',
    posture: 'one-resource',
    advice:
      'Aggregate the networks, select fewer of them, or split the set; otherwise raise maxRules in the gate.',
  },
} as const satisfies Record<string, FindingKind>;
