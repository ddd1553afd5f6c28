import fc from 'fast-check';
import { parseJson } from '../../../provider/src/values/json';
import { checkPolicyDocument, samePolicyDocument } from '../../../provider/src/values/policy-document';
import { anyCharacter } from '../../support/any-character';

const reversedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (value === null || typeof value !== 'object') return value;
  // Those that differ by case only keep their order.
  const reversed = Object.entries(value).sort(([one], [other]) => {
    const [left, right] = [one.toLowerCase(), other.toLowerCase()];
    return left < right ? 1 : left > right ? -1 : 0;
  });
  return Object.fromEntries(reversed.map(([key, each]) => [key, reversedKeys(each)]));
};

const isReadByPlatform = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Counts in the text and in the value, where the code under test keeps the keys of each object. */
function isAmbiguous(text: string): boolean {
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon === ':').length;
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return keys !== keysIn(JSON.parse(text)) || !numbers.every(isExact);
}

const keysIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce(
        (sum: number, part) => sum + keysIn(part),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

/** Whether a double has all digits of a number, by another way than the code under test: both scaled to one power of ten. */
const isExact = (text: string): boolean => {
  const nearest = Number(text);
  if (nearest === 0) return !/[1-9]/.test(text.replace(/e.*/i, ''));
  return Number.isFinite(nearest) && scaled(text) === scaled(JSON.stringify(nearest));
};

function scaled(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const negative = whole.startsWith('-') ? -1n : 1n;
  return (
    negative *
    BigInt(whole.replace('-', '') + fraction) *
    10n ** BigInt(1_200 + Number(exponent) - fraction.length)
  );
}

const jsonText = fc.json({ maxDepth: 5 });

const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt(1n, 10n ** 22n).map(String)),
    fc.option(fc.string({ unit: fc.constantFrom('0', '1', '9'), minLength: 1, maxLength: 20 })),
    fc.option(fc.integer({ min: -400, max: 400 })),
  )
  .map(([sign, whole, fraction, exponent]) => {
    const fractionText = fraction === null ? '' : `.${fraction}`;
    return `${sign}${whole}${fractionText}${exponent === null ? '' : `e${exponent}`}`;
  });

test('exactly the texts that the platform reads, and writes with all their keys and digits, are read', () => {
  const scraps = fc.array(
    fc.constantFrom('"a"', '\\u00e9', 'true', 'null', ...Array.from('{}[],:"\\01-.e+ \n\t\fa')),
    { maxLength: 8 },
  );
  const damaged = fc.tuple(jsonText, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, scrap]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + scrap + text.slice(index + 1);
  });
  fc.assert(
    fc.property(
      fc.oneof(
        scraps.map((parts) => parts.join('')),
        damaged,
        jsonText,
        numberText,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
      ),
      (text) => {
        const parsed = parseJson(text);
        expect(parsed.ok).toBe(isReadByPlatform(text) && !isAmbiguous(text));
        if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(text)));
      },
    ),
    { numRuns: 5000 },
  );
});

test('a document that is written again, with other spacing and order of keys, is equal', () => {
  fc.assert(
    fc.property(jsonText, fc.nat({ max: 3 }), (text, indent) => {
      const value: unknown = JSON.parse(text);
      expect(samePolicyDocument(text, JSON.stringify(value, null, indent))).toBe(true);
      expect(samePolicyDocument(text, JSON.stringify(reversedKeys(value), null, indent))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('documents that the platform reads differently are never equal', () => {
  const small = fc.json({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (a, b) => {
      if (samePolicyDocument(a, b)) expect(JSON.parse(a)).toEqual(JSON.parse(b));
    }),
    { numRuns: 2000 },
  );
});

test.each(['9'.repeat(4_000_000), `1e-${'9'.repeat(4_000_000)}`, `1${'0'.repeat(4_000_000)}1`])(
  'a number of millions of digits is refused at once',
  (text) => {
    expect(parseJson(text).ok).toBe(false);
  },
);

test('the check of any text ends without an exception, in one-line sentences', () => {
  fc.assert(
    fc.property(fc.oneof(jsonText, fc.string({ unit: anyCharacter })), (text) => {
      const { failures, warnings } = checkPolicyDocument(text);
      for (const { path, reason } of [...failures, ...warnings])
        expect(`${path ?? ''}${reason}`).not.toMatch(/[\n\r]/);
    }),
    { numRuns: 500 },
  );
});
