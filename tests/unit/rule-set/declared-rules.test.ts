import { RULE_FIELDS } from '../../../provider/src/rule/rule';
import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { UNKNOWN } from '../../../provider/src/values/unknowns';

const read = (rules: unknown) => readDeclaration(JSON.stringify(rules));

/** The reasons of all failures, with their paths. */
const failuresIn = ({ failures = [] }: ReturnType<typeof read>): string[] =>
  failures.map(({ path = '', reason }) => `${path}: ${reason}`);
const failures = (rules: unknown): string[] => failuresIn(read(rules));

test('the canonical text has one rule a line, IPv4 before IPv6, sorted by address and not by text', () => {
  const rules = [
    { cidr: '2001:DB8::/32', action: 'deny' },
    { cidr: '192.0.2.0/24', action: 'allow' },
    { cidr: '9.0.0.0/8', action: 'allow' },
    { cidr: '9.0.0.0/16', action: 'deny' },
    { cidr: '::1', action: 'allow' },
  ];
  expect(read(rules).value).toBe(
    '9.0.0.0/8: allow\n9.0.0.0/16: deny\n192.0.2.0/24: allow\n::1/128: allow\n2001:db8::/32: deny\n',
  );
});

test('a list and a map, in any order, have the same text', () => {
  const list = [
    { action: 'deny', cidr: '192.0.2.1', metadata: 'm', description: 'd' },
    { cidr: '10.0.0.0/8', action: 'allow', description: '' },
  ];
  const map = {
    '10.0.0.0/8': { action: 'allow', metadata: null },
    '192.0.2.1/32': { description: 'd', action: 'deny', metadata: 'm' },
  };
  expect(read(list).value).toBe(read(map).value);
});

test('the canonical text is its own canonical text: what is open stays under its network, and what has no known network comes last', () => {
  const { value = '' } = read([
    { action: 'allow', '(unknown)': 'cidr, description' },
    { cidr: '192.0.2.1', action: 'deny', description: 'a "quoted" \\ text\n' },
    { '(unknown)': 'cidr, action' },
    { cidr: '10.0.0.0/8', action: 'allow', metadata: '{"key":"ü"}' },
    { cidr: '192.0.2.2', description: 'office', '(unknown)': 'action, metadata' },
    { cidr: '192.0.2.3', action: 'allow', description: 'Vendor X', until: '2026-12-31T18:00:00+01:00' },
    { cidr: '192.0.2.4', action: 'deny', '(unknown)': 'until' },
  ]);
  expect(value.split('\n')).toEqual([
    `10.0.0.0/8: allow metadata '{"key":"ü"}'`,
    String.raw`192.0.2.1/32: deny 'a "quoted" \\ text\n'`,
    "192.0.2.2/32: (unknown) 'office' metadata (unknown)",
    "192.0.2.3/32: allow 'Vendor X' until 2026-12-31T17:00:00Z",
    '192.0.2.4/32: deny until (unknown)',
    '(unknown 1): allow (unknown)',
    '(unknown 2): (unknown)',
    '',
  ]);
  expect(readDeclaration(value).value).toBe(value);
});

test('a plan that is saved where a value is not known will not hold: a warning says so, once for a set', () => {
  const { warnings } = read([{ '(unknown)': 'cidr, action' }, { '(unknown)': 'cidr, action' }]);
  expect(warnings).toEqual([{ reason: expect.stringContaining('"pulumi up --plan"') as string }]);
  expect(read([{ cidr: '10.0.0.0/8', action: 'allow' }])).not.toHaveProperty('warnings');
});

test('two rules for one network fail, and both are named', () => {
  expect(
    failures([
      { cidr: '192.0.2.1/32', action: 'deny' },
      { cidr: '192.0.2.1', action: 'allow' },
    ]),
  ).toEqual([
    '[1].cidr: "192.0.2.1" is the same network as rules[0].cidr "192.0.2.1/32" (192.0.2.1/32): a set has one rule per network',
  ]);
  expect(failures({ '2001:db8::/32': { action: 'deny' }, '2001:DB8::/32': { action: 'deny' } })).toHaveLength(
    1,
  );
});

test('all failures come at once, with the path of each', () => {
  const long = 'ü'.repeat(128);
  expect(
    failures([
      { cidr: '10.0.0.1/8', action: 'alow' },
      { action: 'deny', cidr: 7 },
      { cidr: '192.0.2.0/24' },
      { cidr: '192.0.3.0/24', action: 'deny', description: long, metadata: true, descripton: 'x' },
      'text',
      null,
      { cidr: '192.0.5.0/24', action: 'deny', list: 'A B', until: '2030-02-30' },
      { cidr: '192.0.6.0/24', action: 'deny', until: 20300101 },
      { cidr: '192.0.7.0/24', action: 'allow', owner: 'it' },
    ]),
  ).toEqual([
    '[0].action: "alow" is not an action: did you mean allow?',
    '[0].cidr: "10.0.0.1/8" has bits set after its first 8: did you mean 10.0.0.1/32 (1 address) or 10.0.0.0/8 (16,777,216 addresses)?',
    '[1].cidr: must be a string, not a number',
    '[2].action: is required: allow or deny',
    '[3]: "descripton" is not a field of a rule: did you mean description?',
    '[3].description: is 256 bytes long in UTF-8, and at most 255 are allowed',
    '[3].metadata: must be a string, not a boolean',
    '[4]: must be a rule with cidr and action, not a string',
    '[5]: must be a rule with cidr and action, not null',
    '[6].until: "2030-02-30" is not a date or time: expected a date such as 2026-12-31 (to the end of that day, UTC) or a time of RFC 3339 with its zone, such as 2026-12-31T17:00:00Z',
    '[6].list: must be the name of a list such as offices, not "A B"',
    '[7].until: must be a string, not a number',
    `[8]: "owner" is not a field of a rule: a rule has ${RULE_FIELDS.join(', ')}`,
  ]);
});

test('the characters of a text that a transform spread are told as that, and no unknown rule is taken for one', () => {
  const characters = Array.from('[{"cidr":"10.0.0.0/8"}]');
  const more = { cidr: '10.0.0.0/8', action: 'allow' };
  for (const spread of [
    [...characters, more],
    Object.assign({}, characters, { '10.0.0.0/8': { action: 'allow' } }),
  ])
    expect(failures(spread)).toEqual([
      expect.stringContaining('[...JSON.parse(props.rules), { cidr, action }]'),
    ]);
  expect(readDeclaration([UNKNOWN, more]).failures).toBeUndefined();
});

test('in a map the path is the key, and a cidr beside it is one too many', () => {
  expect(
    failures({ '10.0.0.1/8': { action: 'deny' }, '192.0.2.0/24': { action: 'deny', cidr: '192.0.2.0/24' } }),
  ).toEqual([
    '["10.0.0.1/8"]: "10.0.0.1/8" has bits set after its first 8: did you mean 10.0.0.1/32 (1 address) or 10.0.0.0/8 (16,777,216 addresses)?',
    '["192.0.2.0/24"].cidr: is already given by the key of the map',
  ]);
});

test('more than twenty failures are counted', () => {
  const rules = Array.from({ length: 50 }, () => ({ cidr: 'nonsense', action: 'deny' }));
  const found = failures(rules);
  expect(found).toHaveLength(21);
  expect(found.at(-1)).toBe(': has 30 more failures that are not shown');
});

test.each([
  ...['7', 'null', '"text"', 'not JSON', '', '{"10.0.0.0/8":'],
  ...['@rules', '@rules\n10.0.0.0/8:  allow\n', '@rules\n10.0.0.0/8: permit\n'],
])('%s is refused as a whole', (text) => {
  expect(readDeclaration(text).failures).toEqual([
    { reason: expect.stringMatching('^must be a list of rules or a map from CIDR to rule') as string },
  ]);
});

test('keys that mean something to JavaScript mean nothing here', () => {
  expect(readDeclaration('{"__proto__":{"action":"deny"}}').failures).toHaveLength(1);
  expect(
    readDeclaration('[{"cidr":"10.0.0.0/8","action":"deny","__proto__":{"description":"x"}}]').failures,
  ).toHaveLength(1);
});

describe('rules as programs of other languages pass them, where no compiler has looked', () => {
  test('a value that is not known yet stays open, in a list and in a map', () => {
    const list = [{ cidr: UNKNOWN, action: 'allow' }, { cidr: '10.0.0.0/8', action: UNKNOWN }, UNKNOWN];
    expect(readDeclaration(list).value).toBe(
      '10.0.0.0/8: (unknown)\n(unknown 1): allow\n(unknown 2): (unknown)\n',
    );
    const map = { '10.0.0.0/8': { action: 'deny', description: UNKNOWN }, '192.0.2.0/24': UNKNOWN };
    expect(readDeclaration(map).value).toBe('10.0.0.0/8: deny (unknown)\n192.0.2.0/24: (unknown)\n');
  });

  test.each<[rules: unknown, reason: string]>([
    [[{ cidr: null, action: 'allow' }], '[0].cidr: is required'],
    [[{ cidr: '10.0.0.0/8', action: 5 }], '[0].action: must be a string, not a number'],
    [{ '10.0.0.0/8': 'allow' }, '["10.0.0.0/8"]: must be a rule with an action, not a string'],
    [{ '10.0.0.0/8': ['allow'] }, '["10.0.0.0/8"]: must be a rule with an action, not an array'],
  ])('%j is refused: %s', (rules, reason) => {
    expect(failuresIn(readDeclaration(rules))).toEqual([reason]);
  });
});
