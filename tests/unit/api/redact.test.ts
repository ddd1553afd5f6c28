import fc from 'fast-check';
import { cleanCode, cleanText, mask, SecretTexts } from '../../../provider/src/api/redact';
import { anyCharacter } from '../../support/any-character';

const secret = 'canary secret of 7 words, "quoted" & \\ slashed';

const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inForm = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a service may write what it was sent. */
const FORMS: readonly (readonly [how: string, write: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['without the blanks around', (text) => text.trim()],
  ['in upper case', (text) => text.replace(/[a-zé]/g, (letter) => letter.toUpperCase())],
  ['in JSON', inJson],
  ['in JSON within JSON', (text) => inJson(inJson(text))],
  ['in a URL', (text) => encodeURIComponent(text.toWellFormed())],
  ['in a URL in lower case', (text) => encodeURIComponent(text.toWellFormed()).toLowerCase()],
  ['in the URL of a form', inForm],
  ['with plus signs for blanks', (text) => text.replaceAll(' ', '+')],
  ['in HTML', (text) => inHtml(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ['in HTML with numbers', (text) => inHtml(text).replaceAll('"', '&#34;').replaceAll("'", '&#x27;')],
];

/** Messages without any of these texts. */
const hiding = (...texts: string[]): SecretTexts[] => [new SecretTexts(() => texts)];

const fold = (text: string): string =>
  text.replace(/\p{Ll}/gu, (sign) => (sign.toUpperCase().length > sign.length ? sign : sign.toUpperCase()));
const isPartOfWord = (sign = ''): boolean => /[\p{L}\p{N}]/u.test(sign);

/** The rule, one text at a time and without an index: what masks are compared with. */
function repeats(message: string, secret: string): boolean {
  const text = fold(message);
  const isWord = (form: string, at: number): boolean =>
    at >= 0 &&
    (!(isPartOfWord(text[at - 1]) || isPartOfWord(text[at + form.length])) ||
      isWord(form, text.indexOf(form, at + 1)));
  const holds = (form: string): boolean => {
    if (form.length < 8) return form.length > 3 ? text.includes(form) : isWord(form, text.indexOf(form));
    return Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)).some((piece) =>
      text.includes(piece),
    );
  };
  return FORMS.map(([, write]) => fold(write(secret))).some((form) => form.trim() !== '' && holds(form));
}

test.each(FORMS)('a text that a message repeats %s is masked, if only in part', (_how, write) => {
  const echo = write(secret);
  for (const part of [echo, echo.slice(0, 20), echo.slice(-20), echo.slice(5, 13)])
    expect(cleanText(`no ~${part}~ is wrong`, hiding('other', secret))).toBe('no ~***~ is wrong');
  for (const short of ['a"b\\c', '%&', '<a>', `"'`, 'a é', 'ab', 'a\ud800'])
    expect(cleanText(`no ~${write(short)}~ is wrong`, hiding(short))).toBe('no ~***~ is wrong');
});

test('seven characters of a longer text are no echo, and three of a short one only as a word', () => {
  expect(cleanText('the 1234567 of it', hiding('1234567890'))).toBe('the 1234567 of it');
  expect(cleanText('x1234567y', hiding('1234567'))).toBe('x***y');
  expect(cleanText('xabcd', hiding('abcd'))).toBe('x***');
  expect(cleanText('xabc abc. abcd', hiding('abc'))).toBe('xabc ***. abcd');
  expect(cleanText('bad days', hiding('a'))).toBe('bad days');
  expect(cleanText('not "a"', hiding('a'))).toBe('not "***"');
  expect(cleanText('all - is shown', hiding('', ' '))).toBe('all - is shown');
  for (const sign of '\\^$.*+?()[]{}|/-') expect(cleanText(`a ${sign} b`, hiding(sign))).toBe('a *** b');
});

test('a mask stands where the secret does, also behind letters that are longer in the other case', () => {
  expect(cleanText('İßßİ: "İZMİR straße" of İ', hiding('İzmİr straße'))).toBe('İßßİ: "***" of İ');
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '%', '&', '<', '+', ' ', "'", 'a', 'É', 'Σ', 'ς', 'İ', '\n'),
  }),
);

test('of no secret more gets through than the rule allows, in whatever form and with whatever around it, and nothing else is masked', () => {
  const writing = fc.constantFrom(...FORMS.map(([, write]) => write));
  fc.assert(
    fc.property(
      fc.array(anyText, { minLength: 1, maxLength: 3 }),
      writing,
      fc.tuple(fc.string(), fc.nat(60), fc.string()),
      (sent, write, [before, cut, after]) => {
        const part = Array.from(write(sent[0] ?? ''))
          .slice(cut)
          .join('');
        const message = `${before} ${part} ${after}`;
        const shown = mask(message, hiding(...sent));
        expect(shown !== message).toBe(sent.some((text) => repeats(message, text)));
        // A letter in place of each mask, as the words around it stay what they were.
        const rest = shown.replaceAll('***', 'ꙮ');
        if (!message.includes('*')) expect(sent.filter((text) => repeats(rest, text))).toEqual([]);
        expect(cleanCode(part, hiding(...sent)) === part && repeats(part, sent[0] ?? '')).toBe(false);
      },
    ),
    { numRuns: 1000 },
  );
});

test('control, format and line characters become one blank', () => {
  expect(cleanText('a\r\nb\u001b[31mc\u202ed\u2028e\u0000\u200bf\tg  h', [])).toBe('a b [31mc d e f g h');
  expect(cleanText('\n padded \n', [])).toBe('padded');
});

test('a message is cut at 500 characters, and secrets of far longer ones are masked, too', () => {
  expect(cleanText('x'.repeat(500), [])).toBe('x'.repeat(500));
  expect(cleanText('x'.repeat(5_000_000), [])).toBe(`${'x'.repeat(500)}...`);
  expect(cleanText('hush'.repeat(5_000_000), hiding('hush'))).toBe('***...');
});

test.each(['ERR_IPP_14', 'op_2x.y:z-1', 'x'.repeat(100)])('%s is a code', (code) => {
  expect(cleanCode(code, hiding('canary_2'))).toBe(code);
});

test.each(['', 'x'.repeat(101), 'two words', 'a\nb', '<b>', 'ERR_canary_1', 7, null, undefined, {}])(
  '%j is no code',
  (text) => {
    expect(cleanCode(text, hiding('canary_1'))).toBeUndefined();
  },
);
