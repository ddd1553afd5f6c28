import type { Origin, RuleDeclaration } from './declarations';
import { type Known, readKnown, valueOf } from './known';
import type { ResourceChange } from './resource-change';
import { declaredBy } from './snapshot';

/** What a resource may take over with `overwriteExisting`: live objects that no preview shows. */
export interface TakeOver {
  readonly origin: Origin;
  /** False if the switch is hidden. */
  readonly isSure: boolean;
  readonly subject: Known<string>;
  /** The rules for whose networks there may be a live rule; none for a module. */
  readonly rules: readonly RuleDeclaration[];
}

/** A resource that is created may meet a live object, and so may the new networks of a set. An exclusive set takes its whole policy. */
export const takeOversOf = (changes: readonly ResourceChange[]): TakeOver[] =>
  changes.flatMap(({ kind, before, after }): TakeOver[] => {
    if (!after || kind === 'unchanged' || kind === 'delete' || kind === 'forget') return [];
    const overwrites = overwritesOf(after.inputs);
    if (!overwrites) return [];
    const { rules, exclusiveSet, module } = declaredBy(after);
    const isSet = after.origin.type === 'IpPolicyRuleSet';
    if ((kind === 'update' && !isSet) || exclusiveSet?.isSure === true) return [];
    const earlier = new Set(kind === 'update' && before ? declaredBy(before).rules.map(networkOf) : []);
    const fresh = rules.filter((rule) => !rule.cidr.isKnown || !earlier.has(networkOf(rule)));
    const subject = module?.subject ?? fresh[0]?.policyId;
    return subject ? [{ origin: after.origin, isSure: overwrites.isKnown, subject, rules: fresh }] : [];
  });

/** The policy and the network of a rule: a service has at most one such rule for each action. */
export const networkOf = ({ policyId, cidr }: RuleDeclaration): string =>
  JSON.stringify([valueOf(policyId), valueOf(cidr)?.text]);

/** Whether reading the service answers everything about a take-over. */
export const isReadable = ({ isSure, subject, rules }: TakeOver): boolean =>
  isSure && subject.isKnown && rules.every(({ cidr }) => cidr.isKnown);

/** A switch of a resource as the plan writes it: absent if it is off. */
export function overwritesOf(inputs: Readonly<Record<string, unknown>>): Known<true> | undefined {
  const overwrites = inputs['overwriteExisting'] ?? false;
  return overwrites === false ? undefined : readKnown(overwrites, (value) => value === true || undefined);
}
