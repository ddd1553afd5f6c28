import type { BySubject, ExclusiveSet, ModuleDeclaration, RuleDeclaration, Snapshot } from './declarations';
import { bySubject } from './declarations';
import type { JsonObject } from '../preview/json-reading';
import type { RunOrder } from './run-order';
import { modulesByType, readModule } from './read-modules';
import { readRule, readRuleSet, readText, type SetLines, withoutEnd } from './read-rules';
import { isBegun, type ResourceChange, type ResourceSide } from './resource-change';
import { eitherModule, eitherRules } from './unsettled';
import { hidden, isShown, type Known, type Obstacle } from './known';

export interface StackChange {
  readonly changes: readonly ResourceChange[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** In which order a run makes the changes; absent if none does, as those that a refresh has found. */
  readonly order?: RunOrder;
}

export function stackChangeOf(changes: readonly ResourceChange[], order?: RunOrder): StackChange {
  for (const { kind, before, after } of changes) {
    if (!before || !after) continue;
    if (kind === 'forget') {
      const left = unattended(declaredBy(before));
      read.set(after, after.doubt ? inDoubt(left, after.doubt) : left);
    } else readTogether(before, after);
  }
  return {
    changes,
    before: snapshotOf(changes.flatMap((change) => change.before ?? [])),
    after: snapshotOf(sidesAfter(changes)),
    ...(order && { order }),
  };
}

/** A module that stays on the service outside the stack is the one that a new resource then has there. */
function sidesAfter(changes: readonly ResourceChange[]): ResourceSide[] {
  const placeOf = (side: ResourceSide): string => {
    const { module } = declaredBy(side);
    return module?.subject.isKnown === true ? `${module.type} ${module.subject.value}` : '';
  };
  const isOutside = (change: ResourceChange): boolean => change.kind === 'forget' || isBegun(change);
  const wanted = changes.flatMap((change) => (isOutside(change) ? [] : (change.after ?? [])));
  const places = new Set(wanted.map(placeOf).filter((place) => place !== ''));
  return changes.flatMap((change) => {
    const { after } = change;
    return after && !(isOutside(change) && places.has(placeOf(after))) ? after : [];
  });
}

export function snapshotOf(resources: readonly ResourceSide[]): Snapshot {
  const declared = resources.map(declaredBy);
  return {
    rules: rulesByPolicy(declared.flatMap(({ rules }) => rules)),
    modules: modulesByType(
      declared.flatMap(({ module, others = [] }) => (module ? [module, ...others] : [])),
    ),
    exclusiveSets: declared.flatMap(({ exclusiveSet }) => exclusiveSet ?? []),
  };
}

export const rulesByPolicy = (rules: readonly RuleDeclaration[]): BySubject<RuleDeclaration> =>
  bySubject(rules, ({ policyId }) => policyId);

export interface Declared {
  readonly rules: readonly RuleDeclaration[];
  readonly lines?: Known<SetLines>;
  readonly module?: ModuleDeclaration;
  /** What may be live in the place of the module. */
  readonly others?: readonly ModuleDeclaration[];
  readonly exclusiveSet?: ExclusiveSet;
}

// Several parts of a review ask, and sets are long.
const read = new WeakMap<ResourceSide, Declared>();

export function declaredBy(resource: ResourceSide): Declared {
  const earlier = read.get(resource);
  if (earlier) return earlier;
  const { doubt, alternative } = resource;
  const stated = readDeclared(resource);
  const either = alternative ? eitherOf(stated, readDeclared({ ...resource, inputs: alternative })) : stated;
  const declared = doubt ? inDoubt(unattended(either), doubt) : either;
  read.set(resource, declared);
  return declared;
}

export function withDeclared(side: ResourceSide, declared: Declared): ResourceSide {
  const other = { ...side };
  read.set(other, declared);
  return other;
}

function eitherOf(stated: Declared, sent: Declared): Declared {
  if (!stated.module || !sent.module) return { ...stated, rules: eitherRules(stated.rules, sent.rules) };
  const [module = stated.module, ...others] = eitherModule(stated.module, sent.module);
  return { ...stated, module, ...(others.length > 0 && { others }) };
}

/** What is left of a resource outside the stack: no `up` ends its rules any more, or deletes others in its policy. */
const unattended = ({ exclusiveSet: _owner, rules, ...declared }: Declared): Declared => ({
  ...declared,
  rules: rules.map(withoutEnd),
});

/** An object that may be without effect. */
const inDoubt = ({ rules, module, ...declared }: Declared, doubt: Obstacle): Declared => ({
  ...declared,
  rules: rules.map((rule) => ({ ...rule, doubt })),
  ...(module && { module: { ...module, isEnabled: hidden(doubt) } }),
});

/** What both sides of a resource have in common is read once and becomes one object, as long lists mostly stay the same. */
function readTogether(before: ResourceSide, after: ResourceSide): void {
  if (read.has(before)) return;
  const declared = declaredBy(after);
  if (before.alternative ?? before.doubt ?? after.alternative ?? after.doubt) return;
  if (isAlike(before.inputs, after.inputs)) read.set(before, declared);
  else if (before.inputs['ipPolicyId'] === after.inputs['ipPolicyId'])
    read.set(before, readDeclared(before, declared));
}

/** A secret or an unknown value looks the same on both sides, whatever it is. */
function isAlike(before: JsonObject, after: JsonObject): boolean {
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => before[name] === after[name] && isShown(before[name]))
  );
}

function readDeclared({ origin, inputs }: ResourceSide, other?: Declared): Declared {
  switch (origin.type) {
    case 'IpPolicyRule':
      return { rules: [readRule(origin, inputs)] };
    case 'IpPolicyRuleSet': {
      const { exclusive = false } = inputs;
      const policyId = readText(inputs['ipPolicyId']);
      const exclusiveSet = { origin, policyId, isSure: exclusive === true };
      const { lines } = other ?? {};
      const set = readRuleSet(origin, inputs, other && lines && { rules: other.rules, lines });
      return { ...set, ...(exclusive !== false && { exclusiveSet }) };
    }
    default:
      return { rules: [], module: readModule(origin.type, origin, inputs) };
  }
}
