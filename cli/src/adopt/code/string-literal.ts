import { replaceUnprintable } from 'pulumi-edge-policy/internal/values/printable';

// These characters join emoji into one picture and are invisible by themselves.
const EMOJI_JOINERS = /(?<=\p{Extended_Pictographic}[\ufe0f\p{EMod}]?)\u200d(?=\p{Extended_Pictographic})/gu;

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/**
 * A TypeScript string literal whose value is exactly the text. Like Prettier, it uses the quotes that need fewer escapes,
 * double ones when in doubt.
 */
export function stringLiteral(text: string): string {
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const escaped = text.replace(/["'\\]/g, (character) =>
    character === '\\' || character === quote ? `\\${character}` : character,
  );
  return `${quote}${escapeUnprintable(escaped)}${quote}`;
}

const count = (text: string, character: string): number => text.split(character).length - 1;

/** Without escapes, such a text could make code look different from what it is. */
function escapeUnprintable(text: string): string {
  const pieces = text.split(EMOJI_JOINERS).map((piece) => replaceUnprintable(piece, escapeCharacter));
  return pieces.join('\u200d');
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const codePoint = character.codePointAt(0) ?? 0;
  const hexadecimal = codePoint.toString(16);
  return codePoint > 0xffff ? `\\u{${hexadecimal}}` : `\\u${hexadecimal.padStart(4, '0')}`;
}
