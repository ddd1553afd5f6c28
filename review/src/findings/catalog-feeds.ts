import type { FindingKind } from './severity';

/** Findings about published lists. */
export const feedCatalog = {
  'base-feeds-unread': {
    title: 'The published lists of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    verdict: 'stops-until-accepted',
    posture: 'none',
    advice: 'Make sure that the base has both files, intact: without them, the lists cannot be compared.',
  },
  'feed-lock-broken': {
    title: 'The lock of published lists is damaged or out of date',
    severity: 'high',
    about: 'undecidable',
    verdict: 'by-severity',
    posture: 'none',
    advice: 'Run edge-policy feeds update, or take the lock from the last good commit.',
  },
  'feed-not-confirmed': {
    title: 'A publisher does not confirm what the lock says',
    severity: 'medium',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice:
      'Run edge-policy feeds update; if the publisher does not list a network, find out who wrote it into the lock.',
  },
  'feed-declared': {
    title: 'A published list is new',
    severity: 'medium',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice:
      'Check whose list it is: once it is declared, what it holds counts as confirmed in later changes.',
  },
  'feed-stale': {
    title: 'A published list has not been checked for too long',
    severity: 'medium',
    about: 'state',
    verdict: 'by-severity',
    posture: 'none',
    advice: 'Run edge-policy feeds update, preferably in a scheduled job.',
  },
} as const satisfies Record<string, FindingKind>;
