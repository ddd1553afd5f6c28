import type { RuleAction } from '../../api/wire';
import type { RuleLine } from '../../rule-set/rule-line';
import { networkOfKey, readRuleLines } from '../../rule-set/rules-text';
import type { Cidr } from '../../values/cidr';
import { parseCidr } from '../../values/cidr';
import type { JsonObject } from '../preview/json-reading';
import { asString } from '../preview/json-reading';
import type { RuleDeclaration } from './declarations';
import type { Known } from './known';
import { hidden, readKnown } from './known';
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

/** The rules that an IpPolicyRuleSet declares, in the order of its lines. */
export function readRuleSet(origin: Origin, inputs: JsonObject): RuleDeclaration[] {
  const policyId = readText(inputs['ipPolicyId']);
  const rules = readKnown(inputs['rules'], readLines);
  if (!rules.isKnown) {
    return [{ origin, property: 'rules', policyId, cidr: rules, action: rules }];
  }
  return rules.value.map((line) => readSetRule({ origin, policyId }, line));
}

function readSetRule(
  set: Pick<RuleDeclaration, 'origin' | 'policyId'>,
  { key, action, open }: RuleLine,
): RuleDeclaration {
  return {
    ...set,
    property: `rules["${key}"]`,
    cidr: open.includes('cidr') ? hidden('unknown') : readCidr(networkOfKey(key)),
    action: open.includes('action') ? hidden('unknown') : readAction(action),
  };
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readLines = (value: unknown): readonly RuleLine[] | undefined =>
  typeof value === 'string' ? readRuleLines(value) : undefined;

const readAction = (value: unknown): Known<RuleAction> =>
  readKnown(value, (text) => (text === 'allow' || text === 'deny' ? text : undefined));

const readCidr = (value: unknown): Known<Cidr> =>
  readKnown(value, (text) => (typeof text === 'string' ? parseOnce(text) : undefined));

// Every rule of a preview is read twice, as it is and as it is wanted, and parsing is what a long list costs.
const parsed = new Map<string, Cidr | undefined>();
const PARSED_LIMIT = 200_000;

function parseOnce(text: string): Cidr | undefined {
  if (!parsed.has(text)) {
    if (parsed.size >= PARSED_LIMIT) parsed.clear();
    const result = parseCidr(text);
    parsed.set(text, result.ok ? result.cidr : undefined);
  }
  return parsed.get(text);
}
