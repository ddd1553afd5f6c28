// With `--live`, before is what the service has, also of what the stack manages, and after is what the run really writes: a whole
// module; of a settled rule the fields that differ from the state; nothing of a resource that stays the same.
import { idsByKey, networkOfKey, readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { isModuleType } from '../preview/resource-type';
import type { ModuleDeclaration, Origin, RuleDeclaration } from './declarations';
import { valueOf } from './known';
import { idsOf, type LiveModulePlace, type LiveRule } from './live-rules';
import { readRule, readText } from './read-rules';
import { isBegun, isLookedUp, type ResourceChange, type ResourceSide } from './resource-change';
import { declaredBy, withDeclared } from './snapshot';
import { sentInputs } from './unsettled';

export interface LiveObjects {
  readonly rules: readonly LiveRule[];
  readonly modules: readonly ResourceSide[];
  readonly places: readonly LiveModulePlace[];
}

export interface LiveChange {
  readonly changes: readonly ResourceChange[];
  /** The resources whose objects others have changed or deleted. */
  readonly drifted: readonly Origin[];
  /** The rules that the run is to change and that are gone, so that it stops. */
  readonly gone: readonly Origin[];
}

export function liveChangeOf(changes: readonly ResourceChange[], live: LiveObjects): LiveChange {
  const reader = new LiveReader(changes, live);
  const read = changes.map((change) => reader.read(change));
  return {
    changes: read.flatMap(({ change }) => change),
    drifted: read.flatMap(({ of, hasDrifted }) => (hasDrifted ? [of] : [])),
    gone: read.flatMap(({ of, isGone }) => (isGone === true ? [of] : [])),
  };
}

interface Read {
  readonly of: Origin;
  readonly change: readonly ResourceChange[];
  readonly hasDrifted: boolean;
  readonly isGone?: boolean;
}

class LiveReader {
  private readonly byId: ReadonlyMap<string, LiveRule>;
  private readonly managed: ReadonlySet<string>;
  private readonly modules: ReadonlyMap<string, ResourceSide | undefined>;

  constructor(changes: readonly ResourceChange[], { rules, modules, places }: LiveObjects) {
    this.byId = new Map(rules.map((rule) => [rule.id, rule]));
    this.managed = new Set(changes.flatMap(idsOf));
    this.modules = new Map([
      ...places.map(({ type, subject }) => [keyOfPlace(type, subject), undefined] as const),
      ...modules.map((side) => [keyOfPlace(side.origin.type, side.origin.urn), side] as const),
    ]);
  }

  read(change: ResourceChange): Read {
    const { before, type } = change;
    const as = { of: before?.origin ?? change.after?.origin ?? UNNAMED, change: [change], hasDrifted: false };
    if (!before || isLookedUp(change)) return as;
    // What an interrupted run may have made is in the list of the service, if it has.
    if (isBegun(change) && !isModuleType(type)) return { ...as, change: [] };
    if (isModuleType(type)) return this.module(change, before) ?? as;
    return (type === 'IpPolicyRule' ? this.rule(change, before) : this.set(change, before)) ?? as;
  }

  private rule(change: ResourceChange, open: ResourceSide): Read | undefined {
    const { origin: of, id } = open;
    if (id === undefined) return undefined;
    const known = settled(open);
    const live = this.byId.get(id);
    const [stated] = declaredBy(known).rules;
    if (!stated) return undefined;
    const current = live && inForm(stated, live);
    const hasDrifted = current !== stated && open === known;
    const before = current && withDeclared(known, { ...declaredBy(known), rules: [current] });
    const isGone = change.kind === 'update' && !before;
    // An update compares with the live rule if the state is not settled.
    const writes = (after: ResourceSide): ResourceSide | undefined => {
      const { rules, ...declared } = declaredBy(after);
      const [wanted] = rules;
      if (!before || !wanted || open !== known) return before && after;
      return withDeclared(after, { ...declared, rules: [written(wanted, { stated, found: current })] });
    };
    return { of, change: changeFrom(change, before, writes), hasDrifted, isGone };
  }

  private set(change: ResourceChange, open: ResourceSide): Read | undefined {
    const known = settled(open);
    const declared = declaredBy(known);
    const ids = idsByNetwork(known);
    if (!ids) return undefined;
    const ofRule = new Map<string, RuleDeclaration | undefined>();
    const rules = declared.rules.flatMap((rule) => {
      const id = ids.get(networkOf(rule) ?? '');
      if (id === undefined) return [rule];
      const live = this.byId.get(id);
      const current = live && inForm(rule, live);
      ofRule.set(keyOf(rule), current);
      return current ?? [];
    });
    const hasDrifted =
      open === known &&
      (rules.length !== declared.rules.length || rules.some((rule, at) => rule !== declared.rules[at]));
    const all = open === known ? rules : [...rules, ...this.lostCreates(known)];
    const before = withDeclared(known, { ...declared, rules: all });
    const writes = (after: ResourceSide): ResourceSide => {
      const { rules: wanted, ...rest } = declaredBy(after);
      if (open !== known || !hasDrifted) return after;
      const left = wanted.flatMap((rule) =>
        ofRule.has(keyOf(rule)) ? (ofRule.get(keyOf(rule)) ?? []) : [rule],
      );
      return withDeclared(after, { ...rest, rules: left });
    };
    return { of: open.origin, change: changeFrom(change, before, writes), hasDrifted };
  }

  /** Live rules in nobody's state that a write without an answer has sent: the set's, if its state has the mark. */
  private lostCreates(known: ResourceSide): readonly RuleDeclaration[] {
    const networks = new Set(declaredBy(known).rules.map(networkOf));
    const sent = declaredBy({ ...known, inputs: sentInputs(known.outputs) ?? {} }).rules;
    const policyId = valueOf(readText(known.inputs['ipPolicyId']));
    const others = [...this.byId.values()].filter(
      ({ id, ipPolicyId }) => ipPolicyId === policyId && !this.managed.has(id),
    );
    return sent.filter(
      (rule) =>
        !networks.has(networkOf(rule)) &&
        others.some(({ cidr, action }) => networkOf(rule) === cidr && valueOf(rule.action) === action),
    );
  }

  private module(change: ResourceChange, open: ResourceSide): Read | undefined {
    const known = settled(open);
    const { module } = declaredBy(known);
    if (!module?.subject.isKnown) return undefined;
    const key = keyOfPlace(module.type, module.subject.value);
    if (!this.modules.has(key)) return undefined;
    if (isBegun(change)) return { of: open.origin, change: [], hasDrifted: false };
    const live = this.modules.get(key);
    const current = live && { ...known, inputs: { ...known.inputs, ...live.inputs } };
    const isSame = current !== undefined && contentOf(declaredBy(current).module) === contentOf(module);
    const before = isSame ? known : current;
    const changes = changeFrom(change, before, (after) => after);
    return { of: open.origin, change: changes, hasDrifted: open === known && !isSame };
  }
}

const UNNAMED: Origin = { urn: '', name: '', type: 'IpPolicyRule' };

/** A side without the doubts that a look at the service ends. */
function settled(side: ResourceSide): ResourceSide {
  const { alternative, doubt, ...known } = side;
  if (alternative === undefined && doubt !== 'unsettled') return side;
  return doubt === undefined || doubt === 'unsettled' ? known : { ...known, doubt };
}

/** The change from what is live. What the run leaves alone stays so; what is gone and is not written stays gone. */
function changeFrom(
  { before: _before, after, ...change }: ResourceChange,
  before: ResourceSide | undefined,
  writes: (after: ResourceSide) => ResourceSide | undefined,
): ResourceChange[] {
  const { kind } = change;
  if (kind === 'unchanged' || kind === 'forget') {
    const doubt = kind === 'forget' ? after?.doubt : undefined;
    return before
      ? [{ ...change, before, ...(after && { after: doubt === undefined ? before : { ...before, doubt } }) }]
      : [];
  }
  const left = after && (kind === 'update' ? writes(after) : after);
  if (!before) return left ? [{ ...change, kind: 'create', after: left }] : [];
  return [{ ...change, before, ...(left && { after: left }) }];
}

/** The declaration itself if the service has it so. */
function inForm(rule: RuleDeclaration, { ipPolicyId, cidr, action }: LiveRule): RuleDeclaration {
  const { visible, origin, property } = rule;
  if (!visible || (visible.cidr.text === cidr && visible.action === action)) return rule;
  return { ...readRule(origin, { ipPolicyId, cidr, action }), property };
}

/** What an update leaves: it sends what differs from the state. */
function written(
  wanted: RuleDeclaration,
  { stated, found }: Record<'stated' | 'found', RuleDeclaration>,
): RuleDeclaration {
  if (found === stated) return wanted;
  const isSent = (name: 'cidr' | 'action'): boolean =>
    !wanted[name].isKnown || textOf(wanted, name) !== textOf(stated, name);
  if (isSent('cidr') && isSent('action')) return wanted;
  const inputs = {
    ipPolicyId: valueOf(wanted.policyId),
    cidr: textOf(isSent('cidr') ? wanted : found, 'cidr'),
    action: textOf(isSent('action') ? wanted : found, 'action'),
  };
  return { ...readRule(wanted.origin, inputs), policyId: wanted.policyId };
}

const textOf = (rule: RuleDeclaration, name: 'cidr' | 'action'): string | undefined =>
  name === 'cidr' ? networkOf(rule) : valueOf(rule.action);

const networkOf = ({ cidr }: RuleDeclaration): string | undefined => valueOf(cidr)?.text;

const keyOf = (rule: RuleDeclaration): string => JSON.stringify([networkOf(rule), valueOf(rule.action)]);

const keyOfPlace = (type: string, subject: string): string => `${type} ${subject}`;

const contentOf = (module: ModuleDeclaration | undefined): string =>
  JSON.stringify([module?.isEnabled, module?.values, module?.lists]);

/** The ids of a set's rules by their networks; undefined if its state does not show them. */
function idsByNetwork({ outputs }: ResourceSide): ReadonlyMap<string, string> | undefined {
  const [rules, ruleIdList] = [outputs['rules'], outputs['ruleIdList']];
  if (typeof rules !== 'string' || typeof ruleIdList !== 'string') return undefined;
  if (readRuleLines(rules) === undefined) return undefined;
  return new Map(Object.entries(idsByKey({ rules, ruleIdList })).map(([key, id]) => [networkOfKey(key), id]));
}
