import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { isModuleType, type ModuleType } from '../preview/resource-type';
import type { ModuleDeclaration, RuleDeclaration, Snapshot } from './declarations';
import { contentOf } from './ending-rules';
import { valueOf } from './known';
import { allModules, modulesByType } from './read-modules';
import { readRule, readText } from './read-rules';
import { isLookedUp, type ResourceChange, type ResourceSide } from './resource-change';
import { declaredBy, rulesByPolicy, snapshotOf, type StackChange, stackChangeOf } from './snapshot';
import { networkOf, takeOversOf } from './take-overs';

/** A rule of the service; of a row of its list that cannot be read, only a name, and at most the policy. */
export type LiveRule = Pick<ServiceRule, 'id'> & Partial<Pick<ServiceRule, 'ipPolicyId' | 'cidr' | 'action'>>;

/** Adds the unmanaged live rules in policies of the stack. They survive unless a set owns the policy or a resource takes them over. */
export function withLiveRules(stack: StackChange, liveRules: readonly LiveRule[]): StackChange {
  const foreign = unmanagedRules(stack, liveRules);
  const taken = new Set(
    takeOversOf(stack.changes).flatMap(({ isSure, rules }) => (isSure ? rules.map(networkOf) : [])),
  );
  const survivors = foreign.filter(
    (rule) =>
      !stack.after.exclusiveSets.some(
        ({ isSure, policyId }) => isSure && valueOf(policyId) === valueOf(rule.policyId),
      ) && !(rule.visible && taken.has(networkOf(rule))),
  );
  return { ...stack, before: withRules(stack.before, foreign), after: withRules(stack.after, survivors) };
}

export function unmanagedRules(stack: StackChange, liveRules: readonly LiveRule[]): RuleDeclaration[] {
  const policyIds = new Set([...stack.before.rules.placed.keys(), ...stack.after.rules.placed.keys()]);
  const managedIds = new Set(stack.changes.flatMap(idsOf));
  const managedRules = new Set(stack.changes.flatMap(rulesWithoutId).map(contentOf));
  return liveRules
    .filter(({ ipPolicyId }) => ipPolicyId === undefined || policyIds.has(ipPolicyId))
    .filter(({ id }) => !managedIds.has(id))
    .map(declarationOf)
    .filter((rule) => !rule.visible || !managedRules.has(contentOf(rule)));
}

/** Adds rules that no stack manages to the side after: they are live, and did not exist when the stack was reviewed. */
export const withUnmanaged = (stack: StackChange, unmanaged: readonly ServiceRule[]): StackChange => ({
  ...stack,
  after: withRules(stack.after, unmanaged.map(declarationOf)),
});

const withRules = (snapshot: Snapshot, rules: readonly RuleDeclaration[]): Snapshot => ({
  ...snapshot,
  rules: rulesByPolicy([...snapshot.rules.all, ...rules]),
});

export function idsOf({ type, before }: ResourceChange): readonly string[] {
  if (!before) return [];
  if (type === 'IpPolicyRule') return before.id === undefined ? [] : [before.id];
  return parseIdList(valueOf(readText(before.outputs['ruleIdList'])));
}

/** The ids of a secret set are hidden: its rules are recognised by their content, which others of the policy may have as well. */
function rulesWithoutId(change: ResourceChange): readonly RuleDeclaration[] {
  const { rules } = change.before ? declaredBy(change.before) : { rules: [] };
  return idsOf(change).length < rules.length ? rules : [];
}

export const declarationOf = ({ id, ...inputs }: LiveRule): RuleDeclaration =>
  readRule({ urn: id, name: id, type: 'IpPolicyRule' }, inputs);

export interface LiveModulePlace {
  readonly type: ModuleType;
  readonly subject: string;
}

export const modulePlaces = (snapshot: Snapshot): LiveModulePlace[] =>
  allModules(snapshot).flatMap(({ type, subject }) =>
    subject.isKnown ? [{ type, subject: subject.value }] : [],
  );

/** The places at which modules are made, which may find one there, or only looked up, so that the live ones must be read. */
export const placesTakenOver = (changes: readonly ResourceChange[]): LiveModulePlace[] =>
  modulePlaces(
    snapshotOf([
      ...changes
        .filter(({ kind }) => kind === 'create' || kind === 'replace')
        .flatMap(({ after }) => after ?? []),
      ...changes.filter(isLookedUp).flatMap(({ before }) => before ?? []),
    ]),
  );

/** The places of the change, whose modules a review begins from, and those that assertions are about. */
export function placesToRead(
  changes: readonly ResourceChange[],
  asserted: ReadonlySet<string>,
): LiveModulePlace[] {
  const sides = changes.flatMap(({ kind, before, after }) =>
    [before, after].flatMap((side) => (side ? [{ kind, side }] : [])),
  );
  const wanted = sides.filter(
    ({ kind, side }) =>
      kind !== 'unchanged' || modulePlaces(snapshotOf([side])).some(({ subject }) => asserted.has(subject)),
  );
  const places = [...placesTakenOver(changes), ...modulePlaces(snapshotOf(wanted.map(({ side }) => side)))];
  return [...new Map(places.map((place) => [`${place.type} ${place.subject}`, place])).values()];
}

/** The change without what it only looks up and `--live` has read: all rules, and modules whose place is known. */
export const withoutLookUps = (stack: StackChange): StackChange =>
  stackChangeOf(
    stack.changes.filter(
      (change) =>
        !isLookedUp(change) || (isModuleType(change.type) && placesTakenOver([change]).length === 0),
    ),
    stack.order,
  );

/** Adds the live modules where the stack has had none, because it takes over an existing one, or only looks it up. */
export function withLiveModules(stack: StackChange, live: readonly ResourceSide[]): StackChange {
  const foreign = unmanagedModules(stack.before, live);
  const withFound = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    modules: modulesByType([
      ...allModules(snapshot),
      ...foreign.filter(({ type, subject }) => !snapshot.modules[type].placed.has(valueOf(subject) ?? '')),
    ]),
  });
  return { ...stack, before: withFound(stack.before), after: withFound(stack.after) };
}

export const unmanagedModules = ({ modules }: Snapshot, live: readonly ResourceSide[]): ModuleDeclaration[] =>
  allModules(snapshotOf(live)).filter(
    ({ type, subject }) => !modules[type].placed.has(valueOf(subject) ?? ''),
  );
