import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { rulesFrom } from '../../../provider/src';
import { rulesOfLists } from '../../../provider/src/lists/rules-of-lists';
import { folderOf } from '../../support/folder';
import { textOf } from '../../support/workspace';

const fileWith = (content: string | object): string => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return path.join(folderOf({ 'lists.json': text }), 'lists.json');
};

const lists = {
  offices: {
    '203.0.113.0/24': { reason: 'Amsterdam', owner: 'it' },
    '2001:db8:40::/48': {},
    action: 'allow',
  },
  exceptions: {
    '198.51.100.7/32': { until: '2026-12-31', reason: 'vendor on call', owner: 'Ada', ticket: 'OPS-7' },
    '203.0.113.0/24': { until: '2026-11-30' },
    action: 'allow',
  },
};

const problemsOf = (file: string, options: Parameters<typeof rulesFrom>[1] = {}): string => {
  try {
    rulesFrom(file, options);
    return 'none';
  } catch (error) {
    return (error as Error).message.replaceAll(file, 'lists.json');
  }
};

test('the rules of a list: texts, end and list, in the order of their networks', () => {
  expect(rulesFrom(fileWith(lists), { list: 'exceptions' })).toEqual([
    {
      cidr: '198.51.100.7/32',
      action: 'allow',
      description: 'vendor on call',
      metadata: '{"owner":"Ada","ticket":"OPS-7"}',
      until: '2026-12-31',
      list: 'exceptions',
    },
    { cidr: '203.0.113.0/24', action: 'allow', until: '2026-11-30', list: 'exceptions' },
  ]);
});

test('several lists have one rule for a network, the one that lasts longest', () => {
  const file = fileWith(lists);
  const all = rulesFrom(file);
  expect(all.map(({ cidr, list }) => `${cidr} ${list}`).sort()).toEqual([
    '198.51.100.7/32 exceptions',
    '2001:db8:40::/48 offices',
    '203.0.113.0/24 offices',
  ]);
  expect(rulesFrom(file, { list: ['exceptions', 'offices'] })).toEqual(expect.arrayContaining(all));
});

test.each([
  ['no JSON', '{ "offices": { "action": "allow", } }', /^lists\.json: is not JSON.*line 1/],
  [
    'a merge',
    '<<<<<<< HEAD\n',
    /^lists\.json has the conflict markers of a merge: edit the file so that it has each entry that shall stay, once\.$/,
  ],
  [
    'one network twice',
    '{ "a": { "192.0.2.0/24": {}, "192.0.2.0/24": {}, "action": "allow" } }',
    /^lists\.json: repeats a key .* at line 1, column 30\.$/,
  ],
  [
    'an address without its length',
    { a: { '192.0.2.1': {}, action: 'allow' } },
    'lists.json, line 1: lists.a["192.0.2.1"]: must be written "192.0.2.1/32".',
  ],
  [
    'the line of the entry',
    '{\n  "a": { "192.0.2.2/32": {}, "action": "allow" },\n  "b": {\n    "192.0.2.2": {},\n    "action": "allow"\n  }\n}',
    'lists.json, line 4: lists.b["192.0.2.2"]: must be written "192.0.2.2/32".',
  ],
  [
    'a misspelt end, which would never end',
    { a: { '192.0.2.1/32': { untill: '2026-12-31' }, action: 'allow' } },
    'lists.json, line 1: lists.a["192.0.2.1/32"] has the unknown key "untill"; its keys are until, reason, owner, ticket.',
  ],
  [
    'an end in another zone',
    { a: { '192.0.2.1/32': { until: '2026-12-31T10:00:00+01:00' }, action: 'allow' } },
    'lists.json, line 1: lists.a["192.0.2.1/32"].until: must be written "2026-12-31T09:00:00Z".',
  ],
  ['an action', { a: { action: 'permit' } }, /^lists\.json, line 1: lists\.a\.action: "permit" .*allow/],
  [
    'a name',
    { Offices: { action: 'allow' } },
    /^lists\.json, line 1: lists\.Offices: the name of a list consists of/,
  ],
  [
    'a long reason',
    { a: { '192.0.2.1/32': { reason: 'x'.repeat(256) }, action: 'allow' } },
    /^lists\.json, line 1: lists\.a\["192\.0\.2\.1\/32"\]\.reason: .*255/,
  ],
  [
    'two lists that disagree',
    { a: { '192.0.2.1/32': {}, action: 'allow' }, b: { '192.0.2.1/32': {}, action: 'deny' } },
    'lists.json: 192.0.2.1/32 is in the list "a", which has "action": "allow", and in "b", which has "deny": remove it from one of them.',
  ],
])('%s: the error names file, list, entry and what to write', (_name, content, expected) => {
  expect(problemsOf(fileWith(content))).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
});

test('a byte order mark is skipped, and another encoding refused', () => {
  const file = fileWith(`\ufeff${JSON.stringify(lists)}`);
  expect(rulesFrom(file)).toHaveLength(3);
  writeFileSync(
    file,
    Buffer.from(
      JSON.stringify({ a: { '192.0.2.1/32': { reason: 'K\u00f6ln' }, action: 'allow' } }),
      'latin1',
    ),
  );
  expect(problemsOf(file)).toBe('lists.json is not UTF-8: save it as UTF-8.');
});

test('a list or a file that is not there is named, with those that are', () => {
  expect(problemsOf(fileWith(lists), { list: 'office' })).toBe(
    'lists.json: there is no list "office"; the file has offices, exceptions.',
  );
});

test.each([[[]], [['offices', 'exceptions']]])(
  'a file that is not there: its first content, with the lists %j',
  (list) => {
    const said = problemsOf('nowhere.json', { list });
    const [, content = ''] =
      /^There is no file "lists\.json": .* with this content: (.*)\.$/.exec(said) ?? [];
    expect(rulesFrom(fileWith(content), { list })).toEqual([]);
  },
);

test('the schema for editors takes what is read, and refuses what is not', () => {
  const schema = JSON.parse(textOf('provider/schemas/lists-1.json')) as object;
  const isValid = new Ajv2020().compile(schema);
  expect(isValid({ $schema: 'lists-1.json', ...lists })).toBe(true);
  for (const entry of [{ untill: '2026-12-31' }, { until: 'tomorrow' }, { reason: '' }])
    expect(isValid({ a: { '192.0.2.1/32': entry, action: 'allow' } })).toBe(false);
  expect(isValid({ a: { '192.0.2.1': {}, action: 'allow' } })).toBe(false);
  expect(isValid({ a: { '192.0.2.1/32': {} } })).toBe(false);
});

test('a network that is a whole address family is named in a warning, with its list', () => {
  const content = {
    offices: { action: 'allow', '0.0.0.0/0': {}, '203.0.113.0/24': {} },
    bots: { action: 'deny', '::/0': {} },
  };
  const lines: string[] = [];
  expect(rulesOfLists(fileWith(content), [], (line) => lines.push(line))).toHaveLength(3);
  expect(lines.map((line) => line.replace(/^.*lists\.json/, 'lists.json'))).toEqual([
    'lists.json: 0.0.0.0/0 in the list "offices" is every address of IPv4. Unless you mean that, correct its prefix length.',
    'lists.json: ::/0 in the list "bots" is every address of IPv6. Unless you mean that, correct its prefix length.',
  ]);
});
