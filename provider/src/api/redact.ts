import { RULE_TEXTS } from '../rule/rule';

/** Shown in place of a message of the service that may tell a secret. */
export const WITHHELD = 'its message is withheld because it may repeat a secret';

// What is longer is no sentence, and comparing it takes long.
const LONGEST_INPUT = 4096;
const LONGEST_OUTPUT = 500;
const PIECE_LENGTH = 8;

const IN_HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const inHtml = (text: string, quotes: Readonly<Record<string, string>>): string =>
  text.replace(/[&<>"']/g, (sign) => IN_HTML[sign] ?? quotes[sign] ?? sign);

/** The forms in which a service may repeat a text, as they are compared: upper and lower case do not count. */
function formsOf(secret: string): ReadonlySet<string> {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const forms = [
    ...[secret, secret.trim(), inJson, JSON.stringify(inJson).slice(1, -1)],
    ...[inUrl, inUrl.replaceAll('%20', '+'), secret.replaceAll(' ', '+')],
    ...[inHtml(secret, { '"': '&quot;', "'": '&#39;' }), inHtml(secret, { '"': '&#34;', "'": '&#x27;' })],
  ];
  return new Set(forms.filter((form) => form.trim() !== '').map(fold));
}

/** At the end of a word, the lower case of one letter is another one. */
const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/**
 * Tells which texts another one repeats: eight characters of a long one, as services cut what they echo; all of a short one;
 * and one of up to three characters only as a word, as `a` is in every sentence.
 */
export function repeatedBy(text: string): (secret: string) => boolean {
  const folded = fold(text);
  const pieces = new Set(piecesOf(folded));
  const isPartOfWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(folded.charAt(at));
  const holds = (short: string): boolean => {
    for (let at = folded.indexOf(short); at >= 0; at = folded.indexOf(short, at + 1))
      if (short.length > 3 || !(isPartOfWord(at - 1) || isPartOfWord(at + short.length))) return true;
    return false;
  };
  const holdsPart = (form: string): boolean => {
    for (const piece of piecesOf(form)) if (pieces.has(piece)) return true;
    return false;
  };
  return (secret) =>
    [...formsOf(secret)].some((form) => (form.length < PIECE_LENGTH ? holds(form) : holdsPart(form)));
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at + PIECE_LENGTH <= text.length; at += 1) yield text.slice(at, at + PIECE_LENGTH);
}

// The name of a text with a colon, an equals sign or a quote behind it, whoever has written the text.
const LABEL = new RegExp(
  String.raw`\b(?:${[...RULE_TEXTS, 'value'].join('|')})\b\\?["'\x60]?\s*(?:[:=]|\\?["'\x60])`,
  'i',
);

const mayTell = (text: string, secrets: readonly string[]): boolean =>
  text.length > LONGEST_INPUT || LABEL.test(text) || secrets.some(repeatedBy(text));

/**
 * Makes a message of the service fit to be shown. It is withheld if it may repeat what was just sent, or what it labels as a text
 * of a rule or module: the host never learns which inputs were secret. Control and format characters become a blank, and the
 * length is capped.
 */
export function cleanText(text: string, secrets: readonly string[]): string {
  if (mayTell(text, secrets)) return WITHHELD;
  const clean = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return clean.length > LONGEST_OUTPUT ? `${clean.slice(0, LONGEST_OUTPUT)}...` : clean;
}

/** A short code of the service; one that is not plainly a code, or would be withheld as a message, is omitted. */
export const cleanCode = (text: unknown, secrets: readonly string[]): string | undefined =>
  typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(text) && !mayTell(text, secrets)
    ? text
    : undefined;

/** The fields of a body that a message may repeat: where a rule applies, and what it does. */
const SHOWN_KEYS = ['ip_policy_id', 'cidr', 'action'];

/** The texts of a request body that must never be shown, as any text of the user may be secret. */
export const secretsOf = (body: object = {}): readonly string[] =>
  Object.entries(body).flatMap(([key, value]) => (SHOWN_KEYS.includes(key) ? [] : textsIn(value)));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
