import fc from 'fast-check';
import { cleanCode, cleanText, secretsOf, WITHHELD } from '../../../provider/src/api/redact';

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

test.each(FORMS)('a message that repeats a text %s is withheld, if only in part', (_how, write) => {
  const echo = write(secret);
  for (const part of [echo, echo.slice(0, 20), echo.slice(-20), echo.slice(5, 13)])
    expect(cleanText(`no, ${part} is wrong`, ['other', secret])).toBe(WITHHELD);
  for (const short of ['a"b\\c', '%&', '<a>', `"'`, 'a é', ' ab\n', 'a\ud800'])
    expect(cleanText(`no, ${write(short)} is wrong`, [short])).toBe(WITHHELD);
});

test('seven characters of a longer text are no echo, and three of a short one only as a word', () => {
  expect(cleanText('the 1234567 of it', ['1234567890'])).toBe('the 1234567 of it');
  expect(cleanText('x1234567y', ['1234567'])).toBe(WITHHELD);
  expect(cleanText('xabcd', ['abcd'])).toBe(WITHHELD);
  expect(cleanText('xabc abc. abcd', ['abc'])).toBe(WITHHELD);
  expect(cleanText('bad days', ['a'])).toBe('bad days');
  expect(cleanText('not "a"', ['a'])).toBe(WITHHELD);
  expect(cleanText('all - is shown', ['', ' '])).toBe('all - is shown');
  for (const sign of '\\^$.*+?()[]{}|/-') expect(cleanText(`a ${sign} b`, [sign])).toBe(WITHHELD);
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '%', '&', '<', '+', ' ', "'", 'a', 'É', 'Σ', 'ς', '\n') }),
);

test('no text that was sent gets through, in whatever form and with whatever around it', () => {
  const writing = fc.constantFrom(...FORMS.map(([, write]) => write));
  fc.assert(
    fc.property(
      fc.array(
        anyText.filter((text) => text.trim() !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      writing,
      fc.tuple(fc.string(), fc.nat(60), fc.string()),
      (sent, write, [before, cut, after]) => {
        const echo = write(sent[0] ?? '');
        const characters = Array.from(echo);
        const part = characters.length - cut < 8 ? echo : characters.slice(cut).join('');
        expect(cleanText(`${before} ${part} ${after}`, sent)).toBe(WITHHELD);
        expect(cleanCode(part, sent)).toBeUndefined();
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  '{"description":"office","cidr":"10.0.0.0/8"}',
  'description "office" is too long',
  "metadata: 'x y' is bad",
  'value=`x y`, sorry',
  'metadata = one two; next',
  'Value: {"inbound"',
  '"{\\"value\\":\\"abc\\"}"',
  "description 'never ends",
])('%s is withheld, whatever was sent', (text) => {
  expect(cleanText(text, [])).toBe(WITHHELD);
  expect(cleanCode('value:x', [])).toBeUndefined();
});

test.each(['description is too long', 'the metadatabase "x"', 'devalue: 5'])('%s is shown', (text) => {
  expect(cleanText(text, [])).toBe(text);
});

test('control, format and line characters become one blank', () => {
  expect(cleanText('a\r\nb\u001b[31mc\u202ed\u2028e\u0000\u200bf\tg  h', [])).toBe('a b [31mc d e f g h');
  expect(cleanText('\n padded \n', [])).toBe('padded');
});

test('a message is cut at 500 characters, and what is far longer is withheld', () => {
  expect(cleanText('x'.repeat(500), [])).toBe('x'.repeat(500));
  expect(cleanText('x'.repeat(4096), [])).toBe(`${'x'.repeat(500)}...`);
  expect(cleanText('x'.repeat(5_000_000), [])).toBe(WITHHELD);
});

test('a text of megabytes and a thousand patterns are compared, too', () => {
  const large = Array.from({ length: 100_000 }, (_, index) => `entry ${index};`);
  expect(cleanText('bad: try 99999;', [large.join('')])).toBe(WITHHELD);
  expect(cleanText('bad: entry', large.slice(0, 1000))).toBe('bad: entry');
  expect(cleanText('bad: entry 999;', large.slice(0, 1000))).toBe(WITHHELD);
});

test.each(['ERR_IPP_14', 'op_2x.y:z-1', 'x'.repeat(100)])('%s is a code', (code) => {
  expect(cleanCode(code, ['canary_2'])).toBe(code);
});

test.each(['', 'x'.repeat(101), 'two words', 'a\nb', '<b>', 'ERR_canary_1', 7, null, undefined, {}])(
  '%j is no code',
  (text) => {
    expect(cleanCode(text, ['canary_1'])).toBeUndefined();
  },
);

test('the secrets of a body are its description, metadata and value', () => {
  const body = { cidr: '10.0.0.0/8', description: 'd', metadata: 'm', value: 'v', enabled: true };
  expect(secretsOf(body)).toEqual(['d', 'm', 'v']);
  expect(secretsOf({ enabled: true, allow: ['x'], deny: ['y', 7], value: 5 })).toEqual(['x', 'y']);
  expect(secretsOf(Object.create({ value: 'inherited' }) as object)).toEqual([]);
  expect(secretsOf(undefined)).toEqual([]);
});
