// An object whose state says that it may differ is both: what was there, and what was sent. It possibly has the effect of either, and
// surely what the two share.
import { UNKNOWN } from 'pulumi-edge-policy/internal/values/unknowns';
import { contains } from 'pulumi-edge-policy/internal/values/cidr';
import { asObject, type JsonObject } from '../preview/json-reading';
import { holdsSecret, isSecret, SECRET } from '../preview/preview-step';
import { isModuleType, type ResourceType } from '../preview/resource-type';
import type { ModuleDeclaration, RuleDeclaration } from './declarations';
import { hidden, type Known, valueOf } from './known';
import { contentFields } from './read-modules';

/** What the mark of a partial failure says was sent; an empty object if that is hidden, undefined if the state has no mark. */
export function sentInputs(outputs: JsonObject): JsonObject | undefined {
  if (outputs['unsettledSince'] === undefined) return undefined;
  const sent = outputs['unsettledInputs'];
  return isSecret(sent) ? {} : (asObject(sent) ?? {});
}

/** The inputs that an object also may have: those that were sent to the place where it is. What is not known of them is hidden. */
export function alternativeOf(type: ResourceType, inputs: JsonObject, sent: JsonObject): JsonObject {
  const names = isModuleType(type)
    ? contentFields(type).map(([name]) => name)
    : type === 'IpPolicyRule'
      ? ['cidr', 'action']
      : ['rules'];
  // A property that is secret in one place is secret in all.
  const shown = (name: string): unknown => (holdsSecret(inputs[name]) ? SECRET : (sent[name] ?? UNKNOWN));
  return { ...inputs, ...Object.fromEntries(names.map((name) => [name, shown(name)])) };
}

/** The rules of an object that has these or those. */
export function eitherRules(
  stated: readonly RuleDeclaration[],
  sent: readonly RuleDeclaration[],
): readonly RuleDeclaration[] {
  const [ownKeys, sentKeys] = [stated, sent].map((rules) => new Set(rules.filter(isVisible).map(keyOf)));
  const isShared = (rule: RuleDeclaration): boolean =>
    isVisible(rule) && ownKeys?.has(keyOf(rule)) === true && sentKeys?.has(keyOf(rule)) === true;
  const both = [...stated, ...sent.filter((rule) => !isShared(rule))];
  const smaller = stated.length === 1 && sent.length === 1 ? smallerOf(stated[0], sent[0]) : undefined;
  return both.map((rule) =>
    isShared(rule) || rule === smaller ? rule : { ...rule, doubt: rule.doubt ?? 'unsettled' },
  );
}

const isVisible = ({ visible }: RuleDeclaration): boolean => visible !== undefined;

const keyOf = ({ policyId, visible }: RuleDeclaration): string =>
  JSON.stringify([valueOf(policyId), visible?.action, visible?.cidr.text, visible?.until]);

/** Of two rules of one action, the one whose network the other one includes: that much holds whichever is live. */
function smallerOf(
  one: RuleDeclaration | undefined,
  other: RuleDeclaration | undefined,
): RuleDeclaration | undefined {
  const [left, right] = [one?.visible, other?.visible];
  if (left === undefined || right === undefined) return undefined;
  if (left.action !== right.action) return undefined;
  if (contains(left.cidr, right.cidr)) return other;
  return contains(right.cidr, left.cidr) ? one : undefined;
}

export function eitherModule(
  stated: ModuleDeclaration,
  sent: ModuleDeclaration,
): readonly ModuleDeclaration[] {
  if (JSON.stringify(shown(stated)) === JSON.stringify(shown(sent))) return [stated];
  return [stated, sent].map((module): ModuleDeclaration => ({
    ...module,
    ...shown(module),
    doubt: 'unsettled',
  }));
}

/** Its content; what is hidden of it is so because nobody knows what was sent. */
const shown = ({ isEnabled, values, lists }: ModuleDeclaration) => ({
  isEnabled: open(isEnabled),
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, open(value)])),
  lists: Object.fromEntries(Object.entries(lists).map(([name, value]) => [name, open(value)])),
});

const open = <T>(value: Known<T>): Known<T> =>
  !value.isKnown && value.obstacle === 'unknown' ? hidden('unsettled') : value;
