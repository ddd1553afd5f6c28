import {
  checkPolicyDocument,
  isEmptyPolicyDocument,
  samePolicyDocument,
  serialisePolicyDocument,
  type TrafficPolicy,
} from '../../../provider/src/values/policy-document';

const rule = { name: 'bots', expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] };
const policy: TrafficPolicy = { inbound: [rule] };
const withRule = (changes: object): string => JSON.stringify({ inbound: [{ ...rule, ...changes }] });
const withoutKey = (key: 'name' | 'expressions' | 'actions'): string =>
  JSON.stringify({ inbound: [Object.fromEntries(Object.entries(rule).filter(([name]) => name !== key))] });

const failuresOf = (text: string): string[] =>
  checkPolicyDocument(text).failures.map(({ path, reason }) =>
    path === undefined ? reason : `${path}: ${reason}`,
  );
const warningsOf = (text: string): string[] =>
  checkPolicyDocument(text).warnings.map(({ path, reason }) => `${path ?? ''}: ${reason}`);

test.each([
  ['the shape of the API document', JSON.stringify(policy)],
  ['a phase without rules', '{"inbound":[]}'],
  ['numbers in every form that a double holds', '{"x":[1.0,1e3,-0,1.5,1e21,0.30000000000000004]}'],
  ['spacing and line breaks', JSON.stringify(policy, null, 2)],
  [
    'settings of an action',
    withRule({ actions: [{ type: 'log', config: { metadata: { a: [1, null, true] } } }] }),
  ],
  ['keys of a rule that are not known', withRule({ id: 7, enabled: true })],
  ['keys of the document that are not known', '{"version":2,"outbound":"later","inbound":[]}'],
  ['a key called __proto__', '{"__proto__":{"inbound":7},"inbound":[]}'],
  ['a key called constructor', withRule({ constructor: 1, toString: 2 })],
])('a document of the right shape passes in silence: %s', (_what, text) => {
  expect(checkPolicyDocument(text)).toEqual({ failures: [], warnings: [] });
});

const repeated = 'repeats a key (parsers disagree on which one counts) at line 1, column';
const rounded = 'has a number that a double cannot hold (parsers round it differently) at line 1, column';

test.each([
  ['nothing', '', ['is empty: must be a JSON object, such as {"inbound":[]}']],
  ['an array', '[]', ['must be an object, not an array']],
  ['null', 'null', ['must be an object, not null']],
  ['a phase that is an object', '{"inbound":{}}', ['inbound: must be an array, not an object']],
  ['a rule that is a string', '{"inbound":["deny"]}', ['inbound[0]: must be an object, not a string']],
  ['a rule without a name', withoutKey('name'), ['inbound[0].name: is missing']],
  ['a name that is no string', withRule({ name: 7 }), ['inbound[0].name: must be a string, not a number']],
  ['a rule without expressions', withoutKey('expressions'), ['inbound[0].expressions: is missing']],
  ['a rule without actions', withoutKey('actions'), ['inbound[0].actions: is missing']],
  [
    'a required key that is misspelt',
    withoutKey('actions').replace('"name"', '"actoins":[],"name"'),
    ['inbound[0].actions: is missing'],
  ],
  ['no action', withRule({ actions: [] }), ['inbound[0].actions: must not be empty']],
  ['an action without a type', withRule({ actions: [{}] }), ['inbound[0].actions[0].type: is missing']],
  [
    'an action type that is no string',
    withRule({ actions: [{ type: 'deny' }, { type: true }] }),
    ['inbound[0].actions[1].type: must be a string, not a boolean'],
  ],
  [
    'several at once',
    '{"inbound":[{"name":1,"expressions":{},"actions":[]},7]}',
    [
      'inbound[0].name: must be a string, not a number',
      'inbound[0].expressions: must be an array, not an object',
      'inbound[0].actions: must not be empty',
      'inbound[1]: must be an object, not a number',
    ],
  ],
  ['a phase given twice', '{"inbound":[],"inbound":[]}', [`${repeated} 15`]],
  [
    'an unknown key given twice, in different spellings',
    '{"inbound":[],"x":{"a":1,"\\u0061":2}}',
    [`${repeated} 26`],
  ],
  ['more digits than a double holds', '{"inbound":[],"x":[12345678901234567890]}', [`${rounded} 20`]],
  ['a number beyond every double', '{"x":1e400}', [`${rounded} 6`]],
  [
    'a phase in another case',
    '{"Inbound":[]}',
    ['Inbound: differs from inbound only in case, and parsers disagree on whether it is that key'],
  ],
  [
    'a member of an action in another case, in addition to that member',
    withRule({ actions: [{ type: 'deny', Type: 'log' }] }),
    [
      'inbound[0].actions[0].Type: differs from type only in case, and parsers disagree on whether it is that key',
    ],
  ],
  [
    'half a character',
    '{"inbound":[],"x":"\ud83d"}',
    ['has half of a character at position 20 (a lone surrogate), which UTF-8 cannot encode'],
  ],
])('failures name the place and what is allowed: %s', (_what, text, failures) => {
  expect(failuresOf(text)).toEqual(failures);
});

// The platform says where, if it does not quote the text instead.
test.each([
  ['{"inbound":[],}', 'line 1, column 15'],
  ['{\n  "inbound": [\n    {]\n}', 'line 3, column 6'],
  ['{"inbound":[]} {}', 'line 1, column 16'],
  ['{"a":"two\nlines"}', 'line 1, column 10'],
  ['{"a":"', 'line 1, column 7'],
])('%j is not JSON, at %s', (text, place) => {
  expect(failuresOf(text)).toEqual([expect.stringMatching(`^is not JSON: [^"]+ at ${place}$`)]);
});

test.each(['inbound: []', '{"a":+1}', '{"x":NaN,"canary at position 7":1}', '\ufeff{}', '[1,]', '"'])(
  '%j is not JSON, and the text is not quoted',
  (text) => {
    expect(failuresOf(text)).toEqual([
      expect.stringMatching(/^is not JSON(: [^"]+ at line 1, column \d+)?$/),
    ]);
  },
);

test.each([
  ['{"inbund":[]}', ['inbund: is not a known key: did you mean inbound?']],
  ['{"ibnound":[]}', ['ibnound: is not a known key: did you mean inbound?']],
  [withRule({ expresions: [] }), ['inbound[0].expresions: is not a known key: did you mean expressions?']],
  [withRule({ action: [] }), ['inbound[0].action: is not a known key: did you mean actions?']],
  [
    withRule({ actions: [{ type: 'deny', typ: 'x' }] }),
    ['inbound[0].actions[0].typ: is not a known key: did you mean type?'],
  ],
  ['{"outbound":[],"in":[]}', []],
])('warnings: %s', (text, warnings) => {
  expect(warningsOf(text)).toEqual(warnings);
});

const canary = 'sk-canary-7f3a';
const key = JSON.stringify(canary);

test.each([
  ['no JSON', canary],
  ['keys', `{${key}:1.0,${key}:2}`],
  ['a cut text', `{"${canary}`],
  ['a phase', `{"inbound":${key}}`],
  ['a rule', withRule({ name: [canary], expressions: canary, actions: [{ type: { [canary]: 1 } }, canary] })],
  [
    'numbers below unknown keys',
    withRule({ [canary]: { [canary]: 1 } }).replace(/:1\b/, ':9007199254740993'),
  ],
  ['a line break in a string', `{"inbound":[{"name":"${canary}\n"}]}`],
])('nothing of the text is ever repeated, wherever a secret stands in it: %s', (_what, text) => {
  const { failures, warnings } = checkPolicyDocument(text);
  expect(failures.length + warnings.length).toBeGreaterThan(0);
  expect(JSON.stringify([failures, warnings])).not.toContain('canary');
});

test.each([
  ['escapes in strings and keys', '{"\\u0061":"\\/\\u00e9"}', '{"a":"/é"}', true],
  ['composed and decomposed letters', '"\u00e9"', '"e\u0301"', false],
  ['an integer and a fraction', '[1]', '[1.0]', true],
  ['integers that are one double', '[9007199254740993]', '[9007199254740992]', false],
  ['the order of keys equal but for case', '{"a":1,"A":2}', '{"A":2,"a":1}', false],
  ['the case of keys', '{"a":1,"A":2}', '{"a":2,"A":1}', false],
  ['a key called __proto__', '{"__proto__":1}', '{"__proto__":2}', false],
  ['texts that are not JSON', '{,}', '{,}', true],
  ['JSON and not JSON', '{}', '{,}', false],
])('equality: %s: %s and %s', (_what, a, b, isSame) => {
  expect(samePolicyDocument(a, b)).toBe(isSame);
  expect(samePolicyDocument(b, a)).toBe(isSame);
});

describe('deep nesting', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test('is read down to 500 levels, and refused beyond without running out of stack', () => {
    expect(failuresOf(`{"x":${nested(500)}}`)).toEqual([]);
    expect(failuresOf(`{"x":${nested(501)}}`)).toEqual([
      'is nested deeper than 500 levels at line 1, column 506',
    ]);
    expect(failuresOf(`{"x":${nested(1_000_000)}}`)).toHaveLength(1);
    expect(failuresOf('{"x":'.repeat(1_000_000))).toHaveLength(1);
  });

  test('texts too deep to read are equal to the letter only', () => {
    expect(samePolicyDocument(nested(100_000), nested(100_000))).toBe(true);
    expect(samePolicyDocument(nested(100_000), ` ${nested(100_000)}`)).toBe(false);
  });

  test('strings of any length and any number of escapes are read', () => {
    expect(failuresOf(JSON.stringify({ x: 'a'.repeat(2_000_000) }))).toEqual([]);
    expect(failuresOf(JSON.stringify({ x: '\\"\n'.repeat(500_000) }))).toEqual([]);
  });
});

describe('writing', () => {
  test('keeps the order and all keys of the program', () => {
    const document = { ...policy, zone: 'x', alpha: { b: 1, a: [true, null] } };
    expect(serialisePolicyDocument(document)).toBe(JSON.stringify(document));
  });

  test('leaves out what is undefined, as a program means it', () => {
    expect(serialisePolicyDocument({ inbound: [{ ...rule, note: undefined }] })).toBe(JSON.stringify(policy));
  });

  test.each([
    ['a number that is none', { limit: NaN }],
    ['an infinite number', { limit: -Infinity }],
    ['a big integer', { limit: 1n }],
    ['a function', { limit: () => 1 }],
    ['a symbol', { limit: Symbol('x') }],
  ])('refuses %s, which would be lost in silence', (_what, document) => {
    expect(() => serialisePolicyDocument(document)).toThrow(
      /^traffic policy: contains what JSON cannot express/,
    );
  });

  test('refuses cycles and bottomless nesting without repeating a key', () => {
    const canary: Record<string, unknown> = {};
    canary['canary'] = canary;
    let deep: unknown = [];
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    for (const document of [canary, { deep }]) {
      expect(() => serialisePolicyDocument(document)).toThrow(
        /has a cycle, or is nested deeper than 500 levels$/,
      );
    }
  });
});

test.each([
  ['', true],
  [' ', true],
  ['null', true],
  ['{}', true],
  ['{"inbound":[]}', true],
  ['{"inbound":[],"outbound":[]}', true],
  ['{"inbound":[{}]}', false],
  ['{"version":1}', false],
  ['[]', false],
  ['{,}', false],
])('%j holds no rule at all: %s', (text, isEmpty) => {
  expect(isEmptyPolicyDocument(text)).toBe(isEmpty);
});
