const mask = '***';
const longestInput = 16_384;
const longestOutput = 500;
const pieceLength = 8;

/** The forms in which a service may echo a text it was sent. */
const spellings = (secret: string): readonly string[] => {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  const inUrl = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd'));
  return [secret, secret.trim(), inJson, inJsonTwice, inUrl].filter((each) => each !== '');
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Where a short text stands. One of up to three characters counts where it stands alone: `a` must not eat every a. */
const findShort = (text: string, spelling: string): readonly number[] => {
  const [before, after] = spelling.length > 3 ? ['', ''] : ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
  const expression = new RegExp(before + escapeForPattern(spelling) + after, 'gu');
  return [...text.matchAll(expression)].map(({ index }) => index);
};

const pieceStarts = (text: string): readonly number[] =>
  Array.from({ length: Math.max(0, text.length - pieceLength + 1) }, (_, at) => at);

/** Where pieces of eight characters stand that a longer text has as well: services cut what they echo. */
const findPieces = (text: string, spelling: string): readonly number[] => {
  const pieceAt = (source: string, at: number): string => source.slice(at, at + pieceLength);
  // The set holds the pieces of the text, which is bounded; what was sent may be large.
  const ofText = new Set(pieceStarts(text).map((at) => pieceAt(text, at)));
  const shared = new Set<string>();
  for (let at = 0; at + pieceLength <= spelling.length; at += 1) {
    const piece = pieceAt(spelling, at);
    if (ofText.has(piece)) shared.add(piece);
  }
  return pieceStarts(text).filter((at) => shared.has(pieceAt(text, at)));
};

/** Masks every echo of the secrets in all spellings, adjoining ones as one. */
const maskEchoes = (text: string, secrets: readonly string[]): string => {
  const isCovered = new Uint8Array(text.length);
  for (const spelling of secrets.flatMap(spellings)) {
    const isShort = spelling.length < pieceLength;
    const places = isShort ? findShort(text, spelling) : findPieces(text, spelling);
    for (const at of places) isCovered.fill(1, at, at + (isShort ? spelling.length : pieceLength));
  }
  let masked = '';
  for (let at = 0; at < text.length; at += 1) {
    if (isCovered[at] === 0) masked += text.charAt(at);
    else if (at === 0 || isCovered[at - 1] === 0) masked += mask;
  }
  return masked;
};

// What follows one of the three names: a quoted text, or after a colon or equals sign the rest of the clause.
const quoted =
  /\b(description|metadata|value)\b(\\?["'`]?\s*(?:[:=]\s*)?)(\\?"(?:[^"\\]|\\.)*"?|'[^']*'?|`[^`]*`?)/gi;
const unquoted = /\b(description|metadata|value)\b(\\?["'`]?\s*[:=]\s*)([^\s"'`\\*][^,;}\n]*)/gi;

/**
 * Makes a text of the service fit to be shown: whatever was just sent as description, metadata or value is masked, and so
 * is what the text itself calls so, because the host never learns which inputs were secret. Control and format characters
 * become a blank, and the length is capped.
 */
export const cleanText = (text: string, secrets: readonly string[]): string => {
  const masked = maskEchoes(text.slice(0, longestInput), secrets);
  const named = masked.replace(quoted, `$1$2${mask}`).replace(unquoted, `$1$2${mask}`);
  const clean = named.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return clean.length > longestOutput ? `${clean.slice(0, longestOutput)}...` : clean;
};

/** A short code of the service; anything that is not plainly a code is left out. */
export const cleanCode = (text: unknown, secrets: readonly string[]): string | undefined =>
  typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(text) && cleanText(text, secrets) === text
    ? text
    : undefined;

// Patterns of user agents are texts of the user like the others, and may be secret as well.
const secretKeys = ['description', 'metadata', 'value', 'allow', 'deny'] as const;

/** The texts of a request body that must never be shown. */
export const secretsOf = (body: object | undefined): readonly string[] =>
  secretKeys.flatMap((key) => {
    const value: unknown =
      body !== undefined && Object.hasOwn(body, key) ? Reflect.get(body, key) : undefined;
    return (Array.isArray(value) ? value : [value]).filter(
      (text): text is string => typeof text === 'string',
    );
  });
