import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character but one half of a pair: the unit `binary` of fast-check, without its table of a million characters. */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES.count).map(
  (place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not one character');
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);
