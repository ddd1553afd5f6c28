// The rules of a set as a program declares them: a list, or a map from CIDR to the rest. The classes send a JSON text
// (`program/rule-set-args.ts`), other languages the value itself.
import type { Parsed, Properties } from '../fields/field';
import { refused, text } from '../fields/kinds';
import { RULE_FIELDS, type RuleField, ruleFields } from '../rule/rule';
import { nameProblem } from '../values/text-limits';
import { type Cidr, parseCidr } from '../values/cidr';
import { echo, type Failure, nearestName, typeName } from '../values/failure';
import { isObject } from '../values/decoding';
import { containsUnknown, isUnknown } from '../values/unknowns';
import { parseUntil } from '../values/until';
import { lineBody, openFields, UNKNOWN_FIELDS, withOpenFields } from './rule-line';
import { canonicalText, readRuleLines, type KeyedBody } from './rules-text';

/** Further failures are counted and not shown. */
const SHOWN_FAILURES = 20;

export function readDeclaration(given: unknown): Parsed<string> {
  let declared: unknown;
  try {
    declared = typeof given === 'string' ? readText(given) : given;
  } catch {
    return refused('must be a list of rules or a map from CIDR to rule');
  }
  if (typeof declared !== 'object' || declared === null) return refused(notRules(declared));
  if (Object.values(declared).some((part) => typeof part === 'string' && part.length === 1))
    return refused(spreadText);
  const reader = new DeclarationReader();
  // A text already names its open fields. Other languages pass the engine's unknown values.
  const rules =
    typeof given === 'string' ? declared : withOpenFields(declared, { isUnknown, containsUnknown });
  if (Array.isArray(rules))
    rules.forEach((rule, index) => {
      reader.readListed(rule, index);
    });
  else for (const [cidr, rule] of Object.entries(rules as object)) reader.readMapped(cidr, rule);
  return reader.result();
}

const readText = (text: string): unknown => listed(text) ?? JSON.parse(text);

/** A canonical text as a list of rules. */
const listed = (text: string): unknown =>
  readRuleLines(text)?.map(({ key, open, ...rest }) => ({
    ...(open.includes('cidr') ? {} : { cidr: key }),
    ...rest,
    ...(open.length === 0 ? {} : { [UNKNOWN_FIELDS]: open.join(', ') }),
  }));

class DeclarationReader {
  private readonly entries: KeyedBody[] = [];
  private readonly places = new Map<string, { readonly path: string; readonly given: string }>();
  private readonly failures: Failure[] = [];
  private failureCount = 0;
  private unknownCount = 0;
  private isOpen = false;

  readListed(rule: unknown, index: number): void {
    const path = `[${index}]`;
    if (!isObject(rule)) {
      this.fail(path, `must be a rule with cidr and action, not ${typeName(rule)}`);
      return;
    }
    const open = openFields(rule);
    const body = this.readBody(path, rule, open);
    if (open.includes('cidr')) {
      this.addUnknown(body);
      return;
    }
    const { cidr } = rule as { cidr?: unknown };
    if (typeof cidr !== 'string') {
      this.fail(`${path}.cidr`, isGiven(cidr) ? `must be a string, not ${typeName(cidr)}` : 'is required');
      return;
    }
    this.add({ path: `${path}.cidr`, given: cidr }, body);
  }

  readMapped(cidr: string, rule: unknown): void {
    const path = `[${echo(cidr)}]`;
    if (!isObject(rule)) {
      this.fail(path, `must be a rule with an action, not ${typeName(rule)}`);
      return;
    }
    if (isGiven(rule['cidr'])) this.fail(`${path}.cidr`, 'is already given by the key of the map');
    this.add({ path, given: cidr }, this.readBody(path, rule, openFields(rule)));
  }

  result(): Parsed<string> {
    if (this.failureCount === 0) {
      const value = canonicalText(this.entries);
      return this.isOpen ? { value, warnings: [OPEN_VALUES] } : { value };
    }
    const hidden = this.failureCount - this.failures.length;
    if (hidden > 0) this.failures.push({ reason: `has ${hidden} more failures that are not shown` });
    return { failures: this.failures };
  }

  private add(place: { path: string; given: string }, body: string): void {
    const parsed = parseCidr(place.given);
    if (!parsed.ok) {
      this.fail(place.path, parsed.reason);
      return;
    }
    const { cidr } = parsed;
    const earlier = this.places.get(cidr.text);
    if (earlier !== undefined) {
      this.fail(place.path, sameNetwork(place.given, earlier, cidr));
      return;
    }
    this.places.set(cidr.text, place);
    this.entries.push({ key: cidr.text, body, network: cidr });
  }

  private addUnknown(body: string): void {
    this.unknownCount += 1;
    this.entries.push({ key: `(unknown ${this.unknownCount})`, body, network: undefined });
  }

  private readBody(path: string, rule: Properties, open: readonly RuleField[]): string {
    for (const name of Object.keys(rule)) if (!isFieldName(name)) this.fail(path, strangeName(name));
    if (!isGiven(rule['action']) && !open.includes('action'))
      this.fail(`${path}.action`, 'is required: allow or deny');
    const body: Record<string, string> = {};
    for (const [name, parse] of PARSERS) {
      const given = rule[name];
      if (!isGiven(given)) continue;
      const { value = '', failures = [] } = parse(given);
      for (const { reason } of failures) this.fail(`${path}.${name}`, reason);
      if (value !== '') body[name] = value;
    }
    if (open.length > 0) this.isOpen = true;
    return lineBody(body, open);
  }

  private fail(path: string, reason: string): void {
    this.failureCount += 1;
    if (this.failures.length < SHOWN_FAILURES) this.failures.push({ path, reason });
  }
}

/** The text of the rules changes when its last value becomes known. */
const OPEN_VALUES: Failure = {
  reason:
    'hold values that are not known until the deployment, so "pulumi up --plan" would refuse a plan saved from this preview',
};

/** The fields that are in no request. */
const UNSENT = {
  until: text((given) => {
    const parsed = parseUntil(given);
    return parsed.ok ? { value: parsed.until } : refused(parsed.reason);
  }),
  list: text((given) =>
    nameProblem(given, 'list') === undefined
      ? { value: given }
      : refused(`must be the name of a list such as offices, not ${echo(given)}`),
  ),
};

/** How the fields of a rule but its network are read, in the order of a line. */
const PARSERS = RULE_FIELDS.flatMap((name) => {
  if (name === 'cidr') return [];
  return [[name, name === 'until' || name === 'list' ? UNSENT[name] : ruleFields[name].parse] as const];
});

const spreadText =
  'holds the characters of a text: a transform gets the rules as one JSON text and returns a list, such as ' +
  '[...JSON.parse(props.rules), { cidr, action }]; if a value is secret or unknown, props.rules is an output of that text';

const notRules = (value: unknown): string =>
  `must be a list of rules or a map from CIDR to rule, not ${typeName(value)}`;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const isFieldName = (name: string): boolean =>
  name === UNKNOWN_FIELDS || (RULE_FIELDS as readonly string[]).includes(name);

function strangeName(name: string): string {
  const meant = nearestName(name, RULE_FIELDS);
  const hint = meant === undefined ? `a rule has ${RULE_FIELDS.join(', ')}` : `did you mean ${meant}?`;
  return `${echo(name)} is not a field of a rule: ${hint}`;
}

const sameNetwork = (given: string, earlier: { path: string; given: string }, network: Cidr): string =>
  `${echo(given)} is the same network as rules${earlier.path} ${echo(earlier.given)} (${network.text}): ` +
  `a set has one rule per network`;
