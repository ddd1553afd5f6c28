import fc from 'fast-check';
import { anyCharacter } from '../../../support/any-character';

/** Pieces that have broken generators of code before. */
export const traps = [
  ...Array.from('"\'`}\\\n\t\u0000\u2028\u2029😀é日本\u202e\u200b\ufeff\u00a0'),
  ...'${ \\u \\x4 \r\n </script> \u0001\u001b[31m <{%reset%}> {{SECRET}} <!-- */ //'.split(' '),
  ...'👩‍👩‍👧 e\u0301 __proto__ {"a":[1]}'.split(' '),
];

/** Any text, lone surrogates included, rich in what needs care in a program. */
export const anyText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...traps),
        fc.string({ unit: anyCharacter, maxLength: 8 }),
        fc.string({ maxLength: 12 }),
        fc.constantFrom('\ud800', '\udc00'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

/** Any text that UTF-8 can carry, of at most so many bytes. */
export const storableText = (limitBytes: number): fc.Arbitrary<string> =>
  anyText().map((text) => cutToBytes(text.toWellFormed(), limitBytes));

const cutToBytes = (text: string, limitBytes: number): string => {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > limitBytes) break;
    cut += character;
  }
  return cut;
};
