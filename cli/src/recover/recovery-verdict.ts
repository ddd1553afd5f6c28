import { count } from '../command/text';
import { holdsSecret, isSecret, secretInClear, type StateResource } from '../pulumi/deployment';
import { type Candidate, isSet, notedRules } from './expected-objects';
import type { MatchedCreate } from './match-creates';
import type { Operation } from './interrupted-operations';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PROVIDER_KEY } from 'pulumi-edge-policy/internal/fields/field';
import { ipPolicyRuleSetDerived } from 'pulumi-edge-policy/internal/resources/ip-policy-rule-set';
import { nativeToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { ipPolicyRuleState, type LiveRule } from 'pulumi-edge-policy/internal/rule/rule';
import { withUnsent } from 'pulumi-edge-policy/internal/rule-set/rule-ends';
import { type RulesInState, rulesInState } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { declaredRules, type IpPolicyRuleSetInputs } from 'pulumi-edge-policy/internal/rule-set/set-state';

export type RecoveryVerdict = { readonly why: string } & (
  | { readonly kind: 'clear' }
  /** It happened: the resource is brought into the state. */
  | ({ readonly kind: 'take'; readonly found: readonly string[] } & Result)
  /** The resource is in state and is read again; if outputs are given, with these: it then knows which other objects are its own. */
  | { readonly kind: 'refresh'; readonly outputs?: Result['outputs'] }
  | {
      readonly kind: 'refuse';
      /** Live objects that the operation may have created, in words. */
      readonly candidates: readonly string[];
    }
);

export interface OperationVerdict {
  readonly operation: Operation;
  readonly verdict: RecoveryVerdict;
}

const MOST_NAMED = 10;

/** The verdict on a create, or on the update of a set, from what became of each object that it should have created. */
export function verdictOn(
  operation: Operation,
  outcomes: readonly MatchedCreate[],
  entry: StateResource | undefined,
): RecoveryVerdict {
  const created = outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.candidate] : []));
  const doubts = outcomes.filter((outcome) => outcome.kind === 'doubt');
  if (doubts.length > 0) {
    const whys = new Set(doubts.map(({ why }) => why));
    const candidates = inWords(doubts.flatMap((doubt) => doubt.candidates));
    return { kind: 'refuse', why: [...whys].join('; '), candidates };
  }
  if (operation.type === 'updating') {
    return created.length === 0
      ? { kind: 'refresh', why: 'read again from the service' }
      : {
          kind: 'refresh',
          why: `${count(created.length, 'rule')} of it recorded, then it is read again from the service`,
          outputs: outputsOfUpdate(operation, entry, created),
        };
  }
  if (created.length === 0)
    return { kind: 'clear', why: 'never happened: there is no unmanaged object in its place' };
  const isToldSo = outcomes.some((outcome) => outcome.kind === 'found' && outcome.isToldSo);
  const part = outcomes.length > 1 ? `: ${created.length} of ${outcomes.length} rules exist` : '';
  const why = (isToldSo ? 'taken over as you asked' : 'happened') + part;
  return { kind: 'take', why, found: inWords(created), ...resultOf(operation, created) };
}

const inWords = (candidates: readonly Candidate[]): string[] =>
  candidates.slice(0, MOST_NAMED).map((candidate) => candidate.inWords);

export interface Result {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What a create has made: one object, or some of the rules of a set, of which the next `up` creates the rest. */
function resultOf(operation: Operation, created: readonly Candidate[]): Result {
  if (!isSet(operation)) {
    const [{ id, live }] = created as readonly [Candidate];
    const state = 'rule' in live ? ipPolicyRuleState(live.rule, operation.inputs) : live.module;
    return { id, outputs: outputsOf(operation, state) };
  }
  const state = rulesInState(liveRules(operation, created));
  const suffix = createHash('sha256').update(state.ruleIdList).digest('hex').slice(0, 12);
  return {
    id: `${String(operation.inputs['ipPolicyId'])}/${suffix}`,
    outputs: { ...operation.resource.inputs, ...inState(operation, state) },
  };
}

/** The outputs of a set with the rules that an update has created and not noted. */
const outputsOfUpdate = (
  operation: Operation,
  entry: StateResource | undefined,
  created: readonly Candidate[],
): Result['outputs'] =>
  inState(operation, rulesInState([...notedRules(entry), ...liveRules(operation, created)]));

/** The found rules, each with the end that the set declares for it. */
const liveRules = ({ inputs }: Operation, created: readonly Candidate[]): readonly LiveRule[] =>
  withUnsent(
    created.flatMap(({ live }) => ('rule' in live ? [live.rule] : [])),
    { declared: declaredRules(inputs as unknown as IpPolicyRuleSetInputs), before: [] },
  );

/** The outputs of a live resource. Those that are as declared are copied from the inputs, so that their secrets stay marked. */
function outputsOf({ resource, inputs: declared }: Operation, state: object): Result['outputs'] {
  const { inputs = {} } = resource;
  const known = Object.entries(state).map(([key, live]: [string, unknown]) => {
    if (isDeepStrictEqual(declared[key], live)) return [key, inputs[key]] as const;
    return [key, holdsSecret(inputs[key]) ? secretInClear(live) : live] as const;
  });
  return { ...Object.fromEntries(known), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
}

/** The live rules in the form of the state, secret if the declaration is. */
function inState({ resource }: Operation, state: RulesInState): Result['outputs'] {
  const isHidden = isSecret(resource.inputs?.['rules']);
  const marked = (value: unknown): unknown => (isHidden ? secretInClear(value) : value);
  const isNative = resource.type === nativeToken('IpPolicyRuleSet');
  const derived = Object.entries(isNative ? ipPolicyRuleSetDerived : {});
  return {
    ...{ rules: marked(state.rules), ruleIdList: state.ruleIdList },
    ...Object.fromEntries(derived.map(([name, { of }]) => [name, marked(of({ ...state }))])),
  };
}
