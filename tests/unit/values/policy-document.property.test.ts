import fc from 'fast-check';
import { numberKey, survivesDouble } from '../../../provider/src/values/json-key';
import { parseJson } from '../../../provider/src/values/json-text';
import {
  checkPolicyDocument,
  samePolicyDocument,
  serialisePolicyDocument,
} from '../../../provider/src/values/policy-document';

const isReadByPlatform = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const reversedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (value === null || typeof value !== 'object') return value;
  const reversed = Object.entries(value).reverse();
  return Object.fromEntries(reversed.map(([key, each]) => [key, reversedKeys(each)]));
};

const jsonText = fc.json({ maxDepth: 5 });

test('exactly the texts that the platform reads as JSON are read', () => {
  const scraps = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '\\u00e9',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      'true',
      'null',
      ' ',
      '\n',
      '\t',
      '\f',
      'a',
    ),
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
      ),
      (text) => {
        expect(parseJson(text).ok).toBe(isReadByPlatform(text));
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

test('equality is an equivalence', () => {
  const text = fc.oneof(
    fc.constantFrom(
      '{}',
      '{ }',
      '[1]',
      '[1.0]',
      '[1.00]',
      '{"a":1,"b":2}',
      '{"b":2,"a":1}',
      '{"a":1,"A":1}',
      '{,}',
      '',
    ),
    fc.json({ maxDepth: 1 }),
  );
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(samePolicyDocument(a, a)).toBe(true);
      expect(samePolicyDocument(a, b)).toBe(samePolicyDocument(b, a));
      if (samePolicyDocument(a, b) && samePolicyDocument(b, c)) expect(samePolicyDocument(a, c)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

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

/** A number as an integer and a power of ten, by another way than the code under test: scaled to one power. */
const scaled = (text: string): bigint => {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(450 + Number(exponent) - fraction.length);
};

test('numbers of one kind are equal exactly if their exact values are', () => {
  const moved = numberText.map((text) => [
    text,
    text.includes('.') ? `${text.replace(/e.*/, '')}0${/e.*/.exec(text)?.[0] ?? ''}` : text,
  ]);
  const unrelated = fc.tuple(numberText, numberText);
  const nonZeroSameKind = (a: string, b: string): boolean =>
    scaled(a) !== 0n && scaled(b) !== 0n && /[.e]/.test(a) === /[.e]/.test(b);
  fc.assert(
    fc.property(fc.oneof(moved, unrelated), ([a = '', b = '']) => {
      fc.pre(nonZeroSameKind(a, b));
      expect(numberKey(a) === numberKey(b)).toBe(scaled(a) === scaled(b));
    }),
    { numRuns: 2000 },
  );
});

test('an exponent of millions of digits is compared as it is written', () => {
  const digits = '9'.repeat(4_000_000);
  expect(numberKey(`1e${digits}`)).toBe(`1e${digits}`);
  expect(numberKey(`1e${digits}`)).not.toBe(numberKey(`1e${digits.slice(1)}8`));
  expect(survivesDouble(`1e-${digits}`)).toBe(false);
});

test('a number without a warning comes back equal from a service that keeps doubles', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        numberText,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
      ),
      (text) => {
        const isSame = samePolicyDocument(`[${text}]`, JSON.stringify(JSON.parse(`[${text}]`)));
        expect(survivesDouble(text)).toBe(isSame);
      },
    ),
    { numRuns: 2000 },
  );
});

test('any typed policy passes the check and is equal to itself after any rewriting', () => {
  const free = fc.jsonValue({ maxDepth: 2 });
  const policies = fc.record({
    inbound: fc.array(
      fc.record({
        name: fc.string(),
        expressions: fc.array(fc.string()),
        actions: fc.array(
          fc.record(
            { type: fc.string(), config: fc.dictionary(fc.string(), free) },
            { requiredKeys: ['type'] },
          ),
          {
            minLength: 1,
          },
        ),
      }),
    ),
  });
  fc.assert(
    fc.property(policies, (policy) => {
      const text = serialisePolicyDocument(policy);
      expect(checkPolicyDocument(text).failures).toEqual([]);
      expect(samePolicyDocument(text, JSON.stringify(reversedKeys(policy), null, 2))).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('the check of any text ends without an exception, in one-line sentences', () => {
  fc.assert(
    fc.property(fc.oneof(jsonText, fc.string({ unit: 'binary' })), (text) => {
      const { failures, warnings } = checkPolicyDocument(text);
      for (const { path, reason } of [...failures, ...warnings])
        expect(`${path ?? ''}${reason}`).not.toMatch(/[\n\r]/);
    }),
    { numRuns: 500 },
  );
});
