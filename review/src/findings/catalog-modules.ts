import type { FindingKind } from './severity';

/** Findings about the traffic policy and user agent filter modules. */
export const moduleCatalog = {
  'protection-lost': {
    title: 'A module no longer protects anything',
    severity: 'high',
    about: 'change',
    advice: 'Check that this is intended, and note when the protection returns.',
  },
  'module-off': {
    title: 'A module is declared but off',
    severity: 'low',
    about: 'state',
    posture: 'one-resource',
    advice: 'Set enabled to true, or remove the module.',
  },
  'module-declared-twice': {
    title: 'One module is declared twice',
    severity: 'high',
    about: 'state',
    posture: 'stack',
    advice:
      'Keep one declaration: the two overwrite each other, and deleting one removes the protection of both.',
  },
  'traffic-policy-unreadable': {
    title: 'A traffic policy cannot be read',
    severity: 'medium',
    about: 'evidence',
    posture: 'one-resource',
    advice: 'Write the policy as an object whose key inbound holds the rules.',
  },
  'traffic-rule-changed': {
    title: 'A traffic policy rule is added, removed, moved or changed',
    severity: 'info',
    about: 'change',
    advice: 'Compare its old and new expressions and actions, and its place among the other rules.',
  },
  'traffic-phase-mistyped': {
    title: 'The name of a traffic policy phase is misspelled',
    severity: 'medium',
    about: 'state',
    posture: 'one-resource',
    advice: 'Correct the name of the phase: its rules never run.',
  },
  'user-agents-widened': {
    title: 'User agents gain access',
    severity: 'medium',
    about: 'change',
    advice: 'Check that these clients should get in.',
  },
  'user-agents-may-change': {
    title: 'Some user agents may gain or lose access',
    severity: 'medium',
    about: 'change',
    advice:
      'Read the changed patterns, make hidden ones visible, or write them so that they can be compared: no word boundaries, no ' +
      'Unicode classes.',
  },
  'user-agents-narrowed': {
    title: 'User agents lose access',
    severity: 'low',
    about: 'change',
    advice: 'Check that no user, monitor or health check among these is locked out.',
  },
  'user-agent-pattern-invalid': {
    title: 'A user agent pattern is not valid RE2',
    severity: 'high',
    about: 'evidence',
    posture: 'one-resource',
    advice: 'Rewrite the pattern without look-around or back-references.',
  },
  'user-agent-filter-open': {
    title: 'A user agent filter keeps nobody out',
    severity: 'medium',
    about: 'state',
    posture: 'one-resource',
    advice: 'Add the deny pattern .* if only the allowed clients should get in, or remove the filter.',
  },
} as const satisfies Record<string, FindingKind>;
