import { RULE_TEXTS } from '../rule/rule';

const MASK = '***';
// Longer texts are cut first, as only a few hundred characters are shown in the end.
const LONGEST_INPUT = 4096;
const LONGEST_OUTPUT = 500;
const PIECE_LENGTH = 8;

const HTML_SIGNS = /[&<>"']/g;
const toHtml = (text: string, quotes: Readonly<Record<string, string>>): string =>
  text.replace(
    HTML_SIGNS,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? quotes[sign] ?? sign,
  );

/** The forms in which a service may echo a text that it was sent, apart from upper and lower case. */
function spellings(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  const inUrl = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd'));
  const inHtml = [
    toHtml(secret, { '"': '&quot;', "'": '&#39;' }),
    toHtml(secret, { '"': '&#34;', "'": '&#x27;' }),
  ];
  const inForm = [inUrl.replaceAll('%20', '+'), secret.replaceAll(' ', '+')];
  return [secret, secret.trim(), inJson, inJsonTwice, inUrl, ...inForm, ...inHtml];
}

/** Lower case, character by character, so that positions in the result are positions in the text. */
const fold = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

const isPartOfWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** The positions of a short text. Up to three characters count only as a whole word: `a` must not mask every a. */
function findShort(text: string, spelling: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    const isAlone = !isPartOfWord(text.charAt(at - 1)) && !isPartOfWord(text.charAt(at + spelling.length));
    if (spelling.length > 3 || isAlone) places.push(at);
  }
  return places;
}

/** The pieces of a text, eight characters each, with their positions. */
class Pieces {
  private readonly places = new Map<string, number[]>();
  /** Most pieces of what was sent are not in the text. Three of their characters show that without making a string. */
  private readonly sketch = new Uint8Array(2 ** 16);

  constructor(text: string) {
    for (let at = 0; at + PIECE_LENGTH <= text.length; at += 1) {
      const piece = text.slice(at, at + PIECE_LENGTH);
      const places = this.places.get(piece) ?? [];
      places.push(at);
      this.places.set(piece, places);
      this.sketch[sketchOf(text, at)] = 1;
    }
  }

  /** The positions of pieces that a longer text contains as well, as services cut what they echo. */
  sharedWith(spelling: string): readonly number[] {
    const shared: number[] = [];
    for (let at = 0; at + PIECE_LENGTH <= spelling.length; at += 1) {
      if (this.sketch[sketchOf(spelling, at)] === 0) continue;
      const piece = spelling.slice(at, at + PIECE_LENGTH);
      shared.push(...(this.places.get(piece) ?? []));
      this.places.delete(piece);
    }
    return shared;
  }
}

const sketchOf = (text: string, at: number): number =>
  (text.charCodeAt(at) ^ (text.charCodeAt(at + 3) << 4) ^ (text.charCodeAt(at + 7) << 8)) & 0xffff;

/** Masks every echo of the secrets in all spellings; adjoining ones become one mask. */
export function maskEchoes(text: string, secrets: readonly string[]): string {
  const isCovered = new Uint8Array(text.length);
  const folded = fold(text);
  const pieces = new Pieces(folded);
  // Many patterns have the same spelling in several forms, and many share a form.
  const distinct = new Set(secrets.flatMap(spellings).map(fold));
  distinct.delete('');
  for (const spelling of distinct) {
    const isShort = spelling.length < PIECE_LENGTH;
    const places = isShort ? findShort(folded, spelling) : pieces.sharedWith(spelling);
    for (const at of places) isCovered.fill(1, at, at + (isShort ? spelling.length : PIECE_LENGTH));
  }
  let masked = '';
  for (let at = 0; at < text.length; at += 1) {
    if (isCovered[at] === 0) masked += text.charAt(at);
    else if (at === 0 || isCovered[at - 1] === 0) masked += MASK;
  }
  return masked;
}

/** Masks the beginning of a text. If the cut leaves a piece of an echo that is too short to be recognised, the piece is dropped. */
function maskBeginning(text: string, secrets: readonly string[]): string {
  if (text.length <= LONGEST_INPUT) return maskEchoes(text, secrets);
  const masked = maskEchoes(text.slice(0, LONGEST_INPUT), secrets);
  return masked.endsWith(MASK) ? masked : masked.slice(0, 1 - PIECE_LENGTH);
}

// What follows one of the names of texts: a quoted text or, after a colon or equals sign, the rest of the clause.
const NAMED_TEXTS = [...RULE_TEXTS, 'value'];
const name = String.raw`\b(${NAMED_TEXTS.join('|')})\b`;
const quoted = new RegExp(
  name + String.raw`(\\?["'\x60]?\s*(?:[:=]\s*)?)(\\?"(?:[^"\\]|\\.)*"?|'[^']*'?|\x60[^\x60]*\x60?)`,
  'gi',
);
const unquoted = new RegExp(name + String.raw`(\\?["'\x60]?\s*[:=]\s*)([^\s"'\x60\\*][^,;}\n]*)`, 'gi');

/**
 * Makes a text of the service fit to be shown. Masked are the texts and values that were just sent, and every part that the
 * text itself labels as such, because the host never learns which inputs were secret. Control and format characters become a
 * blank, and the length is capped.
 */
export function cleanText(text: string, secrets: readonly string[]): string {
  const masked = maskBeginning(text, secrets);
  const named = masked.replace(quoted, `$1$2${MASK}`).replace(unquoted, `$1$2${MASK}`);
  const clean = named.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return clean.length > LONGEST_OUTPUT ? `${clean.slice(0, LONGEST_OUTPUT)}...` : clean;
}

/** A short code of the service; anything that is not plainly a code is omitted. */
export const cleanCode = (text: unknown, secrets: readonly string[]): string | undefined =>
  typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(text) && cleanText(text, secrets) === text
    ? text
    : undefined;

/** The fields of a body that a message may repeat: where a rule applies, and what it does. */
const SHOWN_KEYS = ['ip_policy_id', 'cidr', 'action'];

/** The texts of a request body that must never be shown, as any text of the user may be secret. */
export const secretsOf = (body: object = {}): readonly string[] =>
  Object.entries(body).flatMap(([key, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).filter(
      (text): text is string => typeof text === 'string' && !SHOWN_KEYS.includes(key),
    ),
  );
