import * as pulumi from './sdk';
import { UserError } from '../errors/user-error';
import { ipPolicyRuleSetFields, ipPolicyRuleSetOutputs } from '../resources/ip-policy-rule-set';
import type { SetRule } from '../rule/rule';
import { SECRET_IN_STATE } from '../rule-set/set-state';
import { readDeclaration } from '../rule-set/declared-rules';
import { hasOpenFields, idsByKey, parseRules } from '../rule-set/rules-text';
import { isOfType, registeredToken, registration } from './registration';
import { type IpPolicyRuleSetRules, rulesText } from './rule-set-args';

/** The arguments of an {@link IpPolicyRuleSet}. */
export interface IpPolicyRuleSetArgs {
  /** The id of the IP policy that the rules belong to, `ipp_…`. Required. Changing it replaces the set. */
  readonly ipPolicyId: pulumi.Input<string>;
  /**
   * The rules as a list or, in TypeScript and JavaScript, as a map from CIDR to the rest. One rule per network; their order
   * does not matter. Changing it updates the set: only the differences are sent, and a preview shows them rule by rule. A
   * value that is unknown during a preview hides only its own rule; a secret one makes all rules secret. Required, but may be
   * empty.
   */
  readonly rules: IpPolicyRuleSetRules;
  /**
   * Whether the set owns the whole policy: a refresh shows rules that it does not declare, and the next `up` removes them.
   * Default: `false`, which leaves other rules alone. Changing it updates the set.
   */
  readonly exclusive?: pulumi.Input<boolean | undefined>;
  /**
   * Whether the set may take over existing rules: on create, those for the networks that it declares, or all rules of the
   * policy if it is exclusive; on update, those for the networks that are added. Default: `false`; without it, the operation
   * fails and names what is there. Not sent to the service; changing it alone updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/**
 * Many rules of one IP policy as one resource. Use it for lists of hundreds to tens of thousands of rules: the engine keeps
 * one entry of state for all of them, and a refresh or a change costs as few requests as possible.
 *
 * The order of the requests assumes that a source is let in if it matches an allow and no deny.
 */
export class IpPolicyRuleSet extends pulumi.CustomResource {
  /** The type token, by the host of the stack. */
  static get __pulumiType(): string {
    return registeredToken('IpPolicyRuleSet');
  }

  /** Whether a value is a set, with either host. */
  static override isInstance(value: unknown): value is IpPolicyRuleSet {
    return isOfType('IpPolicyRuleSet', value);
  }

  /** The id of the IP policy that the rules belong to. */
  declare readonly ipPolicyId: pulumi.Output<string>;
  /**
   * The rules as the service holds them, as one text with a rule per line, for previews. In a program, read {@link ruleList}
   * instead.
   */
  declare private readonly rules: pulumi.Output<string>;
  /** Whether the set owns the whole policy. */
  declare readonly exclusive: pulumi.Output<boolean>;
  /** The ids of the rules, one per line, in the order of the lines of `rules`. */
  declare private readonly ruleIdList: pulumi.Output<string>;

  /**
   * Reads all rules of a policy that is managed elsewhere.
   *
   * @param id The id of the IP policy, `ipp_…`. A policy that has no rules, or does not exist, reads as an empty set. The id of a
   * set counts as that of its policy: other rules of the policy are read, too.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): IpPolicyRuleSet {
    return new IpPolicyRuleSet(name, undefined, { ...opts, id });
  }

  /**
   * Declares a set.
   *
   * @param args Required, except in {@link IpPolicyRuleSet.get}.
   */
  constructor(name: string, args: IpPolicyRuleSetArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const sent = args && { ...args, rules: rulesText(args.rules) };
    super(
      ...registration({
        type: 'IpPolicyRuleSet',
        fields: ipPolicyRuleSetFields,
        outputs: ipPolicyRuleSetOutputs,
        name,
        args: sent,
        opts: { ...opts, additionalSecretOutputs: secretOutputs(opts?.additionalSecretOutputs ?? []) },
      }),
    );
  }

  /** The rules as the service holds them, sorted by network. Unknown during a preview, or secret, if any part of them is. */
  get ruleList(): pulumi.Output<SetRule[]> {
    return this.rules.apply((rules) => read(rules, parseRules));
  }

  /** The ids of the rules, keyed by canonical network. Secret if the rules are. */
  get ruleIds(): pulumi.Output<Record<string, string>> {
    return pulumi
      .all([this.rules, this.ruleIdList])
      .apply(([rules, ruleIdList]) => read(rules, (lines) => idsByKey({ rules: lines, ruleIdList })));
  }
}

/**
 * The outputs that are secret if a program names some. The list and the ids are made of others, which would otherwise be in
 * clear.
 */
const secretOutputs = (named: readonly string[]): string[] => [
  ...new Set([...named, ...SECRET_IN_STATE, ...named.flatMap((name) => SAME_SECRET[name] ?? [])]),
];

const OF_THE_RULES = ['rules', 'ruleList', 'ruleIds'];
const SAME_SECRET: Readonly<Record<string, readonly string[]>> = {
  rules: OF_THE_RULES,
  ruleList: OF_THE_RULES,
  ruleIds: ['ruleIdList'],
};

/** Unknown if a part of the rules is: a preview answers with the text of check. Undefined if a mock leaves them out. */
function read<T>(rules: string | undefined, from: (lines: string) => T): T {
  if (rules === undefined) return undefined as T;
  const lines = pulumi.isMocked() ? mockedLines(rules) : rules;
  return hasOpenFields(lines) ? (pulumi.unknown as T) : from(lines);
}

/** No check runs under the SDK's mocks: they answer the JSON that the class has sent, a list, or anything else. */
function mockedLines(rules: unknown): string {
  const { value, failures = [] } = readDeclaration(rules);
  if (value !== undefined) return value;
  const wrong = failures.map(({ path = '', reason }) => `rules${path}: ${reason}`);
  throw new UserError(
    `The mock newResource has returned rules of a set that are not valid. ${wrong.join('. ')}.`,
  );
}
