import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { readDeclaration } from 'pulumi-edge-policy/internal/rule-set/declared-rules';
import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { networkOfKey, readRuleLines, ruleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { type Cidr, contains, networkAt, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { asString, type JsonObject } from '../preview/json-reading';
import type { Origin, RuleDeclaration } from './declarations';
import { hidden, known, type Known, readKnown, valueOf } from './known';

export const readRule = (origin: Origin, inputs: JsonObject): RuleDeclaration =>
  declaration({
    origin,
    property: 'cidr',
    policyId: readText(inputs['ipPolicyId']),
    ...readCidr(inputs['cidr']),
    action: readAction(inputs['action']),
    ...saying(valueOf(readText(inputs['description']))),
  });

const saying = (text: string | undefined) => (text === undefined || text === '' ? {} : { says: text });

function declaration(rule: Omit<RuleDeclaration, 'visible'>): RuleDeclaration {
  const { origin, property, cidr, action, until, list, says } = rule;
  if (!cidr.isKnown || !action.isKnown) return rule;
  const visible = {
    ...{ origin, property, cidr: cidr.value, action: action.value },
    ...(list !== undefined && { list }),
    ...saying(says),
  };
  return { ...rule, visible: until?.isKnown ? { ...visible, until: until.value } : visible };
}

/** The rule for ever. */
export function withoutEnd(rule: RuleDeclaration): RuleDeclaration {
  if (rule.until === undefined) return rule;
  const { until: _until, visible: _visible, ...forEver } = rule;
  return declaration(forEver);
}

export interface ReadSet {
  readonly lines: Known<SetLines>;
  readonly rules: readonly RuleDeclaration[];
}

export interface SetLines {
  readonly texts: readonly string[];
  readonly lines: readonly RuleLine[];
}

/** The rules that an IpPolicyRuleSet declares. A line that both sides of a change have is one rule. */
export function readRuleSet(origin: Origin, inputs: JsonObject, other?: ReadSet): ReadSet {
  const policyId = readText(inputs['ipPolicyId']);
  const read = readKnown(inputs['rules'], readSetLines);
  if (!read.isKnown) {
    return { lines: read, rules: [{ origin, property: 'rules', policyId, cidr: read, action: read }] };
  }
  const { texts, lines } = read.value;
  const earlier = new Map(
    other?.lines.isKnown ? other.lines.value.texts.map((text, index) => [text, other.rules[index]]) : [],
  );
  const rules = lines.map((line, index) => {
    const same = earlier.get(texts[index] ?? '');
    // An unknown value may turn out differently on both sides.
    return same?.visible ? same : ruleOfLine(line, { origin, policyId, ...saying(texts[index]) });
  });
  return { lines: read, rules };
}

/** The rules as check returns them; after an import, state holds the rules as a program gives them. */
function readSetLines(rules: unknown): SetLines | undefined {
  const text = typeof rules === 'string' ? rules : readDeclaration(rules).value;
  const lines = text === undefined ? undefined : readRuleLines(text);
  return lines && { lines, texts: ruleLines(text ?? '').split('\n') };
}

function ruleOfLine(
  { key, action, until, list, open }: RuleLine,
  of: Pick<RuleDeclaration, 'origin' | 'policyId' | 'says'>,
): RuleDeclaration {
  const end = open.includes('until') ? hidden('unknown') : until === undefined ? undefined : known(until);
  return declaration({
    ...of,
    property: `rules["${key}"]`,
    ...(open.includes('cidr') ? { cidr: hidden('unknown') } : readCidr(networkOfKey(key))),
    action: open.includes('action') ? hidden('unknown') : readAction(action),
    ...(end && { until: end }),
    ...(list !== undefined && { list }),
  });
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const readAction = (value: unknown): Known<RuleAction> =>
  readKnown(value, () => (value === 'allow' || value === 'deny' ? value : undefined));

/** A service may hold what no program can declare, such as host bits: then it matches any of its readings, or nothing. */
function readCidr(value: unknown): Pick<RuleDeclaration, 'cidr' | 'readings'> {
  const cidr = readKnown(value, networkOfRule);
  if (cidr.isKnown || cidr.obstacle !== 'unreadable' || typeof value !== 'string') return { cidr };
  const parsed = parseCidr(value);
  if (parsed.ok) return { cidr };
  const readings = parsed.suggestions.map(networkOfRule);
  const areKnown = readings.length > 0 && readings.every((reading) => reading !== undefined);
  return areKnown ? { cidr: hidden('ambiguous'), readings } : { cidr, readings: [] };
}

/** The network of a rule; undefined if what it matches is not known. */
export function networkOfRule(value: unknown): Cidr | undefined {
  const result = typeof value === 'string' ? parseCidr(value) : undefined;
  return result?.ok === true && !isAroundMappedIpv4(result.cidr) ? result.cidr : undefined;
}

export const MAPPED_IPV4 = networkAt(6, 0xffff_0000_0000n, 96);

/** Whether a network may include all of IPv4, as software differs on that. Nobody means IPv4 by `::/0`. */
const isAroundMappedIpv4 = (cidr: Cidr): boolean => cidr.prefixLength > 0 && contains(cidr, MAPPED_IPV4);
