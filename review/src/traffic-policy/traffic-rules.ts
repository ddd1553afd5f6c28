import type { TcpEdgeTrafficPolicyModuleInputs } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { type Known, valueOf } from '../model/known';
import { textIn } from '../model/read-modules';
import { asArray, asObject, asString, isObject, type JsonObject } from '../preview/json-reading';
import { canonicalJson, parseJson } from 'pulumi-edge-policy/internal/values/json';
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
  return parsed.ok ? rulesIn(parsed.value) : undefined;
}

function rulesIn(document: unknown): readonly TrafficRule[] | undefined {
  const policy = asObject(document);
  if (!policy) return undefined;
  const phases = Object.entries(policy);
  // Some readers of JSON take such a key for the phase, in place of the phase itself.
  if (phases.some(([name]) => isMiscased(name, PHASES))) return undefined;
  if (!phases.every(([, rules]) => Array.isArray(rules) && rules.every(isObject))) return undefined;
  return phases.flatMap(([phase, rules]) =>
    asArray(rules)
      .filter(isObject)
      .map((rule, index) => readRule(phase, index + 1, rule)),
  );
}

function readRule(phase: string, position: number, rule: JsonObject): TrafficRule {
  const [expressions, actions] = [rule['expressions'] ?? [], rule['actions'] ?? []];
  const read = {
    expressions: textsOf(expressions),
    actions: asArray(actions).filter(isObject).map(readAction),
  };
  const isStrange =
    !isListOf(expressions, read.expressions.length) ||
    !isListOf(actions, read.actions.length) ||
    !hasOnly(rule, KNOWN_KEYS);
  return {
    ...{ phase, position, name: asString(rule['name']) ?? '', ...read, isStrange },
    content: isStrange ? contentOfStrange(rule) : contentOf(read),
  };
}

const textsOf = (list: unknown): readonly string[] =>
  isListOfTexts(list) ? list : asArray(list).filter((entry) => typeof entry === 'string');

const isListOfTexts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.every((entry) => typeof entry === 'string');

const KNOWN_KEYS = ['name', 'expressions', 'actions'];
const KEYS_OF_ACTIONS = ['type', 'config'];

function hasOnly(members: JsonObject, keys: readonly string[]): boolean {
  for (const key in members) if (!keys.includes(key)) return false;
  return true;
}

const contentOfStrange = ({ name: _name, ...content }: JsonObject): string => canonicalJson(content);

/** A missing list has the same effect as an empty one. */
const contentOf = ({ expressions, actions }: Pick<TrafficRule, 'actions' | 'expressions'>): string =>
  `{"actions":[${actions.map(({ content }) => content).join(',')}],"expressions":${JSON.stringify(expressions)}}`;

const readAction = (action: JsonObject): TrafficAction => ({
  type: asString(action['type']) ?? '',
  config: action['config'],
  content: canonicalJson(action),
  isStrange: !hasOnly(action, KEYS_OF_ACTIONS),
});

const isListOf = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length;
