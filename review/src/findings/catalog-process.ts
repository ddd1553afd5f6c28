import type { FindingKind } from './severity';

/** Findings about the review itself: what it cannot decide, what was asserted, what was waived. */
export const processCatalog = {
  'preview-incomplete': {
    title: 'The preview does not show the whole change',
    severity: 'high',
    about: 'undecidable',
    advice: 'Make the preview again with pulumi preview --json --show-sames, and see that it succeeds.',
  },
  'not-decidable': {
    title: 'A value that access depends on cannot be seen',
    severity: 'high',
    about: 'undecidable',
    advice: 'Make the value plain and known at preview, or waive this with a reason.',
  },
  'assertion-failed': {
    title: 'An assertion does not hold',
    severity: 'critical',
    about: 'change',
    advice: 'Change the rules so that it holds, or change the assertion in the same pull request.',
  },
  'assertion-not-checked': {
    title: 'An assertion cannot be checked',
    severity: 'high',
    about: 'undecidable',
    advice: 'Name a policy or route that this stack declares, and values that are known at preview.',
  },
  'new-access': {
    title: 'Access may grow where it must not',
    severity: 'high',
    about: 'change',
    advice: 'Leave the gain out, waive this with a reason, or review without noNewAccess.',
  },
  'assertion-weakened': {
    title: 'An assertion is taken away or narrowed',
    severity: 'high',
    about: 'change',
    advice: 'Check that the demand is really obsolete, and not in the way of this change.',
  },
  'gate-weakened': {
    title: 'The gate of the review is weakened',
    severity: 'high',
    about: 'change',
    advice: 'Check that this change may decide by itself how it is judged.',
  },
  'waiver-widened': {
    title: 'A waiver is added or prolonged',
    severity: 'high',
    about: 'change',
    advice: 'Check the reason: what the waiver covers stops no change until it ends.',
  },
  'plan-differs': {
    title: 'What is planned is not what was reviewed',
    severity: 'critical',
    about: 'change',
    advice: 'Do not apply it: review the change anew, as something else has changed since.',
  },
  'base-assertions-unread': {
    title: 'The assertions of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    advice:
      'Fetch the history in the job (fetch-depth: 0), so that the review can tell which guards the change takes away.',
  },
  'waiver-too-long': {
    title: 'A waiver is to hold for more than a year',
    severity: 'medium',
    about: 'change',
    advice: 'Let it end within a year, and renew it if its reason still holds.',
  },
  'waiver-expired': {
    title: 'A waiver has expired',
    severity: 'medium',
    about: 'change',
    advice: 'Deal with what it covered, or renew it with a reason.',
  },
  'waiver-unused': {
    title: 'A waiver covers nothing',
    severity: 'info',
    about: 'change',
    advice: 'Remove it.',
  },
} as const satisfies Record<string, FindingKind>;
