import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { readLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { networkOfKey, readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { JsonObject } from '../preview/json-reading';
import { asString } from '../preview/json-reading';
import type { Origin, RuleDeclaration } from './declarations';
import type { Known } from './known';
import { hidden, known, readKnown } from './known';

/** The rule that an IpPolicyRule declares. */
export const readRule = (origin: Origin, inputs: JsonObject): RuleDeclaration =>
  declaration({
    origin,
    property: 'cidr',
    policyId: readText(inputs['ipPolicyId']),
    cidr: readCidr(inputs['cidr']),
    action: readAction(inputs['action']),
  });

function declaration(rule: Omit<RuleDeclaration, 'visible'>): RuleDeclaration {
  const { origin, property, policyId, cidr, action } = rule;
  if (!cidr.isKnown || !action.isKnown) return rule;
  const visible = { origin, property, cidr: cidr.value, action: action.value };
  return { origin, property, policyId, cidr, action, visible };
}

/** A set as it has been read: its rules are in the order of its lines. */
export interface ReadSet {
  readonly lines: Known<readonly RuleLine[]>;
  readonly rules: readonly RuleDeclaration[];
}

/** The rules that an IpPolicyRuleSet declares. A line that the other side of a change has, too, is the same rule. */
export function readRuleSet(origin: Origin, inputs: JsonObject, other?: ReadSet): ReadSet {
  const policyId = readText(inputs['ipPolicyId']);
  const lines = readKnown(inputs['rules'], readLines);
  if (!lines.isKnown) {
    return { lines, rules: [{ origin, property: 'rules', policyId, cidr: lines, action: lines }] };
  }
  const known = rulesByLine(other);
  const read = ({ key, action, open }: RuleLine) =>
    declaration({
      origin,
      policyId,
      property: `rules["${key}"]`,
      cidr: open.includes('cidr') ? hidden('unknown') : readCidr(networkOfKey(key)),
      action: open.includes('action') ? hidden('unknown') : readAction(action),
    });
  return { lines, rules: lines.value.map((line) => known?.get(line) ?? read(line)) };
}

function rulesByLine(set: ReadSet | undefined): Map<RuleLine, RuleDeclaration> | undefined {
  if (!set?.lines.isKnown) return undefined;
  const known = new Map<RuleLine, RuleDeclaration>();
  set.lines.value.forEach((line, index) => {
    const rule = set.rules[index];
    // What is not known may turn out differently on both sides.
    if (rule?.visible) known.set(line, rule);
  });
  return known;
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readLines = (value: unknown): readonly RuleLine[] | undefined =>
  typeof value === 'string' ? readRuleLines(value, readLineOnce) : undefined;

const ACTIONS: Readonly<Record<RuleAction, Known<RuleAction>>> = {
  allow: known('allow'),
  deny: known('deny'),
};

const readAction = (value: unknown): Known<RuleAction> =>
  value === 'allow' || value === 'deny' ? ACTIONS[value] : readKnown<RuleAction>(value, () => undefined);

const readCidr = (value: unknown): Known<Cidr> =>
  typeof value === 'string' ? parseOnce(value) : readKnown<Cidr>(value, () => undefined);

// Every rule of a preview is read twice, as it is and as it is wanted, and parsing is what a long list costs.
const KNOWN_LIMIT = 300_000;

function once<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    if (known.size >= KNOWN_LIMIT) known.clear();
    const value = read(text);
    known.set(text, value);
    return value;
  };
}

const parseOnce = once((text) =>
  readKnown(text, () => {
    const result = parseCidr(text);
    return result.ok ? result.cidr : undefined;
  }),
);

/** Equal lines are one object. */
const readLineOnce = once(readLine);
