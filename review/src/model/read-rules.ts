import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { networkOfKey, readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { JsonObject } from '../preview/json-reading';
import { asString } from '../preview/json-reading';
import type { RuleDeclaration } from './declarations';
import type { Known } from './known';
import { hidden, known, readKnown } from './known';
import type { Origin } from './origin';

/** The rule that an IpPolicyRule declares. */
export function readRule(origin: Origin, inputs: JsonObject): RuleDeclaration {
  return {
    origin,
    property: 'cidr',
    policyId: readText(inputs['ipPolicyId']),
    cidr: readCidr(inputs['cidr']),
    action: readAction(inputs['action']),
  };
}

/** The lines of an IpPolicyRuleSet, as far as they can be seen. */
export const readSetLines = (inputs: JsonObject): Known<readonly RuleLine[]> =>
  readKnown(inputs['rules'], readLines);

/** The rules that an IpPolicyRuleSet declares, in the order of its lines. */
export function readRuleSet(
  origin: Origin,
  inputs: JsonObject,
  lines: Known<readonly RuleLine[]>,
): RuleDeclaration[] {
  const policyId = readText(inputs['ipPolicyId']);
  if (!lines.isKnown) {
    return [{ origin, property: 'rules', policyId, cidr: lines, action: lines }];
  }
  return lines.value.map(({ key, action, open }) => ({
    origin,
    policyId,
    property: `rules["${key}"]`,
    cidr: open.includes('cidr') ? hidden('unknown') : readCidr(networkOfKey(key)),
    action: open.includes('action') ? hidden('unknown') : readAction(action),
  }));
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readLines = (value: unknown): readonly RuleLine[] | undefined =>
  typeof value === 'string' ? readRuleLines(value) : undefined;

const ACTIONS: Readonly<Record<RuleAction, Known<RuleAction>>> = {
  allow: known('allow'),
  deny: known('deny'),
};

const readAction = (value: unknown): Known<RuleAction> =>
  value === 'allow' || value === 'deny' ? ACTIONS[value] : readKnown<RuleAction>(value, () => undefined);

const readCidr = (value: unknown): Known<Cidr> =>
  typeof value === 'string' ? parseOnce(value) : readKnown<Cidr>(value, () => undefined);

// Every rule of a preview is read twice, as it is and as it is wanted, and parsing is what a long list costs.
const parsed = new Map<string, Known<Cidr>>();
const PARSED_LIMIT = 300_000;

function parseOnce(text: string): Known<Cidr> {
  const earlier = parsed.get(text);
  if (earlier) return earlier;
  if (parsed.size >= PARSED_LIMIT) parsed.clear();
  const network = readKnown(text, () => {
    const result = parseCidr(text);
    return result.ok ? result.cidr : undefined;
  });
  parsed.set(text, network);
  return network;
}
