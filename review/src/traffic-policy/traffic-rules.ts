import type { TcpEdgeTrafficPolicyModuleInputs } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { type Known, valueOf } from '../model/known';
import { textIn } from '../model/read-modules';
import { asArray, asString, isObject, type JsonObject } from '../preview/json-reading';
import { canonicalJson, parseJson } from 'pulumi-edge-policy/internal/values/json';
import { foreign, say, type Sentence } from '../text/sentence';
import { isMiscased, PHASES } from './phases';

/** The modules that hold the rules of a TCP edge. */
export const POLICY_TYPE = 'TcpEdgeTrafficPolicyModule';

/** The traffic policies of one side, by their edges. */
export const trafficPoliciesOf = ({ modules }: Snapshot): BySubject<ModuleDeclaration> =>
  modules[POLICY_TYPE];

/** The property that holds the policy. */
export const DOCUMENT = 'value' satisfies keyof TcpEdgeTrafficPolicyModuleInputs;

/** The policy, as JSON. */
export const documentIn = (module: ModuleDeclaration): Known<string> => textIn(module, DOCUMENT);

/** One action of a rule. */
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

/**
 * The rules of a serialised policy, phase by phase; undefined if it is not an object of phases, or if readers may understand it
 * differently.
 */
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

/** A rule by its name, or by its place in its phase. */
export const ruleInWords = ({ name, position, phase }: TrafficRule): Sentence =>
  name === '' ? say`rule ${position} of ${foreign(phase)}` : say`rule ${foreign(name)}`;
