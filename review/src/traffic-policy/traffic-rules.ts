import type { TcpEdgeTrafficPolicyModuleInputs } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import type { BySubject, ModuleDeclaration, Snapshot } from '../model/declarations';
import { hidden, type Known, known, valueOf } from '../model/known';
import { asArray, asString, isObject, type JsonObject } from '../preview/json-reading';
import { canonicalJson, parseJson } from 'pulumi-edge-policy/internal/values/json';
import { foreign, say, type Sentence } from '../text/sentence';
import { nearestName } from 'pulumi-edge-policy/internal/values/failure';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';

export const POLICY_TYPE = 'TcpEdgeTrafficPolicyModule';

export const trafficPoliciesOf = ({ modules }: Snapshot): BySubject<ModuleDeclaration> =>
  modules[POLICY_TYPE];

export const DOCUMENT = 'value' satisfies keyof TcpEdgeTrafficPolicyModuleInputs;

export function documentIn({ values }: ModuleDeclaration): Known<string> {
  const document = values[DOCUMENT];
  if (document?.isKnown === false) return document;
  return typeof document?.value === 'string' ? known(document.value) : hidden('unreadable');
}

export interface TrafficAction {
  readonly type: string;
  readonly config: unknown;
  /** The whole action in one canonical text. */
  readonly content: string;
  /** Members that no action has, such as a switch; its effect is unknown, whatever its type. */
  readonly isStrange: boolean;
}

/** One rule of a traffic policy, read leniently: a review must describe what is there, valid or not. */
export interface TrafficRule {
  readonly phase: string;
  /** Position in its phase, counted from 1. */
  readonly position: number;
  /** Empty if the rule has none. */
  readonly name: string;
  /** Everything but the name, in one canonical text: equal texts are equal rules. */
  readonly content: string;
  readonly expressions: readonly string[];
  readonly actions: readonly TrafficAction[];
  /** Parts of the rule that are not where a rule has any; their effect is unknown. */
  readonly isStrange: boolean;
}

// Several parts of a review ask, and documents are long.
const read = new WeakMap<ModuleDeclaration, { readonly rules: readonly TrafficRule[] | undefined }>();

/** The rules of a declared policy, read once for all callers; undefined if it is hidden or cannot be read. */
export function trafficRulesOf(module: ModuleDeclaration): readonly TrafficRule[] | undefined {
  const earlier = read.get(module);
  if (earlier) return earlier.rules;
  const text = valueOf(documentIn(module));
  const rules = text === undefined ? undefined : readTrafficRules(text);
  read.set(module, { rules });
  return rules;
}

/** Undefined if it is not an object of phases, or if readers may understand it differently. */
export function readTrafficRules(text: string): readonly TrafficRule[] | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const phases = Object.entries(parsed.value);
  // Some readers of JSON take such a key for the phase, in place of the phase itself.
  if (phases.some(([name]) => isMiscased(name, PHASES))) return undefined;
  const rules = phases.flatMap(([phase, list]) =>
    Array.isArray(list)
      ? list.map((rule: unknown, index) => (isObject(rule) ? readRule(phase, index + 1, rule) : undefined))
      : [undefined],
  );
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

function readRule(phase: string, position: number, rule: JsonObject): TrafficRule {
  const { name, expressions: listed, actions: acting, ...others } = rule;
  const [texts, steps] = [listed ?? [], acting ?? []];
  const expressions = asArray(texts).filter((text) => typeof text === 'string');
  const actions = asArray(steps).filter(isObject).map(readAction);
  return {
    ...{ phase, position, name: asString(name) ?? '', expressions, actions },
    isStrange:
      !isListOf(texts, expressions.length) ||
      !isListOf(steps, actions.length) ||
      Object.keys(others).length > 0,
    // A missing list has the same effect as an empty one.
    content: canonicalJson({ ...others, expressions: texts, actions: steps }),
  };
}

function readAction(action: JsonObject): TrafficAction {
  const { type, config, ...others } = action;
  const isStrange = Object.keys(others).length > 0;
  return { type: asString(type) ?? '', config, content: canonicalJson(action), isStrange };
}

const isListOf = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length;

export const ruleInWords = ({ name, position, phase }: TrafficRule): Sentence =>
  name === '' ? say`rule ${position} of ${foreign(phase)}` : say`rule ${foreign(name)}`;

/** Phases whose rules decide who gets in. */
const ADMITTING_PHASES = ['inbound', 'on_tcp_connect'];
/** Phases after access has been given. */
const OTHER_PHASES = ['outbound'];
const PHASES: readonly string[] = [...ADMITTING_PHASES, ...OTHER_PHASES];

/** The role of a phase: its rules decide, decide nothing, never run as the name is mistyped, or it is unknown. */
type PhaseRole = 'decides' | 'decides-nothing' | 'mistyped' | 'unknown';

/** The role of a phase by its name; `further` are phases that the user declares as deciding. */
export function roleOfPhase(name: string, further: readonly string[]): PhaseRole {
  if ([...ADMITTING_PHASES, ...further].includes(name)) return 'decides';
  if (OTHER_PHASES.includes(name)) return 'decides-nothing';
  const mayRun = isMiscased(name, further) || nearestPhase(name, further) === undefined;
  return mayRun ? 'unknown' : 'mistyped';
}

export function nearestPhase(name: string, further: readonly string[]): string | undefined {
  const known = [...PHASES, ...further];
  const bare = lettersOf(name);
  return known.find((phase) => phase !== name && lettersOf(phase) === bare) ?? nearestName(name, known);
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

function isMiscased(name: string, known: readonly string[]): boolean {
  const folded = name.toLowerCase();
  return !known.includes(name) && known.some((other) => other.toLowerCase() === folded);
}

export type TrafficRuleChange =
  | { readonly kind: 'added'; readonly after: TrafficRule }
  | { readonly kind: 'removed'; readonly before: TrafficRule }
  | { readonly kind: 'moved' | 'changed'; readonly before: TrafficRule; readonly after: TrafficRule };

interface Pair {
  readonly before: TrafficRule;
  readonly after: TrafficRule;
}

/** The difference of two rule lists, phase by phase. A rule both moved and changed is reported as each. */
export function diffTrafficRules(
  before: readonly TrafficRule[],
  after: readonly TrafficRule[],
): readonly TrafficRuleChange[] {
  const [left, right] = [grouped(before, phaseOf), grouped(after, phaseOf)];
  const phases = new Set([...right.keys(), ...left.keys()]);
  return [...phases].flatMap((phase) => diffPhase(left.get(phase) ?? [], right.get(phase) ?? []));
}

const phaseOf = ({ phase }: TrafficRule): string => phase;

function diffPhase(before: readonly TrafficRule[], after: readonly TrafficRule[]): TrafficRuleChange[] {
  const open = { before: [...before], after: [...after] };
  const pairs = IDENTITIES.flatMap((identityOf) => takePairs(open, identityOf)).sort(
    (left, right) => left.before.position - right.before.position,
  );
  return [
    ...open.after.map((rule) => ({ kind: 'added' as const, after: rule })),
    ...open.before.map((rule) => ({ kind: 'removed' as const, before: rule })),
    ...moved(pairs).map((pair) => ({ kind: 'moved' as const, ...pair })),
    ...pairs.filter(isChanged).map((pair) => ({ kind: 'changed' as const, ...pair })),
  ];
}

const isChanged = ({ before, after }: Pair): boolean =>
  before.name !== after.name || before.content !== after.content;

/** The pairs, which are in their order before, from the first to the last that has another place among them. */
function moved(pairs: readonly Pair[]): readonly Pair[] {
  const order = pairs.toSorted((left, right) => left.after.position - right.after.position);
  const isElsewhere = (pair: Pair, index: number): boolean => order[index] !== pair;
  return pairs.slice(Math.max(pairs.findIndex(isElsewhere), 0), pairs.findLastIndex(isElsewhere) + 1);
}

/** What makes two rules one: being equal, then the name, then the content. A rule without a name is identified by its content. */
const IDENTITIES: readonly ((rule: TrafficRule) => string)[] = [
  (rule) => `${rule.name.length} ${rule.name}${rule.content}`,
  (rule) => (rule.name === '' ? rule.content : ` ${rule.name}`),
  (rule) => rule.content,
];

/** Takes the rules of which both lists have one; the rest stays. */
function takePairs(
  open: Record<'before' | 'after', TrafficRule[]>,
  identityOf: (rule: TrafficRule) => string,
): Pair[] {
  if (open.before.length === 0 || open.after.length === 0) return [];
  // Of several equal ones the first is taken first; the list is reversed, as taking from the end costs nothing.
  const waiting = grouped(open.after.toReversed(), identityOf);
  const pairs: Pair[] = [];
  for (const rule of open.before) {
    const partner = waiting.get(identityOf(rule))?.pop();
    if (partner) pairs.push({ before: rule, after: partner });
  }
  const taken = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  open.before = open.before.filter((rule) => !taken.has(rule));
  open.after = open.after.filter((rule) => !taken.has(rule));
  return pairs;
}
