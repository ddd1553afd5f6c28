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
  };
}

/** The rules that an IpPolicyRuleSet declares, in the order of its keys. */
export function readRuleSet(origin: Origin, inputs: JsonObject): RuleDeclaration[] {
  const policyId = readText(inputs['ipPolicyId']);
  const rules = readKnown(inputs['rules'], readRuleMap);
  if (!rules.isKnown) {
    return [{ origin, property: 'rules', policyId, cidr: rules, action: rules }];
  }
  return Object.entries(rules.value).map(([key, value]) =>
    readEntry({ origin, policyId }, key, asObject(value) ?? {}),
  );
}

function readEntry(
  set: Pick<RuleDeclaration, 'origin' | 'policyId'>,
  key: string,
  body: JsonObject,
): RuleDeclaration {
  const unknownFields = asString(body[UNKNOWN_FIELDS])?.split(', ') ?? [];
  return {
    ...set,
    property: `rules["${key}"]`,
    cidr:
      unknownFields.includes('cidr') || key.startsWith('(unknown')
        ? hidden('unknown')
        : readCidr(networkOfKey(key)),
    action: unknownFields.includes('action') ? hidden('unknown') : readAction(body['action']),
  };
}

/** A set shows under this key of an entry which of its fields are not known yet. */
const UNKNOWN_FIELDS = '(unknown)';

/** A service may hold two rules for one network; state tells them apart as `192.0.2.0/24 (duplicate 2)`. */
const networkOfKey = (key: string): string => key.replace(/ \(duplicate \d+\)$/, '');

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readRuleMap = (value: unknown): JsonObject | undefined =>
  typeof value === 'string' ? asObject(tryParseJson(value)?.value) : undefined;

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
