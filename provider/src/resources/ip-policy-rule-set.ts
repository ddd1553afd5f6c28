// IP policy rule set: many rules of one policy (API document 2.1, 4.1)
//
//   create  POST /ip_policy_rules per rule; looks at the list first if it is exclusive or may overwrite
//   read    GET /ip_policy_rules, all pages; by its id, each rule that the list lacks
//   update  POST, PATCH and DELETE for changed rules only, in an order that never opens the policy (`rule-set/plan-changes.ts`)
//   delete  DELETE per rule: 404 = done; looks at the list first only after lost answers
import { diffFields, type FieldTable, type Properties, type TypeSpec } from '../fields/field';
import { booleanField, identifierField, settingField } from '../fields/kinds';
import { checkFields, linesBesideChanges } from '../fields/check';
import { isSettled } from '../errors/partial-failure';
import type { DerivedOutput, Lifecycle } from './lifecycle';
import { readDeclaration } from '../rule-set/declared-rules';
import { isSameRules, leaveOutEnded, neverSent } from '../rule-set/rule-ends';
import type { RuleLine } from '../rule-set/rule-line';
import {
  hasOpenFields,
  idsByKey,
  inLines,
  MOST_IN_FULL,
  parseIdList,
  parseRules,
  ruleLines,
} from '../rule-set/rules-text';
import {
  EXCLUSIVE_BY_DEFAULT,
  type IpPolicyRuleSetInputs,
  type IpPolicyRuleSetState,
  stayingIds,
} from '../rule-set/set-state';
import { ruleDeclaredTwice } from '../run/create-failures';
import type { RunContext } from '../run/run-record';
import { isUnknown, UNKNOWN } from '../values/unknowns';
import type * as operationsModule from '../rule-set/operations';

/** The form in which other languages pass rules, and read them as `ruleList`. The class accepts more forms, and sends a text. */
const LISTED_RULES: TypeSpec = {
  type: 'array',
  items: { $ref: '#/types/edge-policy:index:IpPolicyRuleSetListedRule' },
};

/** Every field of a set, said once. Equal sets have equal texts. */
export const ipPolicyRuleSetFields: FieldTable<IpPolicyRuleSetInputs> = {
  ipPolicyId: { ...identifierField('ipPolicy'), isRequired: true, onChange: 'replace' },
  rules: {
    type: { input: LISTED_RULES, output: { type: 'string' } },
    parse: readDeclaration,
    isSame: isSameRules,
    inLines,
    isRequired: true,
    onChange: 'update',
  },
  exclusive: { ...booleanField, defaultValue: EXCLUSIVE_BY_DEFAULT, onChange: 'update' },
  overwriteExisting: settingField,
};

/** What state holds of a set besides its fields: the ids of its rules, which change with the rules. */
export const ipPolicyRuleSetOutputs = { ruleIdList: ['rules'] } as const;

const whole = (rules: unknown): rules is string =>
  typeof rules === 'string' && !isUnknown(rules) && !hasOpenFields(rules);

/** The rules, and their ids, for languages without a class that reads their text. */
export const ipPolicyRuleSetDerived: Readonly<Record<'ruleList' | 'ruleIds', DerivedOutput>> = {
  ruleList: {
    from: ['rules'],
    type: LISTED_RULES,
    of: ({ rules }) => (whole(rules) ? parseRules(rules) : UNKNOWN),
  },
  ruleIds: {
    from: ['ruleIdList', 'rules'],
    type: { type: 'object', additionalProperties: { type: 'string' } },
    of: ({ rules, ruleIdList: ids }) =>
      whole(rules) && whole(ids) ? idsByKey({ rules, ruleIdList: ids }) : UNKNOWN,
  },
};

/** The inputs of a set as a program gives them: one rule for each network. */
export function ipPolicyRuleSetInProgram(inputs: Properties): Properties {
  const rules = parseRules(String(inputs['rules']));
  return {
    ...inputs,
    rules: [...new Map(rules.toReversed().map((rule) => [rule.cidr, rule])).values()].toReversed(),
  };
}

// Loaded at the first operation, so that a program, which only constructs the class, does not pay for a quarter of the package.
const operations = () => require('../rule-set/operations') as typeof operationsModule;

const leftOut = (rules: readonly RuleLine[]): string =>
  `rules: ${neverSent(rules)}. Correct the time, or remove the rule.`;

/** What a preview of a new set with more rules than the CLI prints does not show. */
function tooManyInFull(text: string): readonly string[] {
  const rules = ruleLines(text).split('\n').slice(0, -1);
  if (rules.length <= MOST_IN_FULL) return [];
  const widest = rules
    .flatMap((line) => /^([0-9a-f.:]+\/\d+): "?allow/.exec(line)?.[1] ?? [])
    .sort((one, other) => prefixOf(one) - prefixOf(other))
    .slice(0, 3);
  const named =
    widest.length === 0 ? 'None of them allows' : `The widest that allow are ${widest.join(', ')}`;
  return [
    `rules: a plain preview shows the first two of these ${rules.length} rules. ${named}. --show-full-output prints all.`,
  ];
}

const prefixOf = (network: string): number => Number(network.split('/')[1]);

export const ipPolicyRuleSetLifecycle = (
  getContext: () => RunContext,
): Lifecycle<IpPolicyRuleSetInputs, IpPolicyRuleSetState> => ({
  check(olds, news) {
    const outcome = checkFields(ipPolicyRuleSetFields, olds, news);
    const { rules } = outcome.inputs;
    if (typeof rules !== 'string') return outcome;
    const given = (olds as Properties)['rules'];
    // After a native import it is a list.
    const before = typeof given === 'string' ? given : '';
    const left = leaveOutEnded(rules, { nowMs: getContext().record.startedAtMs, before });
    const late = left.neverLive.length > 0 ? [leftOut(left.neverLive)] : [];
    const cut = Object.keys(olds).length > 0 ? [] : tooManyInFull(rules);
    const kept = before !== '' && isSameRules(before, left.rules) ? before : left.rules;
    return {
      ...outcome,
      warnings: [...outcome.warnings, ...late, ...cut],
      inputs: linesBesideChanges(ipPolicyRuleSetFields, olds, { ...outcome.inputs, rules: kept }),
    };
  },

  diff(_id, olds, news, isDeclared) {
    const outcome = diffFields(ipPolicyRuleSetFields, olds, news);
    const [before, after] = [olds as IpPolicyRuleSetState, news as IpPolicyRuleSetInputs];
    const { record } = getContext();
    for (const id of parseIdList(before.ruleIdList)) record.ownership.noteSeen(id);
    // A preview deletes nothing. Some values are unknown there, and so is which rules stay.
    if (!isDeclared || outcome.replaces.length > 0 || isUnknown(after.rules)) return outcome;
    const keys = stayingIds(before, after);
    // After a refresh the engine has forgotten that an operation has failed.
    const changes = outcome.changes || !isSettled(before);
    const { shared, isAnyDeleted } = record.ownership.declare(keys, { changes });
    if (shared !== undefined) throw ruleDeclaredTwice(shared);
    return { ...outcome, changes: changes || isAnyDeleted };
  },

  create: (inputs) => operations().createSet(getContext(), inputs),
  read: (id, prior) => operations().readSet(getContext(), id, prior),
  update: (id, olds, news) => operations().updateSet(getContext(), id, { olds, news }),
  delete: (_id, olds) => operations().deleteSet(getContext(), olds),
});
