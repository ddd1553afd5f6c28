import type { FindingKind } from './severity';

/** Findings about the review itself: what it cannot decide, what was asserted, what was waived. */
export const processCatalog = {
  'preview-incomplete': {
    title: 'The preview does not show the whole change',
    severity: 'high',
    about: 'evidence',
    posture: 'stack',
    advice:
      'Run pulumi preview --json --show-sames --show-replacement-steps again and make sure that it succeeds.',
  },
  'value-hidden': {
    title: 'A value that access depends on is hidden',
    severity: 'high',
    about: 'evidence',
    posture: 'unknown',
    advice: 'Make the value visible and known at preview, or waive this with a reason.',
  },
  'assertion-failed': {
    title: 'An assertion does not hold',
    severity: 'critical',
    about: 'change',
    posture: 'stack',
    advice:
      'Change the rules so that it holds, or first have the assertion corrected by those who answer for it.',
  },
  'assertion-will-break': {
    title: 'An assertion rests on a rule that ends',
    severity: 'medium',
    about: 'state',
    posture: 'stack',
    advice: 'Give the rule a later end before then, or have the assertion corrected by then.',
  },
  'assertion-not-checked': {
    title: 'An assertion cannot be checked',
    severity: 'high',
    about: 'evidence',
    posture: 'unknown',
    advice: 'Use a policy or route that this stack declares, and values that are known during a preview.',
  },
  'locked-out': {
    title: 'An address that must get in is locked out',
    severity: 'critical',
    about: 'change',
    verdict: 'stops',
    advice: 'Do not apply it as it is: add an allow rule for the address first, or apply it from elsewhere.',
  },
  'new-access': {
    title: 'Access may grow although the gate forbids it',
    severity: 'high',
    about: 'change',
    verdict: 'stops',
    advice: 'Remove the new access, waive this with a reason, or review without noNewAccess.',
  },
  'clients-locked-out': {
    title: 'More clients of the log lose access than the gate allows',
    severity: 'high',
    about: 'change',
    verdict: 'stops',
    advice: 'Add allow rules for those that still need access, or waive this with a reason.',
  },
  'clients-refused': {
    title: 'Clients of the log lose access',
    severity: 'medium',
    about: 'change',
    advice: 'Check that none of these clients, which connected recently, still needs access.',
  },
  'clients-not-checked': {
    title: 'The logs do not decide how many clients lose access',
    severity: 'high',
    about: 'evidence',
    posture: 'none',
    advice: 'Pass a log of the clients with --traffic; at least 95 percent of its lines must be readable.',
  },
  'guard-weakened': {
    title: 'A guard of the base is removed or weakened',
    severity: 'high',
    about: 'change',
    verdict: 'stops-until-accepted',
    advice:
      'Put it back, or update the branch; otherwise another person has to accept it. Until then a new waiver covers nothing.',
  },
  'plan-differs': {
    title: 'The plan is not the one that was reviewed',
    severity: 'critical',
    about: 'change',
    verdict: 'stops',
    advice: 'Do not apply it. Review the change again: something has changed since.',
  },
  'base-assertions-unread': {
    title: 'The assertions of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    verdict: 'stops-until-accepted',
    advice:
      'Fetch the history in the job (fetch-depth: 0); if the base has no assertion file yet, pass a file that contains {} instead.',
  },
  'service-changed': {
    title: 'Requests would go to another service or account',
    severity: 'high',
    about: 'change',
    verdict: 'affects-access',
    advice: 'Make sure that the address, the proxy and the account are yours: the API key goes there.',
  },
  'guards-accepted': {
    title: 'A weakened guard was accepted',
    severity: 'info',
    about: 'change',
    advice: 'Make sure that someone other than the author of the change accepted it.',
  },
  'guards-without-base': {
    title: 'The guards of the base revision are not known',
    severity: 'info',
    about: 'change',
    advice:
      'Name its assertion files with --base-assertions; to review the current state, name the same files.',
  },
  'waiver-expired': {
    title: 'A waiver has expired',
    severity: 'medium',
    about: 'change',
    advice: 'Fix the findings that it covered, or renew it with a reason.',
  },
  'waiver-too-long': {
    title: 'A waiver has no end within a year',
    severity: 'low',
    about: 'change',
    advice: 'Let it expire within a year: then somebody looks at its reason again.',
  },
  'reason-required': {
    title: 'A rule does not say why it is there',
    severity: 'high',
    about: 'change',
    posture: 'one-resource',
    advice: 'Add the description and metadata that the gate requires.',
  },
} as const satisfies Record<string, FindingKind>;
