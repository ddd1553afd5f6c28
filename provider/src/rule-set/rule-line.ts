// One rule of a set as one line of text:
//
//   203.0.113.0/24 allow "Office Amsterdam" metadata "{\"owner\":\"it\"}" until 2026-12-31 list offices
//
// The first text of a rule is unnamed, the others follow their names.
import { pickTexts, RULE_TEXTS, type RuleField, type RuleText, type RuleTexts } from '../rule/rule';
import type { RuleAction } from '../values/action';
import { printableInState } from '../values/printable';
import { parseUntil } from '../values/until';

/** The content of a line. */
export interface RuleLine extends RuleTexts {
  /** The network; `10.0.0.0/8 (duplicate 2)`, `(unknown 1)` and texts that are no networks are keys, too. */
  readonly key: string;
  /** Absent if it is open. */
  readonly action?: RuleAction;
  /** When the rule ends; absent if it does not. */
  readonly until?: string;
  /** The named list that the rule is from. */
  readonly list?: string;
  /** The fields that are not known yet. */
  readonly open: readonly RuleField[];
}

const OPEN = '(unknown)';

/** The fields that are in no request, in the order of a line. */
const UNSENT = ['until', 'list'] as const;

const [FIRST_TEXT] = RULE_TEXTS;
const labelOf = (name: RuleText): string => (name === FIRST_TEXT ? '' : `${name} `);

/** A line without its key. Each text is quoted, and an open field is `(unknown)`. */
export function lineBody(
  rule: RuleTexts & Pick<RuleLine, 'action' | 'until' | 'list'>,
  open: readonly RuleField[] = [],
): string {
  let body: string = rule.action ?? OPEN;
  for (const name of RULE_TEXTS) {
    const text = rule[name];
    const shown = open.includes(name) ? OPEN : text === undefined ? undefined : printableInState(text);
    if (shown !== undefined) body += ` ${labelOf(name)}${shown}`;
  }
  for (const name of UNSENT) {
    const value = open.includes(name) ? OPEN : rule[name];
    if (value !== undefined) body += ` ${name} ${value}`;
  }
  return body;
}

/** The key at the beginning of a line. A service may send any text instead of a network. */
export const lineKey = (key: string): string => (plainKey.test(key) ? key : printableInState(key));

/** Whether a line may end like this: with nothing, or with a time in canonical text. */
function isEnd(until: string | undefined): boolean {
  if (until === undefined) return true;
  const parsed = parseUntil(until);
  return parsed.ok && parsed.until === until;
}

/** Reads a line; undefined if it is not exactly as this package writes one. */
export function readLine(line: string): RuleLine | undefined {
  const parts = form.exec(line)?.groups;
  if (parts === undefined) return undefined;
  const { key = '', action, until, list } = parts;
  if (until !== OPEN && !isEnd(until)) return undefined;
  const open: RuleField[] = [];
  if (key.startsWith('(unknown ')) open.push('cidr');
  if (action === OPEN) open.push('action');
  for (const name of RULE_TEXTS) if (parts[name] === OPEN) open.push(name);
  for (const name of UNSENT) if (parts[name] === OPEN) open.push(name);
  return {
    key: key.startsWith('"') ? unquoted(key) : key,
    ...(action === 'allow' || action === 'deny' ? { action } : {}),
    ...pickTexts((name) => (parts[name]?.startsWith('"') ? unquoted(parts[name]) : undefined)),
    ...(until === undefined || until === OPEN ? {} : { until }),
    ...(list === undefined || list === OPEN ? {} : { list }),
    open,
  };
}

// A backslash may precede a quote, a backslash, or one of the letters that JSON knows.
const quotedForm = String.raw`"[^"\\]*(?:\\(?:["\\bfnrt]|u[0-9a-f]{4})[^"\\]*)*"`;
const openForm = String.raw`\(unknown\)`;
const keyForm = String.raw`[0-9a-f:.]+/\d+(?: \(duplicate \d+\))?|\(unknown \d+\)`;
const textForms = RULE_TEXTS.map((name) => `(?: ${labelOf(name)}(?<${name}>${quotedForm}|${openForm}))?`);
const plainKey = new RegExp(`^(?:${keyForm})$`);
const form = new RegExp(
  `^(?<key>${keyForm}|${quotedForm}) (?<action>allow|deny|${openForm})${textForms.join('')}(?: until (?<until>\\d[0-9TZ:.-]+|${openForm}))?(?: list (?<list>[a-z0-9-]+|${openForm}))?$`,
);

const unquoted = (text: string): string =>
  text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
