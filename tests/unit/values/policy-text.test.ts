import fc from 'fast-check';
import {
  policyInFull,
  policyJson,
  policyLines,
  samePolicyDocument,
} from '../../../provider/src/values/policy-document';

test('a policy stands in lines below a first line that is no JSON, keys in their order', () => {
  const text = '{"b":[{"name":"x","n":1.5,"e":[],"o":{}},1000],"a":null}';
  const lines = `@policy
{
  "b": [
    {
      "name": "x",
      "n": 1.5,
      "e": [],
      "o": {}
    },
    1000
  ],
  "a": null
}
`;
  expect(policyLines(text)).toBe(lines);
  expect(policyLines(lines)).toBe(lines);
  expect(policyJson(lines)).toBe(text);
});

test('a policy that the CLI prints in full has no first line', () => {
  const text = '{"inbound":[{"name":"x","config":{"body":"<b>\\n_</b>","json":"{\\"a\\":1}"}}]}';
  const lines = policyInFull(text);
  expect(lines).toBe(policyLines(text).slice('@policy\n'.length));
  expect(policyInFull(lines)).toBe(lines);
  expect(policyLines(lines)).toBe(policyLines(text));
  expect(policyJson(lines)).toBe(text);
});

test.each([
  ['a member that begins with two underscores', { a: [{ __b: 1 }] }],
  ['one in a text that is JSON', { a: ' [{"__b":1}]' }],
  ['one in a text that is YAML', { a: 'a: 1\n__b: 1' }],
  ['one that escapes spell', { a: '{"\\u005f_b":1}' }],
  ['one that a tag of YAML spells', { a: 'a: 1\n!!binary X19i: 1' }],
])('the CLI would hide %s, so the first line stays', (_what, value) => {
  expect(policyInFull(JSON.stringify(value))).toMatch(/^@policy\n/);
});

test('numbers have one form', () => {
  expect(policyLines('{"a":[1.50,1e3,-0]}')).toBe(policyLines('{"a":[1.5,1000,0]}'));
});

test.each(['{"a":1,"a":2}', '{"a":12345678901234567890}', '', 'not JSON', '{"a":', '@policy', '@policy\n{'])(
  '%j stays as it is',
  (text) => {
    expect(policyLines(text)).toBe(text);
    expect(policyJson(text)).toBe(text);
  },
);

test('any document says the same in lines and back, one text per spelling, and holds nothing a terminal acts on', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(undefined, 1, 4, '\t'), (json, space) => {
      const lines = policyLines(JSON.stringify(JSON.parse(json), undefined, space));
      expect(lines).toBe(policyLines(json));
      expect(samePolicyDocument(policyJson(lines), json)).toBe(true);
      expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]|<\{%/u);
    }),
  );
});
