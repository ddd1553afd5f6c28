import { CORRECT_THE_RULE } from 'pulumi-edge-policy/internal/errors/words';
import type { FindingKind } from './severity';

/** Findings about rules that have no effect, overlap or contradict each other, and about texts that nobody meant. */
export const ruleCatalog = {
  'rule-covered': {
    title: 'A rule is redundant: another rule does the same',
    severity: 'low',
    about: 'state',
    posture: 'stack',
    advice: 'Remove it, or the other rule if that was not intended.',
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
  'rule-not-declarable': {
    title: 'No program can declare the network of a live rule',
    severity: 'low',
    about: 'state',
    posture: 'none',
    advice: `To be sure whom it matches, ${CORRECT_THE_RULE}.`,
  },
  'output-as-text': {
    title: 'A text says how to read an output, and not what the output holds',
    severity: 'high',
    about: 'state',
    posture: 'one-resource',
    advice:
      'Write it with pulumi.interpolate, pulumi.jsonStringify or apply: an expression or a pattern of this text matches nobody.',
  },
} as const satisfies Record<string, FindingKind>;
