// The width of a text in columns, as Prettier counts: wide characters and emoji take two.

/** Compiled on first use, as its thousands of sequences would take longer than the rest of a command's start. */
let emoji: RegExp | undefined;
const TAKES_NO_COLUMN = /[\u0300-\u036f\ufe00-\ufe0f]/u;
const WIDE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const isWide = (codePoint: number): boolean =>
  WIDE_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last);

/** The number of columns that a line of code takes. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  emoji ??= new RegExp('\\p{RGI_Emoji}', 'gv');
  let width = 0;
  for (const character of text.replace(emoji, '  ')) {
    if (TAKES_NO_COLUMN.test(character)) continue;
    width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}
