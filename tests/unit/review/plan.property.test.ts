// Two previews whose requests differ have different plans, or the plan names what is secret. The requests are the provider's own.
import * as fc from 'fast-check';
import { bodyOf } from '../../../provider/src/fields/field';
import { moduleKind } from '../../../provider/src/resources/modules';
import { changeBetween, createBody, type LiveRule, type SetRule } from '../../../provider/src/rule/rule';
import { planChanges } from '../../../provider/src/rule-set/plan-changes';
import { parseRules } from '../../../provider/src/rule-set/rules-text';
import { resourceChanges, type ReviewedPlan } from '../../../review/src';
import { checkPlan } from '../../../review/src/guards/compare-plans';
import { agents, policyRule, previewOf, ruleSet, tcp } from './preview-builder';
import { filterInputs, rule, SECRET, setInputs } from './inputs';

type Type = 'agents' | 'rule' | 'set' | 'tcp';
type Inputs = Readonly<Record<string, unknown>>;

/** What a program really has on both sides, what of it is secret, and the object of the service. */
interface Change {
  readonly before?: Inputs | undefined;
  readonly after?: Inputs | undefined;
  readonly secret: string;
  readonly id: string;
}

const some = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const network = some('8.8.8.0/24', '9.9.9.0/24');
const action = some('allow', 'deny');
const texts = fc.record({ description: some('a', 'b'), metadata: some('a', 'b') }, { requiredKeys: [] });

type Told = Partial<Record<string, string>>;
const line = ([cidr, does, { description, metadata }]: readonly [string, string, Told]) =>
  [
    `${cidr}: ${does}`,
    ...(description === undefined ? [] : [`'${description}'`]),
    ...(metadata === undefined ? [] : [`metadata '${metadata}'`]),
  ].join(' ');

const INPUTS: Readonly<Record<Type, fc.Arbitrary<Inputs>>> = {
  rule: fc.tuple(network, action, texts).map(([cidr, does, told]) => ({ ...rule(cidr, does), ...told })),
  set: fc
    .uniqueArray(fc.tuple(network, action, texts), { selector: ([cidr]) => cidr, maxLength: 2 })
    .map((rules) => setInputs(rules.map(line).sort())),
  agents: fc
    .tuple(fc.subarray(['bot', 'spider']), fc.subarray(['curl', 'wget']), fc.boolean())
    .map(([deny, allow, enabled]) => ({ ...filterInputs(deny, allow), enabled })),
  tcp: fc
    .tuple(some('{"inbound":[]}', '{"inbound":[{"name":"x"}]}', '{"outbound":[]}'), fc.boolean())
    .map(([value, enabled]) => ({ edgeId: 'edgtcp_1', value, enabled })),
};

const SECRETS: Readonly<Record<Type, readonly string[]>> = {
  rule: ['cidr', 'description', 'metadata'],
  set: ['rules'],
  agents: ['deny'],
  tcp: ['value'],
};

/** Two changes that mostly differ in one thing. */
function pairOf(type: Type): fc.Arbitrary<readonly [Change, Change]> {
  const side = fc.option(INPUTS[type], { nil: undefined });
  const change = fc
    .record({ before: side, after: side, id: some('ipr_1', 'ipr_2'), secret: some('', '', ...SECRETS[type]) })
    .filter(({ before, after }) => before !== undefined || after !== undefined);
  return fc
    .tuple(change, change, some('before' as const, 'after' as const, 'id' as const))
    .map(([one, other, part]) => {
      const changed = { ...one, [part]: other[part] };
      return [one, changed.before === undefined && changed.after === undefined ? other : changed];
    });
}

function rulesOf(type: Type, inputs: Inputs | undefined): SetRule[] {
  if (inputs === undefined || (type !== 'set' && type !== 'rule')) return [];
  return type === 'set' ? parseRules(String(inputs['rules'])) : [inputs as unknown as SetRule];
}

const liveRules = (type: Type, { before, id }: Change): LiveRule[] =>
  rulesOf(type, before).map((live) => ({ ...live, id: `${id}_${live.cidr.slice(0, 1)}` }));

/** All that the `up` sends, in any order. */
function requestsOf(type: Type, change: Change): string {
  const { before, after } = change;
  if (type === 'agents' || type === 'tcp') {
    const { fields } = moduleKind(
      type === 'tcp' ? 'TcpEdgeTrafficPolicyModule' : 'HttpsEdgeRouteUserAgentFilterModule',
    );
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return JSON.stringify(isSame ? [] : after ? bodyOf(fields, after) : 'DELETE');
  }
  const bodyOfNew = (made: SetRule) => createBody({ ...made, ipPolicyId: 'ipp_1' });
  return planChanges(liveRules(type, change), rulesOf(type, after))
    .flat()
    .map((step) => {
      if (step.kind === 'create') return JSON.stringify(['POST', bodyOfNew(step.rule)]);
      if (step.kind === 'delete') return JSON.stringify(['DELETE', step.rule.id]);
      return JSON.stringify(
        step.kind === 'update'
          ? ['PATCH', step.rule.id, changeBetween(step.rule, step.becomes)]
          : ['DELETE', step.rule.id, 'POST', bodyOfNew(step.becomes)],
      );
    })
    .sort()
    .join();
}

const MAKERS = { rule: policyRule, set: ruleSet, agents, tcp };

function planOf(type: Type, change: Change) {
  const { before, after, secret } = change;
  const shown = (inputs: Inputs): Inputs => (secret in inputs ? { ...inputs, [secret]: SECRET } : inputs);
  const live = liveRules(type, change);
  const ids = type === 'set' ? { ruleIdList: live.map(({ id }) => `${id}\n`).join('') } : {};
  const preview = previewOf(
    MAKERS[type]('it', {
      ...(before && { before: shown(before) }),
      ...(after && { after: shown(after) }),
      ...(before && after && { op: JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'update' }),
      state: {
        id: type === 'rule' ? (live[0]?.id ?? '') : 'it',
        ...(before && { outputs: { ...shown(before), ...ids } }),
      },
    }),
  );
  const reviewed = { ...preview, isWhole: true, changes: resourceChanges(preview.steps), services: [] };
  const { plan } = checkPlan(reviewed, { expected: undefined, nowMs: 0 });
  const comparedWith = (expected: ReviewedPlan) =>
    checkPlan(reviewed, { expected, nowMs: 0 }).expected?.comparison;
  return { plan, comparedWith, isComplete: comparedWith(plan)?.notCovered.length === 0 };
}

test.each<Type>(['rule', 'set', 'agents', 'tcp'])(
  '%s: other requests are another plan, or a part is named as not covered',
  (type) => {
    const seen = { different: 0, same: 0 };
    fc.assert(
      fc.property(pairOf(type), ([one, other]) => {
        const [left, right] = [planOf(type, one), planOf(type, other)];
        if (!left.isComplete || !right.isComplete) return;
        if (requestsOf(type, one) === requestsOf(type, other)) seen.same += 1;
        else {
          seen.different += 1;
          expect(left.plan.hash).not.toBe(right.plan.hash);
          expect(left.comparedWith(right.plan)?.differences).not.toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.different, seen.same)).toBeGreaterThan(20);
  },
);
