import type { FindingKind } from './severity';

/** Findings about the review itself: what it cannot decide, what was asserted, what was waived. */
export const processCatalog = {
  'drift-changed': {
    title: 'A live value was changed outside the program',
    severity: 'low',
    about: 'change',
    advice: 'To undo it, run pulumi refresh and then pulumi up.',
  },
  'drift-gone': {
    title: 'Something was deleted outside the program',
    severity: 'low',
    about: 'change',
    advice: 'To undo it, run pulumi refresh and then pulumi up: it is created again.',
  },
  'drift-added': {
    title: 'A rule was added to a policy that a set owns',
    severity: 'low',
    about: 'change',
    advice: 'To undo it, run pulumi refresh and then pulumi up: the set deletes it.',
  },
  'rule-unmanaged': {
    title: 'No stack manages a rule of the policy',
    severity: 'medium',
    about: 'change',
    advice:
      'Name the other stacks of the policy with --also-managed-by. To undo it, delete the rule where it was made.',
  },
  'preview-incomplete': {
    title: 'The preview does not show the whole change',
    severity: 'high',
    about: 'undecidable',
    advice: 'Run pulumi preview --json --show-sames again and make sure that it succeeds.',
  },
  'not-decidable': {
    title: 'A value that access depends on is hidden',
    severity: 'high',
    about: 'undecidable',
    advice: 'Make the value visible and known at preview, or waive this with a reason.',
  },
  'assertion-failed': {
    title: 'An assertion does not hold',
    severity: 'critical',
    about: 'change',
    advice: 'Change the rules so that it holds, or change the assertion in the same pull request.',
  },
  'assertion-will-break': {
    title: 'An assertion rests on a rule that ends',
    severity: 'medium',
    about: 'state',
    advice: 'Give the rule a later end before then, or change the assertion.',
  },
  'assertion-not-checked': {
    title: 'An assertion cannot be checked',
    severity: 'high',
    about: 'undecidable',
    advice: 'Name a policy or route that this stack declares, and values that are known at preview.',
  },
  'locked-out': {
    title: 'An address that must get in is locked out',
    severity: 'critical',
    about: 'change',
    advice: 'Do not apply it as it is: add an allow rule for the address first, or apply it from elsewhere.',
  },
  'new-access': {
    title: 'Access may grow although the gate forbids it',
    severity: 'high',
    about: 'change',
    advice: 'Remove the new access, waive this with a reason, or review without noNewAccess.',
  },
  'assertion-weakened': {
    title: 'An assertion is removed or narrowed',
    severity: 'high',
    about: 'change',
    advice: 'Put it back, or update the branch; otherwise another person has to accept its removal.',
  },
  'gate-weakened': {
    title: 'The gate of the review is weakened',
    severity: 'high',
    about: 'change',
    advice: 'Put it back, or update the branch; otherwise another person has to accept these terms.',
  },
  'waiver-widened': {
    title: 'A waiver is added or extended',
    severity: 'high',
    about: 'change',
    advice: 'It covers nothing in this change until another person accepts its reason.',
  },
  'plan-differs': {
    title: 'The plan is not the one that was reviewed',
    severity: 'critical',
    about: 'change',
    advice: 'Do not apply it. Review the change again: something has changed since.',
  },
  'base-assertions-unread': {
    title: 'The assertions of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    advice:
      'Fetch the history in the job (fetch-depth: 0); if the base has no assertion file yet, name a file with {} instead.',
  },
  'service-changed': {
    title: 'Requests would go to another service or account',
    severity: 'high',
    about: 'change',
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
  'waiver-too-long': {
    title: 'A waiver lasts longer than a year',
    severity: 'medium',
    about: 'change',
    advice: 'Let it end within a year, and renew it if its reason still holds.',
  },
  'waiver-expired': {
    title: 'A waiver has expired',
    severity: 'medium',
    about: 'change',
    advice: 'Fix the findings that it covered, or renew it with a reason.',
  },
  'waiver-unused': {
    title: 'A waiver covers nothing',
    severity: 'info',
    about: 'change',
    advice: 'Remove it.',
  },
  'reason-required': {
    title: 'A rule does not say why it is there',
    severity: 'high',
    about: 'change',
    advice: 'Give it the description and metadata that the gate asks for.',
  },
  'feed-weakened': {
    title: 'A published list is guarded less than before',
    severity: 'high',
    about: 'change',
    advice: 'Put the declaration back, or update the branch; otherwise another person has to accept it.',
  },
  'base-feeds-unread': {
    title: 'The published lists of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    advice: 'Make sure that the base has both files, intact: without them, the lists cannot be compared.',
  },
  'feed-lock-broken': {
    title: 'The lock of published lists is damaged or out of date',
    severity: 'high',
    about: 'undecidable',
    advice: 'Run edge-policy feeds update, or take the lock from the last good commit.',
  },
  'feed-not-confirmed': {
    title: 'A publisher does not confirm what the lock says',
    severity: 'medium',
    about: 'change',
    advice:
      'Run edge-policy feeds update; if the publisher does not list a network, find out who wrote it into the lock.',
  },
  'feed-declared': {
    title: 'A published list is new',
    severity: 'medium',
    about: 'change',
    advice:
      'Check whose list it is: once it is declared, what it holds counts as confirmed in later changes.',
  },
  'feed-stale': {
    title: 'A published list has not been checked for too long',
    severity: 'medium',
    about: 'state',
    advice: 'Run edge-policy feeds update, preferably in a scheduled job.',
  },
} as const satisfies Record<string, FindingKind>;
