import type { FindingKind } from './severity';

/** Findings about the traffic policy and user agent filter modules. */
export const moduleCatalog = {
  'protection-lost': {
    title: 'A module no longer protects anything',
    severity: 'high',
    about: 'change',
    advice: 'Check that this is meant, and note when the protection will be back.',
  },
  'module-removed': {
    title: 'A module is removed',
    severity: 'low',
    about: 'change',
    advice: 'Check that nothing relies on it any more: its protection ends with this change.',
  },
  'module-disabled': {
    title: 'A module is switched off',
    severity: 'low',
    about: 'change',
    advice: 'Check that this is meant, and note when it will be switched on again.',
  },
  'module-off': {
    title: 'A module is declared but off',
    severity: 'low',
    about: 'state',
    advice: 'Set enabled to true, or remove the module.',
  },
  'module-declared-twice': {
    title: 'One module is declared twice',
    severity: 'high',
    about: 'state',
    advice:
      'Keep one declaration: the two overwrite each other, and deleting one removes the protection of both.',
  },
  'traffic-policy-unreadable': {
    title: 'A traffic policy cannot be read',
    severity: 'medium',
    about: 'undecidable',
    advice: 'Write the policy as an object whose key inbound holds the rules.',
  },
  'traffic-rule-added': {
    title: 'A traffic policy rule is added',
    severity: 'info',
    about: 'change',
    advice: 'Check its expressions and its place among the other rules.',
  },
  'traffic-rule-removed': {
    title: 'A traffic policy rule is removed',
    severity: 'info',
    about: 'change',
    advice: 'Check that what the rule did is no longer needed.',
  },
  'traffic-rule-moved': {
    title: 'A traffic policy rule is moved',
    severity: 'info',
    about: 'change',
    advice: 'Check that no rule it moved past now decides first.',
  },
  'traffic-rule-changed': {
    title: 'A traffic policy rule is changed',
    severity: 'info',
    about: 'change',
    advice: 'Compare its old and new expressions and actions.',
  },
  'traffic-phase-mistyped': {
    title: 'A phase of a traffic policy is mistyped',
    severity: 'medium',
    about: 'state',
    advice: 'Correct the name of the phase: its rules never run.',
  },
  'traffic-rule-unreachable': {
    title: 'A traffic policy rule is never reached',
    severity: 'low',
    about: 'state',
    advice: 'Move the rule before the one that ends the evaluation, or remove it.',
  },
  'traffic-rule-name-duplicate': {
    title: 'Traffic policy rules share a name',
    severity: 'low',
    about: 'state',
    advice: 'Give each rule a name of its own, so that changes can be told apart.',
  },
  'user-agents-widened': {
    title: 'User agents gain access',
    severity: 'medium',
    about: 'change',
    advice: 'Check that these clients should get in.',
  },
  'user-agents-undecided': {
    title: 'The effect on some user agents is undecided',
    severity: 'medium',
    about: 'change',
    advice:
      'Read the changed patterns, make hidden ones visible, or write them so that they can be compared: no word boundaries, no Unicode classes.',
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
    about: 'undecidable',
    advice: 'Rewrite the pattern without look-around or back-references.',
  },
  'user-agent-pattern-finds-empty': {
    title: 'A user agent pattern matches the empty string',
    severity: 'medium',
    about: 'state',
    advice:
      'Make the pattern require at least one character, unless it is meant for clients without the header.',
  },
  'user-agent-pattern-unmatched': {
    title: 'A user agent pattern matches no client of the corpus',
    severity: 'info',
    about: 'state',
    advice: 'Check for a typo, or pass your own clients with --user-agents.',
  },
  'user-agent-pattern-duplicate': {
    title: 'A user agent pattern is listed twice',
    severity: 'low',
    about: 'state',
    advice: 'Remove the duplicate, or decide whether the pattern allows or denies.',
  },
  'user-agent-allow-only': {
    title: 'A user agent filter has allow patterns only',
    severity: 'medium',
    about: 'state',
    advice: 'Add the deny pattern .* if only the allowed clients should get in.',
  },
  'user-agent-allow-unanchored': {
    title: 'An allow pattern is not anchored',
    severity: 'info',
    about: 'state',
    advice:
      'Start the pattern with ^, so that a client cannot slip through by naming an allowed one further on.',
  },
} as const satisfies Record<string, FindingKind>;
