// The one place that decides what may reach a terminal: a lint rule keeps every other way to it closed.

/**
 * Replaces what ends a line, cannot be seen, turns the direction of a text, or makes a terminal act. The classes stand in
 * the function because Node.js takes milliseconds to build them, which a preview without such a text need not wait for.
 */
export const replaceUnprintable = (text: string, replacement: (character: string) => string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, replacement);

/** A character by its number: `\u{1b}`. */
export const spellOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const isLayout = (character: string): boolean => character === '\n' || character === '\t';

/** A text of several lines in which everything else that is unprintable is spelt out. */
export const printable = (text: string): string =>
  replaceUnprintable(text, (character) => (isLayout(character) ? character : spellOut(character)));

/** The same for the Pulumi CLI, which also takes `<{%...%}>` for colours. */
export const printableByEngine = (text: string): string => printable(text).replace(/<(?=\{%)/g, spellOut);

/** A value as JSON that is safe to print and still means the same: what is unprintable is escaped. */
export const printableJson = (value: unknown): string =>
  // eslint-disable-next-line no-restricted-syntax -- the rule leads here
  `${replaceUnprintable(JSON.stringify(value, undefined, 2), escapeInJson)}\n`;

/** JSON knows UTF-16 units only. */
const escapeInJson = (character: string): string =>
  character === '\n'
    ? character
    : Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
        .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
        .join('');
