import fc from 'fast-check';
import { cleanCode, cleanText, secretsOf } from '../../../provider/src/api/redact';

const secret = 'canary secret of 7 words, "quoted" & \\ slashed';

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify(secret)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(secret))],
  ['in a URL', encodeURIComponent(secret)],
  ['without the blanks around', secret.trim()],
  ['in upper case', secret.toUpperCase()],
  ['in lower case', secret.toLowerCase()],
  ['in the URL of a form', encodeURIComponent(secret).replaceAll('%20', '+')],
  ['with plus signs for blanks', secret.replaceAll(' ', '+')],
  ['in a URL in lower case', encodeURIComponent(secret).toLowerCase()],
  ['in HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['in HTML with numbers', secret.replaceAll('&', '&amp;').replaceAll('"', '&#34;')],
  ['cut at its end', secret.slice(0, 20)],
  ['cut at its start', secret.slice(12)],
  ['cut to eight characters', secret.slice(5, 13)],
])('a text that was sent is masked where the service echoes it %s', (_how, echo) => {
  const text = cleanText(`no, ${echo} is wrong`, [secret]);
  expect(text).toMatch(/^no, "?\\?"?\*\*\*/);
  expect(text).toMatch(/is wrong$/);
  for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
});

test.each([
  ['in JSON', 'a"b\\c', (short: string) => JSON.stringify(short).slice(1, -1)],
  [
    'in JSON within JSON',
    'a"b',
    (short: string) => JSON.stringify(JSON.stringify(short).slice(1, -1)).slice(1, -1),
  ],
  ['in a URL', '%&', encodeURIComponent],
  ['in a URL, with half a character', 'a\ud800', () => 'a%EF%BF%BD'],
  ['in HTML', '<a>', () => '&lt;a&gt;'],
  ['in HTML, quoted', `"'`, () => '&quot;&#39;'],
  ['in HTML, quoted by numbers', `"'`, () => '&#34;&#x27;'],
  ['in the URL of a form', 'a é', () => 'a+%C3%A9'],
  ['with plus signs for blanks', 'a é', () => 'a+é'],
  ['in upper case', 'aé', () => 'AÉ'],
  ['without the blanks around', ' ab\n', (short: string) => short.trim()],
])('so is a text that is too short to be cut, %s', (_how, short, echo) => {
  expect(cleanText(`no, ${echo(short)} is wrong`, [short])).toBe('no, *** is wrong');
});

test('what is left of a text around the masked part is left as it is', () => {
  expect(cleanText('rule too_long_text refused', ['too_long_text'])).toBe('rule *** refused');
  expect(cleanText('abcdefgh_12345678_ijklmnop', ['12345678'])).toBe('abcdefgh_***_ijklmnop');
  expect(cleanText('12345678', ['12345678'])).toBe('***');
  expect(cleanText('x1234567y', ['1234567'])).toBe('x***y');
});

test('seven characters of a longer secret are no echo of it', () => {
  expect(cleanText('the 1234567 of it', ['1234567890'])).toBe('the 1234567 of it');
});

test('a secret shorter than four characters is masked where it stands alone only', () => {
  expect(cleanText('a bad day, "a" or -a-', ['a'])).toBe('*** bad day, "***" or -***-');
  expect(cleanText('xabc abc. abcd', ['abc'])).toBe('xabc ***. abcd');
  expect(cleanText('xabcd', ['abcd'])).toBe('x***');
  expect(cleanText('1.5 . 1+5', ['.'])).toBe('1.5 *** 1+5');
  for (const sign of '\\^$.*+?()[]{}|/-') expect(cleanText(`a ${sign} b`, [sign])).toBe('a *** b');
});

test('an empty secret masks nothing', () => {
  expect(cleanText('all is shown', [''])).toBe('all is shown');
});

test('all of several secrets are masked, the longest first', () => {
  expect(cleanText('one-two-three and two', ['two', 'one-two-three'])).toBe('*** and ***');
});

test.each([
  ['{"description":"office","cidr":"10.0.0.0/8"}', '{"description":***,"cidr":"10.0.0.0/8"}'],
  ['description "office" is too long', 'description *** is too long'],
  ["metadata: 'x y' is bad", 'metadata: *** is bad'],
  ['value=`x y`, sorry', 'value=***, sorry'],
  ['description: my office, cidr: x', 'description: ***, cidr: x'],
  ['metadata = one two; next', 'metadata = ***; next'],
  ['Value: {"inbound"', 'Value: ***'],
  ['{"value":"a \\"quoted\\" tail"} end', '{"value":***} end'],
  ['"{\\"value\\":\\"abc\\"}"', '"{\\"value\\":***'],
  ['description "never ends', 'description ***'],
  ["description 'never ends", 'description ***'],
  ['description `never ends', 'description ***'],
  ['description is too long', 'description is too long'],
  ['the metadatabase "x"', 'the metadatabase "x"'],
  ['devalue: 5', 'devalue: 5'],
])('%s is shown as %s, whatever was sent', (text, shown) => {
  expect(cleanText(text, [])).toBe(shown);
});

test('control, format and line characters become one blank', () => {
  expect(cleanText('a\r\nb\u001b[31mc\u202ed\u2028e\u0000\u200bf\tg  h', [])).toBe('a b [31mc d e f g h');
  expect(cleanText('\n padded \n', [])).toBe('padded');
});

test('a text is cut at 500 characters', () => {
  expect(cleanText('x'.repeat(500), [])).toBe('x'.repeat(500));
  expect(cleanText('x'.repeat(501), [])).toBe(`${'x'.repeat(500)}...`);
  expect(cleanText('x'.repeat(5_000_000), []).length).toBe(503);
});

test('masking a large secret in a large text takes no time to speak of', () => {
  const large = Array.from({ length: 100_000 }, (_, index) => `entry ${index};`).join('');
  expect(cleanText(`bad: ${large}`, [large])).toBe('bad: ***');
});

test('what the cut of a long text leaves of a secret is not shown', () => {
  const long = 'another text that was sent; '.repeat(200);
  for (let length = 1; length < 40; length += 1) {
    // All before the secret shortens to one mask, so that the end of the cut text is within what is shown.
    const shown = cleanText(`${long.slice(0, 4096 - length)}${secret}`, [secret, long]);
    expect(shown).toMatch(/^[*]*$/);
  }
});

test('letters whose lower case is longer shift no mask', () => {
  expect(cleanText('İİ is İ: canary_1 of İ', ['canary_1'])).toBe('İİ is İ: *** of İ');
});

test('the patterns of a large filter are masked', () => {
  const patterns = Array.from({ length: 1000 }, (_, index) => `^agent-${index} ${'(x|y)'.repeat(48)}$`);
  const text = `bad pattern ${patterns.slice(0, 60).join('')}`;
  expect(cleanText(text, patterns)).toBe('bad pattern ***');
});

test('nothing of a secret that was sent survives, eight characters at a time', () => {
  const word = fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' });
  fc.assert(
    fc.property(word, fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (sent, before, after) => {
      const shown = cleanText(before + sent + after, [sent]);
      const flat = sent.replace(/[\p{C}\p{Z}]+/gu, ' ');
      if (!`${before}${after}***`.includes(sent)) expect(shown).not.toContain(sent);
      if (flat.length >= 8 && !`${before}${after}`.includes(flat)) expect(shown.includes(flat)).toBe(false);
    }),
  );
});

test.each(['ERR_IPP_14', 'op_2x.y:z-1', 'x'.repeat(100)])('%s is a code', (code) => {
  expect(cleanCode(code, [])).toBe(code);
});

test.each(['', 'x'.repeat(101), 'two words', 'a\nb', '<b>', 7, null, undefined, {}])(
  '%j is no code',
  (text) => {
    expect(cleanCode(text, [])).toBeUndefined();
  },
);

test('a code that holds something that was sent is left out', () => {
  expect(cleanCode('ERR_canary_1', ['canary_1'])).toBeUndefined();
  expect(cleanCode('ERR_canary_1', ['canary_2'])).toBe('ERR_canary_1');
});

test('the secrets of a body are its description, metadata and value', () => {
  const body = { cidr: '10.0.0.0/8', description: 'd', metadata: 'm', value: 'v', enabled: true };
  expect(secretsOf(body)).toEqual(['d', 'm', 'v']);
  expect(secretsOf({ enabled: true, allow: ['x'], deny: ['y', 7], value: 5 })).toEqual(['x', 'y']);
  expect(secretsOf(Object.create({ value: 'inherited' }) as object)).toEqual([]);
  expect(secretsOf(undefined)).toEqual([]);
});
