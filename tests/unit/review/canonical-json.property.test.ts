// The quick way to write a traffic policy with sorted keys gives what the long way gives: plans keep their hashes.
import fc from 'fast-check';
import { canonicalDocument, canonicalJson } from '../../../review/src/plan/canonical-json';

const name = fc.constantFrom('inbound', 'on_tcp_connect', '10', '9', '__proto__', 'zone', 'a"b', '');
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: 'deny' }) },
  fc.constantFrom<unknown>(
    { type: 'log' },
    { type: 'x', config: { 10: 1, 9: 2, b: 3, a: { z: 1, y: [{ d: 1, c: 2 }] } } },
    { config: null, type: 'y' },
    { type: 7 },
    {},
    [],
    'deny',
    null,
  ),
);
const expressions = fc.oneof(
  fc.array(fc.constantFrom<unknown>('true', "conn.client_ip == '192.0.2.1'", 'é\u2028"', 1, null), {
    maxLength: 2,
  }),
  fc.constantFrom<unknown>({ b: 1, a: 2 }, 'true'),
);
const rule = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      { name: fc.string(), expressions, actions: fc.array(action, { maxLength: 2 }), b: fc.constant(1) },
      { requiredKeys: [] },
    ),
  },
  fc.constantFrom<unknown>(7, null, 'rule', []),
);
const document = fc.dictionary(name, fc.array(rule, { maxLength: 3 }), { maxKeys: 3 });

test('a document is written as its text is', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: document }, fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(canonicalDocument(JSON.parse(text))).toBe(canonicalJson(text));
    }),
    { numRuns: 2000 },
  );
});
