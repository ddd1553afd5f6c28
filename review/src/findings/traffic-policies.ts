import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { isEmptyPolicyDocument } from 'pulumi-edge-policy/internal/values/policy-document';
import { type ModuleDeclaration, pairsOf, type Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import type { StackChange } from '../model/snapshot';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { TrafficRule, TrafficRuleChange } from '../traffic-policy/traffic-rules';
import {
  diffTrafficRules,
  DOCUMENT,
  documentIn,
  nearestPhase,
  roleOfPhase,
  trafficPoliciesOf,
  trafficRulesOf,
} from '../traffic-policy/traffic-rules';
import type { FinderContext } from './assumptions';
import { type Finding, findingOf, type Where, MOST_ALIKE } from './finding';
import { aboutChange, aboutEvidence, aboutState } from './severity';

export const trafficPolicyKinds = {
  'traffic-policy-unreadable': aboutEvidence('medium', 'one-resource', {
    title: 'A traffic policy cannot be read',
    advice: 'Write the policy as an object whose key inbound holds the rules.',
  }),
  'traffic-rule-changed': aboutChange('info', {
    title: 'A traffic policy rule is added, removed, moved or changed',
    advice: 'Compare its old and new expressions and actions, and its place among the other rules.',
  }),
  'traffic-phase-mistyped': aboutState('medium', 'one-resource', {
    title: 'The name of a traffic policy phase is misspelled',
    advice: 'Correct the name of the phase: its rules never run.',
  }),
};

const finding = findingOf(trafficPolicyKinds);

/** The effect of a change on the rules of traffic policies. A module that is added or removed as a whole is not taken apart. */
export function trafficPolicyChangeFindings({ before, after }: StackChange): Finding[] {
  const pairings = pairsOf(trafficPoliciesOf(before), trafficPoliciesOf(after));
  return pairings.flatMap(({ before: [present], after: [wanted] }) => {
    if (!present || !wanted) return [];
    const [oldRules, newRules] = [trafficRulesOf(present), trafficRulesOf(wanted)];
    if (!oldRules || !newRules) return [];
    return describeChanges(diffTrafficRules(oldRules, newRules), whereOf(wanted));
  });
}

const KINDS = ['added', 'removed', 'moved', 'changed'] as const;

const describeChanges = (changes: readonly TrafficRuleChange[], where: Where): Finding[] =>
  KINDS.flatMap((kind) => {
    const alike = changes.filter((change) => change.kind === kind);
    const reasons =
      alike.length === 0 || (alike.length <= MOST_ALIKE && kind !== 'moved')
        ? alike.map(changeSentence)
        : [
            say`${count(alike.length, 'rule')} ${trusted(alike.length === 1 ? 'is' : 'are')} ${trusted(kind)}: ${listOf(
              alike,
              (change) => titleOf(change.kind === 'removed' ? change.before : change.after),
              10,
            )}.`,
          ];
    return reasons.map((reason) => finding('traffic-rule-changed', { where, reason }));
  });

const whereOf = (module: ModuleDeclaration): Where => ({
  subject: valueOf(module.subject),
  origin: module.origin,
  property: DOCUMENT,
});

function changeSentence(change: TrafficRuleChange): Sentence {
  const rule = change.kind === 'removed' ? change.before : change.after;
  const what = say`Rule ${titleOf(rule)} is ${trusted(change.kind)}`;
  if (change.kind === 'added') return say`${what} at position ${rule.position}${doing(rule)}.`;
  if (change.kind === 'removed') return say`${what} from position ${rule.position}${doing(rule)}.`;
  const former = change.before.name === rule.name ? [] : say`, formerly ${titleOf(change.before)}`;
  const parts = [
    ...difference(change.before.expressions, rule.expressions),
    ...difference(contentsOf(change.before), contentsOf(rule)),
  ];
  return parts.length === 0 ? say`${what}${former}.` : say`${what}${former}: ${list(parts, 4)}.`;
}

const contentsOf = (rule: TrafficRule): string[] => rule.actions.map((action) => action.content);

function difference(before: readonly string[], after: readonly string[]): Sentence[] {
  const only = (some: readonly string[], others: readonly string[]) =>
    some.filter((text) => !others.includes(text)).map(foreign);
  const [come, gone] = [only(after, before), only(before, after)];
  return [
    ...(come.length === 0 ? [] : [say`with ${list(come)}`]),
    ...(gone.length === 0 ? [] : [say`without ${list(gone)}`]),
  ];
}

const titleOf = (rule: TrafficRule): Sentence =>
  rule.name === '' ? say`${rule.position} of ${foreign(rule.phase)}` : say`${foreign(rule.name)}`;

function doing({ actions }: TrafficRule): Sentence {
  const types = actions.flatMap(({ type }) => (type === '' ? [] : [foreign(type)]));
  return types.length === 0 ? [] : say` (${list(types)})`;
}

export const trafficPolicyStateFindings = (snapshot: Snapshot, { assumptions }: FinderContext): Finding[] =>
  trafficPoliciesOf(snapshot).all.flatMap((module) => {
    const document = documentIn(module);
    if (!document.isKnown) return [];
    const where = whereOf(module);
    const rules = trafficRulesOf(module);
    if (rules) return mistypedPhases(rules, where, assumptions.phases);
    if (isEmptyPolicyDocument(document.value)) return [];
    return [finding('traffic-policy-unreadable', { where, reason: UNREADABLE, members: [document.value] })];
  });

function mistypedPhases(rules: readonly TrafficRule[], where: Where, further: readonly string[]): Finding[] {
  return [...grouped(rules, ({ phase }) => phase)].flatMap(([phase, { length: size }]) => {
    const meant = roleOfPhase(phase, further) === 'mistyped' ? nearestPhase(phase, further) : undefined;
    if (meant === undefined) return [];
    const never = trusted(size === 1 ? 'never runs' : 'never run');
    const reason = say`${count(size, 'rule')} of the phase ${foreign(phase)} ${never}: ${foreign(meant)} was probably meant.`;
    return [finding('traffic-phase-mistyped', { where, reason, members: [phase] })];
  });
}

const UNREADABLE = trusted(
  'The value is not a JSON object of lists of rules, so its rules cannot be compared.',
);
