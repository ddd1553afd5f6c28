import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { FindingKind } from './severity';

/** Findings about what others have changed, and about published lists. */
export const outsideCatalog = {
  'drift-changed': {
    title: 'A live value was changed outside the program',
    severity: 'low',
    about: 'change',
    advice: 'To keep it, declare what is live. To undo it, run pulumi refresh and then pulumi up.',
  },
  'drift-gone': {
    title: 'Something was deleted outside the program',
    severity: 'low',
    about: 'change',
    advice:
      'To keep it so, remove it from the program. To undo it, run pulumi refresh and then pulumi up, which creates it again.',
  },
  'drift-added': {
    title: 'A rule was added to a policy that a set owns',
    severity: 'low',
    about: 'change',
    advice:
      'To keep it, declare it in the set. To undo it, run pulumi refresh and then pulumi up: the set deletes it.',
  },
  'rule-unmanaged': {
    title: 'No stack manages a rule of the policy',
    severity: 'medium',
    about: 'change',
    advice:
      'Name the other stacks of the policy with --also-managed-by. To undo it, delete the rule where it was created.',
  },
  'base-feeds-unread': {
    title: 'The published lists of the base revision cannot be read',
    severity: 'high',
    about: 'change',
    verdict: 'stops-until-accepted',
    advice: 'Make sure that the base has both files, intact: without them, the lists cannot be compared.',
  },
  'feed-lock-broken': {
    title: 'The lock of published lists is damaged or out of date',
    severity: 'high',
    about: 'evidence',
    posture: 'none',
    advice: `Run ${COMMAND_LINE} feeds update, or take the lock from the last good commit.`,
  },
  'feed-not-confirmed': {
    title: 'A publisher does not confirm what the lock says',
    severity: 'medium',
    about: 'change',
    advice: `Run ${COMMAND_LINE} feeds update; if the publisher does not list a network, find out who wrote it into the lock.`,
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
    posture: 'none',
    advice: `Run ${COMMAND_LINE} feeds update, preferably in a scheduled job.`,
  },
} as const satisfies Record<string, FindingKind>;
