const mask = '***';
const longestInput = 16_384;
const longestOutput = 500;
const fragmentLength = 8;

/** The forms in which a service may echo a text it was sent. */
const spellings = (secret: string): readonly string[] => {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  return [
    ...new Set([
      secret,
      secret.trim(),
      inJson,
      inJsonTwice,
      encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd')),
    ]),
  ];
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Masks whole occurrences. A very short text is masked where it stands alone only: `a` must not eat every a. */
const maskWhole = (text: string, spelling: string): string => {
  if (spelling.length >= 4) return text.replaceAll(spelling, mask);
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${escapeForPattern(spelling)}(?![\\p{L}\\p{N}])`, 'gu');
  return text.replace(alone, mask);
};

/** The fragments of a text that are part of a secret as well. The set holds those of the text, as secrets may be large. */
const sharedFragments = (text: string, spelling: string): ReadonlySet<string> => {
  const ofText = new Set<string>();
  for (let at = 0; at + fragmentLength <= text.length; at += 1)
    ofText.add(text.slice(at, at + fragmentLength));
  const shared = new Set<string>();
  for (let at = 0; at + fragmentLength <= spelling.length; at += 1) {
    const fragment = spelling.slice(at, at + fragmentLength);
    if (ofText.has(fragment)) shared.add(fragment);
  }
  return shared;
};

/** Masks every run of at least eight characters that is part of a secret: services cut what they echo. */
const maskFragments = (text: string, spelling: string): string => {
  const shared = sharedFragments(text, spelling);
  let masked = '';
  let coveredTo = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (shared.has(text.slice(at, at + fragmentLength))) {
      if (coveredTo <= at) masked += mask;
      coveredTo = at + fragmentLength;
    }
    if (coveredTo <= at) masked += text.charAt(at);
  }
  return masked;
};

// What follows one of the three names: a quoted text, or after a colon or equals sign the rest of the clause.
const named =
  /\b(description|metadata|value)\b(\\?["'`]?\s*(?:[:=]\s*)?)(\\?"(?:[^"\\]|\\.)*"?|'[^']*'?|`[^`]*`?)/gi;
const namedPlain = /\b(description|metadata|value)\b(\\?["'`]?\s*[:=]\s*)([^\s"'`\\*][^,;}\n]*)/gi;

/**
 * Makes a text of the service fit to be shown: whatever was just sent as description, metadata or value is masked, and so
 * is what the text itself calls so, because the host never learns which inputs were secret. Control and format characters
 * become a blank, and the length is capped.
 */
export const cleanText = (text: string, secrets: readonly string[]): string => {
  let clean = text.slice(0, longestInput);
  for (const spelling of secrets.flatMap(spellings).sort((a, b) => b.length - a.length)) {
    if (spelling !== '') clean = maskFragments(maskWhole(clean, spelling), spelling);
  }
  clean = clean.replace(named, `$1$2${mask}`).replace(namedPlain, `$1$2${mask}`);
  clean = clean.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return clean.length > longestOutput ? `${clean.slice(0, longestOutput)}...` : clean;
};

/** A short code of the service; anything that is not plainly a code is left out. */
export const cleanCode = (text: unknown, secrets: readonly string[]): string | undefined =>
  typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(text) && cleanText(text, secrets) === text
    ? text
    : undefined;

const secretKeys = ['description', 'metadata', 'value'] as const;

/** The texts of a request body that must never be shown. */
export const secretsOf = (body: object | undefined): readonly string[] =>
  secretKeys.flatMap((key) => {
    const value: unknown =
      body !== undefined && Object.hasOwn(body, key) ? Reflect.get(body, key) : undefined;
    return typeof value === 'string' ? [value] : [];
  });
