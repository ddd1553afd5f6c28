import type { Properties } from '../fields/field';
import type { AnyLifecycle, DerivedOutput } from './lifecycle';
import { ipPolicyRuleFields, ipPolicyRuleOutputs } from '../rule/rule';
import type { RunContext } from '../run/run-record';
import { MODULE_TYPES, type ModuleType, type ResourceType } from './provider-reference';
import { moduleKind } from './modules';
import { continuingFailedCalls, refusingOtherTypes, withinAccount } from './wrappers';
import type * as ipPolicyRuleModule from './ip-policy-rule';
import type * as ipPolicyRuleSetModule from './ip-policy-rule-set';
import type * as moduleLifecycleModule from './module-lifecycle';

export interface ResourceShape {
  readonly fields: object;
  /** What state holds besides the fields: each property with the fields whose change changes it. */
  readonly outputs: Readonly<Record<string, readonly string[]>>;
  /** What the plugin answers besides the state, by its name, for languages without a class that derives it from a field. */
  readonly derived?: Readonly<Record<string, DerivedOutput>>;
  /** Inputs as a program gives them, for an import. Without it: as check returns them. */
  readonly inProgram?: (inputs: Properties) => Properties;
  /** Whether a resource in this state must be read before it is compared, as others may have added to what it owns. */
  readonly isReadFirst?: (state: object) => boolean;
}

export function withDerived({ derived = {} }: Pick<ResourceShape, 'derived'>, state: object): Properties {
  const answered: Record<string, unknown> = { ...state };
  for (const [name, { from, of }] of Object.entries(derived))
    if (from.every((part) => answered[part] !== undefined)) answered[name] = of(answered);
  return answered;
}

interface Registered {
  readonly lifecycle: (getContext: () => RunContext) => AnyLifecycle;
  readonly shape: () => ResourceShape;
}

const rule = () => require('./ip-policy-rule') as typeof ipPolicyRuleModule;
const ruleSet = () => require('./ip-policy-rule-set') as typeof ipPolicyRuleSetModule;
const moduleLifecycle = () => require('./module-lifecycle') as typeof moduleLifecycleModule;

/** A lifecycle as the hosts get it: only states of its type, only the right account, and a repeated call continues. */
const registered = (
  type: ResourceType,
  lifecycleOf: (getContext: () => RunContext) => AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle =>
  refusingOtherTypes(
    type,
    () => registry[type].shape().fields,
    withinAccount(type, continuingFailedCalls(type, lifecycleOf(getContext), getContext), getContext),
  );

const ofModule = (type: ModuleType): Registered => ({
  lifecycle: (getContext) =>
    registered(type, (context) => moduleLifecycle().moduleLifecycle(moduleKind(type), context), getContext),
  shape: () => {
    const kind = moduleKind(type);
    return {
      fields: kind.fields,
      outputs: {},
      inProgram: (inputs) => ({ ...inputs, ...kind.inProgram?.(inputs) }),
    };
  },
});

const ofModules = Object.fromEntries(MODULE_TYPES.map((type) => [type, ofModule(type)])) as Record<
  ModuleType,
  Registered
>;

/** Each is loaded when its type is first requested, which halves the start time of a plugin. */
export const registry: Readonly<Record<ResourceType, Registered>> = {
  IpPolicyRule: {
    lifecycle: (getContext) => registered('IpPolicyRule', rule().ipPolicyRuleLifecycle, getContext),
    shape: () => ({
      fields: ipPolicyRuleFields,
      outputs: ipPolicyRuleOutputs,
    }),
  },
  IpPolicyRuleSet: {
    lifecycle: (getContext) => registered('IpPolicyRuleSet', ruleSet().ipPolicyRuleSetLifecycle, getContext),
    shape: () => ({
      fields: ruleSet().ipPolicyRuleSetFields,
      outputs: ruleSet().ipPolicyRuleSetOutputs,
      derived: ruleSet().ipPolicyRuleSetDerived,
      inProgram: ruleSet().ipPolicyRuleSetInProgram,
      isReadFirst: (state) => 'exclusive' in state && state.exclusive === true,
    }),
  },
  ...ofModules,
};
