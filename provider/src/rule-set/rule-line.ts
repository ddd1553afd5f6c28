// One rule of a set as one line of text:
//
//   203.0.113.0/24 allow "Office Amsterdam" metadata "{\"owner\":\"it\"}"
import type { RuleAction } from '../api/wire';
import { printableString } from '../values/printable-string';
import type { SetRule } from './rule';

/** A field of a rule that a program may leave open at preview. */
export type RuleField = 'cidr' | 'action' | 'description' | 'metadata';

/** What a line says. */
export interface RuleLine {
  /** The network; `10.0.0.0/8 (duplicate 2)`, `(unknown 1)` and texts that are no network are keys, too. */
  readonly key: string;
  /** Absent where it is open. */
  readonly action?: RuleAction;
  readonly description?: string;
  readonly metadata?: string;
  /** The fields that are not known yet. */
  readonly open: readonly RuleField[];
}

const OPEN = '(unknown)';

/** A line without its key. Each text stands in quotes, an open field as `(unknown)`. */
export function lineBody(
  { action, description, metadata }: Partial<SetRule>,
  open: readonly RuleField[] = [],
): string {
  const texts = [
    open.includes('description')
      ? OPEN
      : description === undefined
        ? undefined
        : printableString(description),
    open.includes('metadata')
      ? `metadata ${OPEN}`
      : metadata === undefined
        ? undefined
        : `metadata ${printableString(metadata)}`,
  ];
  return [action ?? OPEN, ...texts.filter((text) => text !== undefined)].join(' ');
}

/** The key as a line begins with it. What a service sends in place of a network may be any text. */
export const lineKey = (key: string): string => (plainKey.test(key) ? key : printableString(key));

/** Reads a line; nothing if it is not exactly as this package writes one. */
export function readLine(line: string): RuleLine | undefined {
  const parts = form.exec(line)?.groups;
  if (parts === undefined) return undefined;
  const { key = '', action, description, metadata } = parts;
  const open: RuleField[] = [];
  if (key.startsWith('(unknown ')) open.push('cidr');
  if (action === OPEN) open.push('action');
  if (description === OPEN) open.push('description');
  if (metadata === OPEN) open.push('metadata');
  return {
    key: key.startsWith('"') ? unquoted(key) : key,
    ...(action === 'allow' || action === 'deny' ? { action } : {}),
    ...(description === undefined || description === OPEN ? {} : { description: unquoted(description) }),
    ...(metadata === undefined || metadata === OPEN ? {} : { metadata: unquoted(metadata) }),
    open,
  };
}

// A backslash may stand before a quote, a backslash, or one of the letters that JSON knows.
const quotedForm = String.raw`"[^"\\]*(?:\\(?:["\\bfnrt]|u[0-9a-f]{4})[^"\\]*)*"`;
const openForm = String.raw`\(unknown\)`;
const keyForm = String.raw`[0-9a-f:.]+/\d+(?: \(duplicate \d+\))?|\(unknown \d+\)`;
const plainKey = new RegExp(`^(?:${keyForm})$`);
const form = new RegExp(
  `^(?<key>${keyForm}|${quotedForm}) (?<action>allow|deny|${openForm})` +
    `(?: (?<description>${quotedForm}|${openForm}))?(?: metadata (?<metadata>${quotedForm}|${openForm}))?$`,
);

const unquoted = (text: string): string =>
  text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
