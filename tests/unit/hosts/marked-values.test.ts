import fc from 'fast-check';
import { MarkedValues } from '../../../provider/src/hosts/native/marked-values';

const secret = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(' ', '\n', 'a', 'b', '"', '&', 'É', '/'), minLength: 8, maxLength: 30 }),
);
const form = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
);

test('no message tells eight characters of a marked value, in whatever form and with whatever around it', () => {
  fc.assert(
    fc.property(secret, form, fc.string(), fc.string(), (value, write, before, after) => {
      const marked = new MarkedValues();
      marked.note(value);
      const shown = marked.conceal(`of the rule ${before}${write(value)}${after}`);
      for (let at = 0; at + 8 <= value.length; at += 1) {
        const piece = write(value.slice(at, at + 8));
        if (value.trim() !== '' && !`of the rule ${before}${after}`.includes(piece))
          expect(shown).not.toContain(piece);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a word is masked, and a line or message only if a marked text goes through several', () => {
  const marked = new MarkedValues();
  for (const value of ['vault-7', 'of the vault', 'two\nlines', '10.77.0.0/16']) marked.note(value);
  expect(marked.conceal('Rule "vault-7"\nis in 10.77.1.2.')).toBe('Rule ***\nis in ***');
  expect(marked.conceal('the rule of the vault is bad\nnothing done')).toMatch(
    /^A message is withheld.*\nnothing done$/,
  );
  expect(marked.conceal('said: two\nlines\nnothing done')).toMatch(/^A message is withheld[^\n]*$/);
  expect(marked.conceal('nothing done')).toBe('nothing done');
});
