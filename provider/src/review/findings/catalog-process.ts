import type { FindingKind } from './catalog';

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
