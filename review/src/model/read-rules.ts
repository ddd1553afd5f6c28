import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { readDeclaration } from 'pulumi-edge-policy/internal/rule-set/declared-rules';
import { networkOfKey } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { ipv4OfCode } from 'pulumi-edge-policy/internal/values/ipv4-network';
import type { JsonObject } from '../preview/json-reading';
import { asString } from '../preview/json-reading';
import type { Origin, RuleDeclaration, VisibleRule } from './declarations';
import type { Known } from './known';
import { hidden, known, readKnown } from './known';
import type { SetLines } from './set-lines';
import { actionAt, matchLines, readSetLines } from './set-lines';

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
  const { origin, property, cidr, action, until } = rule;
  if (!cidr.isKnown || !action.isKnown) return rule;
  const visible = { origin, property, cidr: cidr.value, action: action.value };
  return { ...rule, visible: until?.isKnown ? { ...visible, until: until.value } : visible };
}

/** The rule for ever. */
export function withoutEnd(rule: RuleDeclaration): RuleDeclaration {
  if (rule.until === undefined) return rule;
  const { origin, property, policyId, cidr, action } = rule;
  return declaration({ origin, property, policyId, cidr, action });
}

/** A set that has been read, with its rules in the order of its lines. */
export interface ReadSet {
  readonly lines: Known<SetLines>;
  readonly rules: readonly RuleDeclaration[];
  /** The positions of its lines in the set of the other side, if both were read together. */
  readonly matches?: Int32Array;
}

/** The rules that an IpPolicyRuleSet declares. A line that both sides of a change have is one rule. */
export function readRuleSet(origin: Origin, inputs: JsonObject, other?: ReadSet): ReadSet {
  const policyId = readText(inputs['ipPolicyId']);
  const read = readKnown(inputs['rules'], readRules);
  if (!read.isKnown) {
    return { lines: read, rules: [{ origin, property: 'rules', policyId, cidr: read, action: read }] };
  }
  const lines = read.value;
  const matches = other?.lines.isKnown ? matchLines(lines, other.lines.value) : undefined;
  const rules: RuleDeclaration[] = [];
  for (let index = 0; index < lines.count; index += 1) {
    const same = other?.rules[matches?.[index] ?? -1];
    // An unknown value may turn out differently on both sides.
    rules.push(same?.visible ? same : ruleOfLine(lines, index, { origin, policyId }));
  }
  return { lines: read, rules, ...(matches && { matches }) };
}

/** The rules as check returns them; after an import, state holds the rules as a program gives them. */
function readRules(rules: unknown): SetLines | undefined {
  const text = typeof rules === 'string' ? rules : readDeclaration(rules).value;
  return text === undefined ? undefined : readSetLines(text);
}

function ruleOfLine(
  lines: SetLines,
  index: number,
  { origin, policyId }: Pick<RuleDeclaration, 'origin' | 'policyId'>,
): RuleDeclaration {
  const line = lines.others.get(index);
  if (!line) {
    const cidr = ipv4OfCode(lines.codes[index] ?? 0);
    return new PlainDeclaration(policyId, new PlainRule(origin, cidr, actionAt(lines, index)));
  }
  const { key, action, until, open } = line;
  const end = open.includes('until') ? hidden('unknown') : until === undefined ? undefined : known(until);
  return declaration({
    origin,
    policyId,
    property: `rules["${key}"]`,
    cidr: open.includes('cidr') ? hidden('unknown') : readCidr(networkOfKey(key)),
    action: open.includes('action') ? hidden('unknown') : readAction(action),
    ...(end && { until: end }),
  });
}

// Created on demand, as there are thousands of them, most of which are counted and never shown.
class PlainRule implements VisibleRule {
  constructor(
    readonly origin: Origin,
    readonly cidr: Cidr,
    readonly action: RuleAction,
  ) {}

  get property(): string {
    return `rules["${this.cidr.text}"]`;
  }
}

class PlainDeclaration implements RuleDeclaration {
  constructor(
    readonly policyId: Known<string>,
    readonly visible: VisibleRule,
  ) {}

  get origin(): Origin {
    return this.visible.origin;
  }

  get property(): string {
    return this.visible.property;
  }

  get cidr(): Known<Cidr> {
    return known(this.visible.cidr);
  }

  get action(): Known<RuleAction> {
    return ACTIONS[this.visible.action];
  }
}

/** A text that is neither hidden nor of another type. */
export const readText = (value: unknown): Known<string> => readKnown(value, asString);

const ACTIONS: Readonly<Record<RuleAction, Known<RuleAction>>> = {
  allow: known('allow'),
  deny: known('deny'),
};

const readAction = (value: unknown): Known<RuleAction> =>
  value === 'allow' || value === 'deny' ? ACTIONS[value] : readKnown<RuleAction>(value, () => undefined);

const readCidr = (value: unknown): Known<Cidr> =>
  readKnown(value, () => {
    const result = typeof value === 'string' ? parseCidr(value) : undefined;
    return result?.ok === true ? result.cidr : undefined;
  });
