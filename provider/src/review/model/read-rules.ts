import type { RuleAction } from '../../api/wire';
import type { Cidr } from '../../values/cidr';
import { parseCidr } from '../../values/cidr';
import type { JsonObject } from '../preview/json-reading';
import { asObject, asString, tryParseJson } from '../preview/json-reading';
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
    remarks: remarksOf(inputs),
  };
}

/** The rules that an IpPolicyRuleSet declares, in the order of its keys. */
export function readRuleSet(origin: Origin, inputs: JsonObject): RuleDeclaration[] {
  const policyId = readText(inputs['ipPolicyId']);
  const rules = readKnown(inputs['rules'], readRuleMap);
  if (!rules.isKnown) {
    return [{ origin, property: 'rules', policyId, cidr: rules, action: rules, remarks: '' }];
  }
  return Object.entries(rules.value).map(([cidr, value]) => ({
    origin,
    property: `rules["${cidr}"]`,
    policyId,
    cidr: readSetKey(cidr),
    action: readAction(asObject(value)?.['action']),
    remarks: remarksOf(asObject(value) ?? {}),
  }));
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readRuleMap = (value: unknown): JsonObject | undefined =>
  typeof value === 'string' ? asObject(tryParseJson(value)?.value) : undefined;

const readAction = (value: unknown): Known<RuleAction> =>
  readKnown(value, (text) => (text === 'allow' || text === 'deny' ? text : undefined));

/** A set shows an entry whose network is not known yet under a key such as `(unknown 1)`. */
const readSetKey = (key: string): Known<Cidr> =>
  key.startsWith('(unknown') ? hidden('unknown') : readCidr(key);

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

const remarksOf = (inputs: JsonObject): string =>
  JSON.stringify([inputs['description'] ?? '', inputs['metadata'] ?? '']);
