// The rules of an account by their policies, each with the resource of the compared stacks that manages it.
import { sourceOf } from 'pulumi-edge-policy-review';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { detailsOf, type RuleDetails, type ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { type Deployment, type StateResource, managersOf } from '../pulumi/deployment';
import { NO_SIBLINGS, readSiblings, type Siblings } from '../pulumi/siblings';
import { requireStack } from '../pulumi/stack';

/** Which live objects the stacks manage, or why that is unknown. */
export interface Management {
  readonly stacks: readonly string[];
  /** The state of the first of them, to which the settings belong. */
  readonly first?: Deployment;
  readonly managers?: ReadonlyMap<string, StateResource>;
  readonly siblings?: Siblings;
  readonly problem?: string;
}

export async function readManagement(
  names: readonly (string | undefined)[],
  { cwd, withSiblings }: Location & { readonly withSiblings: boolean },
  context: CliContext,
): Promise<Management> {
  try {
    const stacks = names.map((stack) => requireStack(context, { cwd, stack }));
    const deployments: Deployment[] = [];
    for (const stack of stacks) deployments.push(await stack.deployment());
    const [first] = deployments;
    const ownNames = await Promise.all(stacks.map((stack) => stack.name()));
    const [stack] = stacks;
    const siblings = stack && withSiblings ? await readSiblings(stack, ownNames) : NO_SIBLINGS;
    return {
      stacks: [...ownNames, ...siblings.stacks],
      ...(first && { first }),
      managers: new Map([
        ...[...siblings.managers].map(([key, { resource }]) => [key, resource] as const),
        ...deployments.flatMap((deployment) => [...managersOf(deployment)]),
      ]),
      siblings,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { stacks: [], problem: error.message };
  }
}

export interface ListedRule extends RuleDetails, Pick<ServiceRule, 'id' | 'action' | 'cidr' | 'createdAt'> {
  /** The URN of the resource that manages the rule; null if none does, absent if that is not known. */
  readonly managedBy?: string | null;
  readonly source?: string;
}

export interface ListedPolicy {
  readonly id: string;
  readonly rules: readonly ListedRule[];
}

export function byPolicy(rules: readonly ServiceRule[], { managers }: Management): ListedPolicy[] {
  const listed = (rule: ServiceRule): ListedRule => {
    const manager = managers?.get(rule.id);
    const source = manager && sourceOf(manager);
    return {
      ...{ id: rule.id, action: rule.action, cidr: rule.cidr },
      ...detailsOf(rule),
      createdAt: rule.createdAt,
      ...(managers && { managedBy: manager?.urn ?? null }),
      ...(source && { source: `${source.file}:${source.line}` }),
    };
  };
  return [...grouped(rules, ({ ipPolicyId }) => ipPolicyId)]
    .map(([id, own]) => ({ id, rules: own.map(listed) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
