// One rule of a set as one line of text, which the CLI can read as an entry of a YAML mapping:
//
//   203.0.113.0/24: allow 'Office Amsterdam' metadata '{"owner":"it"}' until 2026-12-31 list offices
//
// The first text of a rule is unnamed, the others follow their names. A body that YAML would not read as one plain text is
// written as a JSON text, `"deny 'partner: 7'"`, and so is a key that is no network.
import {
  pickTexts,
  RULE_FIELDS,
  RULE_TEXTS,
  type RuleField,
  type RuleText,
  type RuleTexts,
} from '../rule/rule';
import type { RuleAction } from '../values/action';
import { printableInState } from '../values/printable';
import { parseUntil } from '../values/until';
import type { JsonObject } from '../values/decoding';

export interface RuleLine extends RuleTexts {
  /** The network; `10.0.0.0/8 (duplicate 2)`, `(unknown 1)` and texts that are no networks are keys, too. */
  readonly key: string;
  readonly action?: RuleAction;
  /** When the rule ends; absent if it does not. */
  readonly until?: string;
  readonly list?: string;
  readonly open: readonly RuleField[];
}

const OPEN = '(unknown)';

/** The fields that are in no request, in the order of a line. */
const UNSENT = ['until', 'list'] as const;

const [FIRST_TEXT] = RULE_TEXTS;
const labelOf = (name: RuleText): string => (name === FIRST_TEXT ? '' : `${name} `);

/** The part of a line after its key. Each text is in single quotes, and an open field is `(unknown)`. */
export function lineBody(
  rule: RuleTexts & Pick<RuleLine, 'action' | 'until' | 'list'>,
  open: readonly RuleField[] = [],
): string {
  let body: string = rule.action ?? OPEN;
  for (const name of RULE_TEXTS) {
    const text = rule[name];
    const shown = open.includes(name) ? OPEN : text === undefined ? undefined : quoted(text);
    if (shown !== undefined) body += ` ${labelOf(name)}${shown}`;
  }
  for (const name of UNSENT) {
    const value = open.includes(name) ? OPEN : rule[name];
    if (value !== undefined) body += ` ${name} ${value}`;
  }
  return body;
}

/** A line. A service may send any text instead of a network. */
export const ruleLine = (key: string, body: string): string =>
  `${plainKey.test(key) ? key : printableInState(quoted(key))}: ${valueOf(body)}`;

/** In YAML a colon before a blank begins a value, and a hash after a blank begins a comment. */
const valueOf = (body: string): string => (/: | #/.test(body) ? printableInState(body) : body);

/** The escapes of a JSON text, but in single quotes: inside a JSON text it then hardly needs more escapes. */
const quoted = (text: string): string =>
  `'${printableInState(text)
    .slice(1, -1)
    .replace(/\\[\\"]|'/g, (found) => QUOTES[found] ?? found)}'`;

function unquoted(text: string): string {
  const content = text.slice(1, -1);
  if (!content.includes('\\')) return content;
  return String(JSON.parse(`"${content.replace(/\\[\\']|"/g, (found) => UNQUOTES[found] ?? found)}"`));
}

const QUOTES: Readonly<Record<string, string>> = { '\\"': '"', "'": "\\'" };
const UNQUOTES: Readonly<Record<string, string>> = { "\\'": "'", '"': '\\"' };

/** Whether a line may end like this: with nothing, or with a time in canonical text. */
function isEnd(until: string | undefined): boolean {
  if (until === undefined) return true;
  const parsed = parseUntil(until);
  return parsed.ok && parsed.until === until;
}

/** Undefined if the line is not exactly as this package writes one. */
export function readLine(line: string): RuleLine | undefined {
  const { network, other = '', value = '' } = form.exec(line)?.groups ?? {};
  const body = value.startsWith('"') ? String(JSON.parse(value)) : value;
  const key = network ?? keyIn(other);
  const parts = bodyForm.exec(body)?.groups;
  if (key === undefined || parts === undefined || ruleLine(key, body) !== line) return undefined;
  const { action, until, list } = parts;
  if (until !== OPEN && !isEnd(until)) return undefined;
  const open: RuleField[] = [];
  if (network?.startsWith('(unknown ') === true) open.push('cidr');
  if (action === OPEN) open.push('action');
  for (const name of RULE_TEXTS) if (parts[name] === OPEN) open.push(name);
  for (const name of UNSENT) if (parts[name] === OPEN) open.push(name);
  return {
    key,
    ...(action === 'allow' || action === 'deny' ? { action } : {}),
    ...pickTexts((name) => (parts[name]?.startsWith("'") ? unquoted(parts[name]) : undefined)),
    ...(until === undefined || until === OPEN ? {} : { until }),
    ...(list === undefined || list === OPEN ? {} : { list }),
    open,
  };
}

function keyIn(json: string): string | undefined {
  const key = json === '' ? '' : String(JSON.parse(json));
  return quotedText.test(key) ? unquoted(key) : undefined;
}

// A backslash may precede a quote, a backslash, or one of the letters that JSON knows.
const quotedForm = String.raw`'[^'\\\x00-\x1f]*(?:\\(?:['\\bfnrt]|u[0-9a-f]{4})[^'\\\x00-\x1f]*)*'`;
const jsonForm = String.raw`"[^"\\\x00-\x1f]*(?:\\["\\][^"\\\x00-\x1f]*)*"`;
const openForm = String.raw`\(unknown\)`;
const keyForm = String.raw`[0-9a-f:.]+/\d+(?: \(duplicate \d+\))?|\(unknown \d+\)`;
const textForms = RULE_TEXTS.map((name) => `(?: ${labelOf(name)}(?<${name}>${quotedForm}|${openForm}))?`);
const plainKey = new RegExp(`^(?:${keyForm})$`);
const quotedText = new RegExp(`^${quotedForm}$`);
const form = new RegExp(`^(?:(?<network>${keyForm})|(?<other>${jsonForm})): (?<value>${jsonForm}|[^"].*)$`);
const bodyForm = new RegExp(
  `^(?<action>allow|deny|${openForm})${textForms.join('')}(?: until (?<until>\\d[0-9TZ:.-]+|${openForm}))?(?: list (?<list>[a-z0-9-]+|${openForm}))?$`,
);

// A rule with unknown values at a preview lists its open fields under a name that no field has.

export const UNKNOWN_FIELDS = '(unknown)';

export function openFields(rule: JsonObject): readonly RuleField[] {
  const names = rule[UNKNOWN_FIELDS];
  return typeof names === 'string' ? RULE_FIELDS.filter((name) => names.split(', ').includes(name)) : [];
}

export interface Unknowns {
  readonly isUnknown: (value: unknown) => boolean;
  readonly containsUnknown: (value: unknown) => boolean;
}

/** Declared rules, a list or a map, in which every rule lists its open fields and holds only the others. */
export function withOpenFields(rules: object, unknowns: Unknowns): unknown {
  if (Array.isArray(rules)) return rules.map((rule) => openRule(rule, ['cidr', 'action'], unknowns));
  const entries = Object.entries(rules);
  return Object.fromEntries(entries.map(([cidr, rule]) => [cidr, openRule(rule, ['action'], unknowns)]));
}

function openRule(rule: unknown, required: readonly string[], unknowns: Unknowns): unknown {
  if (!unknowns.containsUnknown(rule)) return rule;
  if (unknowns.isUnknown(rule)) return { [UNKNOWN_FIELDS]: required.join(', ') };
  const fields = Object.entries(rule as object);
  const open = fields.filter(([, value]) => unknowns.containsUnknown(value)).map(([name]) => name);
  const known = fields.filter(([name]) => !open.includes(name));
  return { ...Object.fromEntries(known), [UNKNOWN_FIELDS]: open.join(', ') };
}
