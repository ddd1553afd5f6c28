// Replaces the state by what was approved: after a refresh the state is what is live, whoever made it so.
import { nameOfUrn } from '../pulumi/deployment';
import type { AnyField } from 'pulumi-edge-policy/internal/fields/field';
import {
  hostOfToken,
  type ModuleType,
  providerReference,
  typeOfToken,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import { liveRulesInState, rulesInState } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { LiveRule } from 'pulumi-edge-policy/internal/rule/rule';
import { contentFields, identityFields, parseUrn, type ReviewedPlan } from 'pulumi-edge-policy-review';
import type { ReadResource } from './read-live-stack';

type PlannedResource = ReviewedPlan['resources'][number];
type Item = PlannedResource['after'][number];

/** The resources of a stack, each as it was approved, as far as the plan shows it. */
export function asApproved(read: readonly ReadResource[], plan: ReviewedPlan): ReadResource[] {
  const planned = new Map(plan.resources.map((resource) => [resource.urn, resource]));
  const urns = new Set(read.map(({ resource }) => resource.urn));
  return [
    ...read.map((found) => {
      const approved = planned.get(found.resource.urn);
      return approved ? { ...found, known: knownAs(found, approved) } : found;
    }),
    // Approved, and not in the state: it is not managed any more, for whatever reason.
    ...plan.resources
      .filter(({ urn, after }) => !urns.has(urn) && after.length > 0)
      .map(({ urn, after }) => unmanaged(urn, after)),
  ];
}

function unmanaged(urn: string, items: readonly Item[]): ReadResource {
  const token = parseUrn(urn).type;
  const type = typeOfToken(token);
  const known = valuesOf(type, items, {});
  const served = type && hostOfToken(token) === 'dynamic' ? { __provider: providerReference(type) } : {};
  return { resource: { urn, type: token, id: nameOfUrn(urn), inputs: { ...known, ...served } }, known };
}

const knownAs = ({ resource, known }: ReadResource, { after }: PlannedResource): ReadResource['known'] => ({
  ...known,
  ...valuesOf(typeOfToken(resource.type), after, known),
});

function valuesOf(
  type: ReturnType<typeof typeOfToken>,
  items: readonly Item[],
  known: ReadResource['known'],
): Record<string, unknown> {
  switch (type) {
    case 'IpPolicyRule':
      return ruleValues(items);
    case 'IpPolicyRuleSet':
      return setValues(items, known);
    case undefined:
      return {};
    default:
      return moduleValues(type, items);
  }
}

const textOf = (value: Item[string] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Only what the plan shows: a value that it hides is taken from the state. */
const shown = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const ruleValues = ([item]: readonly Item[]): Record<string, unknown> =>
  item
    ? shown({
        ipPolicyId: textOf(item.subject),
        cidr: textOf(item['cidr']),
        action: textOf(item['action']),
      })
    : {};

/** The approved rules, with the ids and texts that state has for their networks. */
function setValues(items: readonly Item[], known: ReadResource['known']): Record<string, unknown> {
  const rules = items.filter((item) => item['exclusive'] === undefined);
  const isWhole = rules.every((item) => textOf(item['cidr']) && textOf(item['action']));
  if (!isWhole) return {};
  const byNetwork = new Map(liveRulesInState(known).map((rule) => [rule.cidr, rule]));
  const approved = rules.map((item): LiveRule => {
    const { until: _until, ...before } = byNetwork.get(textOf(item['cidr']) ?? '') ?? { id: '-' };
    const until = textOf(item['until']);
    return {
      ...before,
      cidr: textOf(item['cidr']) ?? '',
      action: item['action'] === 'deny' ? 'deny' : 'allow',
      ...(until !== undefined && { until }),
    };
  });
  const exclusive = items.some((item) => item['exclusive'] === 'true');
  return { ...shown({ ipPolicyId: textOf(items[0]?.subject) }), exclusive, ...rulesInState(approved) };
}

/** The values of a module of any kind: the inverse of the plan's `itemsOf`. */
function moduleValues(type: ModuleType, items: readonly Item[]): Record<string, unknown> {
  const [head] = items;
  const ids = textOf(head?.subject)?.split('/') ?? [];
  const content = contentFields(type).map(([name, field]) => [name, contentOf(name, field, items)]);
  return shown({
    ...Object.fromEntries(identityFields(type).map((name, index) => [name, ids[index]])),
    ...(Object.fromEntries(content) as Record<string, unknown>),
  });
}

function contentOf(name: string, { type }: AnyField, items: readonly Item[]): unknown {
  if (type.output.type === 'array') {
    const own = items.filter((item) => item['list'] === name);
    const texts = own.flatMap((item) => textOf(item['pattern']) ?? []);
    return texts.length === own.length ? texts : undefined;
  }
  const text = textOf(items[0]?.[name]);
  return type.output.type === 'boolean' && text !== undefined ? text === 'true' : text;
}
