import { type Cidr, contains, parseCidr } from '../values/cidr';

/** Shown in place of a secret. */
const MASK = '***';

const LONGEST_INPUT = 4096;
const LONGEST_OUTPUT = 500;
const PIECE_LENGTH = 8;

const IN_HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const inHtml = (text: string, quotes: Readonly<Record<string, string>>): string =>
  text.replace(/[&<>"']/g, (sign) => IN_HTML[sign] ?? quotes[sign] ?? sign);

/** The forms in which a service may repeat a text, as they are compared. */
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

/** Case does not count, unless the other case has another length: each character must keep its place. */
const fold = (text: string): string =>
  text.replace(/\p{Ll}/gu, (letter) =>
    letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter,
  );

const NETWORK = /^[0-9a-f.:]+(?:\/\d+)?$/i;
/** Whatever may be an address. */
const ADDRESSES = /[0-9A-F]*(?:(?:\.|::?)[0-9A-F]+)+(?:::)?/g;

type Found = (from: number, to: number) => void;

/**
 * Secret texts in the forms in which messages may repeat them. Eight characters of a long text count, as services cut what they
 * echo; a short text counts as a whole, one of up to three characters only as a word. So do addresses in a secret network.
 */
export class SecretTexts {
  /** All pieces of the long forms, and the short forms as a whole. */
  private readonly pieces = new Set<string>();
  private readonly networks: Cidr[] = [];
  private readonly known = new Set<string>();
  // Indexed with the first message, as most processes never need it.
  private waiting: (() => readonly string[])[] = [];

  /** @param except What these repeat, too, is no secret. */
  constructor(
    texts?: () => readonly string[],
    private readonly except?: SecretTexts,
  ) {
    if (texts !== undefined) this.add(texts);
  }

  /** Adds texts, which are asked for when a message is there. */
  add(texts: () => readonly string[]): void {
    this.waiting.push(texts);
  }

  /** Calls back with the places in a folded text that tell of a secret. */
  find(folded: string, found: Found): void {
    this.complete();
    if (this.pieces.size > 0) this.findPieces(folded, found);
    if (this.networks.length > 0) this.findAddresses(folded, found);
  }

  private findPieces(folded: string, found: Found): void {
    const isPartOfWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(folded.charAt(at));
    for (let from = 0; from < folded.length; from += 1)
      for (let to = Math.min(from + PIECE_LENGTH, folded.length); to > from; to -= 1) {
        if (!this.pieces.has(folded.slice(from, to))) continue;
        if (to - from > 3 || !(isPartOfWord(from - 1) || isPartOfWord(to))) found(from, to);
      }
  }

  private findAddresses(folded: string, found: Found): void {
    for (const { 0: text, index } of folded.matchAll(ADDRESSES)) {
      const address = parseCidr(text);
      if (!address.ok || this.except?.hasNetwork(address.cidr) === true) continue;
      if (this.networks.some((network) => contains(network, address.cidr))) found(index, index + text.length);
    }
  }

  private hasNetwork(one: Cidr): boolean {
    return this.networks.some((network) => contains(network, one) && contains(one, network));
  }

  private complete(): void {
    const texts = this.waiting.flatMap((given) => given());
    this.waiting = [];
    this.except?.complete();
    for (const text of texts) {
      if (this.known.has(text)) continue;
      this.known.add(text);
      for (const form of formsOf(text)) this.index(form);
      const network = NETWORK.test(text) && parseCidr(text);
      if (network !== false && network.ok) this.networks.push(network.cidr);
    }
  }

  private index(form: string): void {
    for (let at = 0; at === 0 || at + PIECE_LENGTH <= form.length; at += 1) {
      const piece = form.slice(at, at + PIECE_LENGTH);
      if (this.except?.pieces.has(piece) !== true) this.pieces.add(piece);
    }
  }
}

export function mask(text: string, secrets: readonly SecretTexts[]): string {
  const hidden = new Uint8Array(text.length);
  const folded = fold(text);
  for (const each of secrets) each.find(folded, (from, to) => hidden.fill(1, from, to));
  if (!hidden.includes(1)) return text;
  const shown = Array.from(hidden, (isHidden, at) => {
    if (isHidden === 0) return text.charAt(at);
    return hidden[at - 1] === 1 ? '' : MASK;
  });
  return shown.join('');
}

/** A message of the service with secrets masked, control and format characters as blanks, and its length capped. */
export function cleanText(text: string, secrets: readonly SecretTexts[]): string {
  const masked = mask(text.slice(0, LONGEST_INPUT), secrets);
  const clean = masked.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const isCut = text.length > LONGEST_INPUT || clean.length > LONGEST_OUTPUT;
  return isCut ? `${clean.slice(0, LONGEST_OUTPUT)}...` : clean;
}

/** A short code of the service; one that is not plainly a code, or holds a part of a secret, is omitted. */
export const cleanCode = (text: unknown, secrets: readonly SecretTexts[]): string | undefined =>
  typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(text) && mask(text, secrets) === text
    ? text
    : undefined;
