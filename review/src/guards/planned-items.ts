import { isShown, type Known, type Obstacle } from '../model/known';
import { fatesOf } from '../preview/fate';
import type { JsonObject } from '../preview/json-reading';
import { gapAbout, type PreviewGap } from '../preview/preview-gaps';
import type { PreviewStep } from '../preview/preview-step';
import { resourceTypeOf } from '../preview/resource-type';
import { type KnownTexts, textsOf } from '../model/changed-rules';
import type { ResourceSide } from '../model/resource-change';
import { compareText, say } from '../text/sentence';
import { type Declared, declaredBy } from '../model/snapshot';
import type { ModuleDeclaration, RuleDeclaration } from '../model/declarations';
import { overwritesOf } from '../model/take-overs';
import { canonicalJson, parseJson } from 'pulumi-edge-policy/internal/values/json';

export type PlannedValue = string | { readonly hidden: Obstacle };

/** A rule, a module, or an entry of a list in one: what access depends on, in canonical form, and the texts that a request has. */
export interface PlannedItem {
  readonly subject: PlannedValue;
  readonly [name: string]: PlannedValue;
}

/** The declarations of one side, in an order of their own; with texts only if a request has them, as their drift is no difference. */
export function itemsOf(
  side: ResourceSide | undefined,
  texts: 'declared' | 'live' | 'without texts' = 'without texts',
): readonly PlannedItem[] {
  if (!side) return [];
  const declared = declaredBy(side);
  const ofRules = texts === 'without texts' ? [] : textsOf(side, texts);
  return [...contentItems(declared, ofRules), ...overwritingItems(side, declared)];
}

/** Resources that the engine calls unchanged although their inputs mean different access, which no run does. */
export function changedSameGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const names = fatesOf(steps).flatMap(({ objects, wanted }) => {
    const kept = objects.find(({ fate, step }) => fate === 'kept' && step.op === 'same');
    const [old, wants] = [kept?.state.inputs, wanted?.new?.inputs];
    const type = resourceTypeOf(kept?.step.type ?? '');
    if (!kept || !old || !wants || !type) return [];
    // One side may hide what the other one shows.
    const meaning = (one: JsonObject, other: JsonObject): string => {
      const shown = Object.entries(one).map(([name, value]) => [name, isShown(value) ? value : other[name]]);
      const inputs = Object.fromEntries(shown) as JsonObject;
      return JSON.stringify(
        contentItems(declaredBy({ origin: { urn: '', name: '', type }, inputs, outputs: {} })),
      );
    };
    return meaning(old, wants) === meaning(wants, old) ? [] : [kept.step.urn.name];
  });
  return gapAbout(names, (named) => say`The preview calls ${named} unchanged, although its access differs.`);
}

function contentItems(declared: Declared, texts: readonly KnownTexts[] = []): readonly PlannedItem[] {
  if (declared.module) return moduleItems(declared.module);
  const rules = declared.rules.map((rule, index) => ({
    ...ruleItem(rule),
    ...Object.fromEntries(Object.entries(texts[index] ?? {}).map(([name, text]) => [name, planned(text)])),
  }));
  return [...inOrder(rules), ...ownerItems(declared)];
}

/** A resource that takes over existing objects is marked: approving one that does not is no approval of this. */
function overwritingItems({ inputs }: ResourceSide, { rules, module }: Declared): readonly PlannedItem[] {
  const overwrites = overwritesOf(inputs);
  const subject = module?.subject ?? rules[0]?.policyId;
  return overwrites && subject ? [{ subject: planned(subject), overwrites: planned(overwrites) }] : [];
}

const ownerItems = ({ exclusiveSet: set }: Declared): readonly PlannedItem[] =>
  set ? [{ subject: planned(set.policyId), exclusive: set.isSure ? 'true' : { hidden: 'unknown' } }] : [];

const ruleItem = ({ policyId, cidr, action, until, doubt }: RuleDeclaration): PlannedItem => ({
  subject: planned(policyId),
  cidr: planned(cidr, (network) => network.text),
  action: planned(action),
  ...(until && { until: planned(until) }),
  ...(doubt && { live: { hidden: doubt } }),
});

/** The switch and the texts, and every entry of a list as an item of its own, so that a hidden one only hides itself. */
function moduleItems(module: ModuleDeclaration): PlannedItem[] {
  const subject = planned(module.subject);
  const values = Object.entries(module.values).map(
    ([name, value]) => [name, planned(value, (given) => comparable(String(given)))] as const,
  );
  const entries = Object.entries(module.lists).flatMap(([list, patterns]): PlannedItem[] =>
    patterns.isKnown
      ? patterns.value.map((pattern) => ({ subject, list, pattern: planned(pattern) }))
      : [{ subject, list, patterns: planned(patterns) }],
  );
  return [
    { subject, enabled: planned(module.isEnabled), ...Object.fromEntries(values) },
    ...inOrder(entries),
  ];
}

/** One text for equal documents; a text that is no JSON, or that readers may understand differently, is returned as it is. */
function comparable(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? canonicalJson(parsed.value) : text;
}

/** By their texts: how they were declared does not matter. */
const inOrder = (items: readonly PlannedItem[]): PlannedItem[] =>
  items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((left, right) => compareText(left.text, right.text))
    .map(({ item }) => item);

const planned = <T>(value: Known<T>, write: (value: T) => string = String): PlannedValue =>
  value.isKnown ? write(value.value) : { hidden: value.obstacle };
