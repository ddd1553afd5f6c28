// The one place that decides what may reach a terminal: lint rules refuse every other way.

/**
 * Everything that ends a line, is invisible, changes the direction of a text, or makes a terminal act. Node.js takes
 * milliseconds to build the classes, hence inside the function.
 */
export const replaceUnprintable = (text: string, replacement: (character: string) => string): string =>
  // `##[…]` anywhere in a line is a command to the runner of a workflow.
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}]|(?<=##)\[/gu, replacement);

/** `\u{1b}` */
export const spellOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const isLayout = (character: string): boolean => character === '\n' || character === '\t';

/** A text of several lines in which all other unprintable characters are spelt out. */
export const printable = (text: string): string =>
  replaceUnprintable(text, (character) => (isLayout(character) ? character : spellOut(character)));

/** The Pulumi CLI also reads `<{%...%}>` for colours. */
export const printableByEngine = (text: string): string => printable(text).replace(/<(?=\{%)/g, spellOut);

/** A value as JSON that is safe to print and means the same: unprintable characters are escaped. */
export const printableJson = (value: unknown): string =>
  // eslint-disable-next-line no-restricted-syntax -- the rule leads here
  `${replaceUnprintable(JSON.stringify(value, undefined, 2), (character) =>
    character === '\n' ? character : escapeInJson(character),
  )}\n`;

const escapeInJson = (characters: string): string =>
  Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

// State holds texts that went through this, so equal values must keep equal texts. The ranges are listed, as the character
// classes of Node.js grow with its versions. The CLI's own colours begin with `<{%`. YAML refuses the last two characters.
const UNPRINTABLE_IN_STATE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\udb40[\udc00-\udfff]|<(?=\{%)/g;

/** A value as JSON for the state: the CLI prints a line of a changed text as it is. */
export const printableInState = (value: unknown, indentation?: string): string =>
  // eslint-disable-next-line no-restricted-syntax -- escaped here
  JSON.stringify(value, undefined, indentation).replace(UNPRINTABLE_IN_STATE, escapeInJson);

/** Whether a text is not empty and consists of visible ASCII only, without blanks and line ends. */
export const isVisibleAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
