import type { FindingKind } from './severity';

/** Findings about what others have changed. */
export const driftCatalog = {
  'drift-changed': {
    title: 'A live value was changed outside the program',
    severity: 'low',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice: 'To undo it, run pulumi refresh and then pulumi up.',
  },
  'drift-gone': {
    title: 'Something was deleted outside the program',
    severity: 'low',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice: 'To undo it, run pulumi refresh and then pulumi up: it is created again.',
  },
  'drift-added': {
    title: 'A rule was added to a policy that a set owns',
    severity: 'low',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice: 'To undo it, run pulumi refresh and then pulumi up: the set deletes it.',
  },
  'rule-unmanaged': {
    title: 'No stack manages a rule of the policy',
    severity: 'medium',
    about: 'change',
    verdict: 'by-severity',
    posture: 'none',
    advice:
      'Name the other stacks of the policy with --also-managed-by. To undo it, delete the rule where it was made.',
  },
} as const satisfies Record<string, FindingKind>;
