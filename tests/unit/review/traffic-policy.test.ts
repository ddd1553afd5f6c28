// Which rules of a traffic policy change, and what no evaluator may take for "no effect".
import { touches } from '../../../review/src/access/cidr-set';
import type { TrafficRule } from '../../../review/src/traffic-policy/traffic-rules';
import { diffTrafficRules, readTrafficRules } from '../../../review/src/traffic-policy/traffic-rules';
import { cidrOf } from './pinned-feeds';
import { tcp } from './preview-builder';
import { denyIf, edgeInputs, within } from './inputs';
import { newIds, reviewed, told } from './reviewing';

const deny = (name: string, expression = name) => ({ ...denyIf(expression), name });
const read = (inbound: readonly object[]): readonly TrafficRule[] =>
  readTrafficRules(JSON.stringify({ inbound })) ?? [];
/** `a b=x`: rules by their names, of which the second has another expression than its name. */
const rulesIn = (text: string) => text.split(' ').map((rule) => deny(...(rule.split('=') as [string])));
const changesOf = (before: readonly object[], after: readonly object[]) =>
  diffTrafficRules(read(before), read(after)).map((change) => ({
    kind: change.kind,
    before: 'before' in change ? change.before.name : undefined,
    after: 'after' in change ? change.after.name : undefined,
  }));

test.each<[fact: string, before: string, after: string, found: string[]]>([
  ['nothing', 'a a b', 'a a b', []],
  ['a rule that comes, and the others make room', 'a b', 'c a b', ['added c']],
  ['a rule that goes', 'a b c', 'a c', ['removed b']],
  ['other content', 'a b', 'a b=x', ['changed b']],
  ['all rules between the old and the new place', 'a b c d e', 'a c b d e', ['moved b', 'moved c']],
  ['another name for the same content', 'a b', 'a z=b', ['changed z']],
  ['that of equal ones the last goes, and others keep their order', 'a b a c a', 'a b a c', ['removed a']],
  ['each, of a rule both moved and changed', 'a b', 'b a=x', ['moved a', 'moved b', 'changed a']],
])('a difference is %s', (_fact, before, after, found) => {
  const changes = changesOf(rulesIn(before), rulesIn(after));
  expect(changes.map(({ kind, before: old, after: now }) => `${kind} ${now ?? old ?? ''}`)).toEqual(found);
});

test('the order of keys is no difference, and rules that share a name are matched by their content first', () => {
  expect(changesOf([{ name: 'a', expressions: ['x'] }], [{ expressions: ['x'], name: 'a' }])).toEqual([]);
  const [one, two] = [deny('same', 'x1'), deny('same', 'x2')];
  expect(diffTrafficRules(read([one, two]), read([two]))).toMatchObject([
    { kind: 'removed', before: { expressions: ['x1'] } },
  ]);
});

test('phases are compared apart', () => {
  const sides = [
    { inbound: [deny('a')], outbound: [deny('b')] },
    { inbound: [deny('b')], outbound: [deny('a')] },
  ].map((document) => readTrafficRules(JSON.stringify(document)) ?? []);
  const kinds = diffTrafficRules(sides[0] ?? [], sides[1] ?? []).map(({ kind }) => kind);
  expect(kinds).toEqual(['added', 'removed', 'added', 'removed']);
});

test.each(['', 'null', '[]', '{"inbound":{}}', '{"inbound":[1]}', '{"inbound":'])(
  '%j is no policy to compare',
  (value) => {
    expect(readTrafficRules(value)).toBeUndefined();
  },
);

const moduleOf = (value: string) => ({ ...edgeInputs(), value });
const reviewOf = (before: string, after: string) =>
  reviewed([tcp('tcp', { before: moduleOf(before), after: moduleOf(after) })]);
const document = (...inbound: object[]) => JSON.stringify({ inbound });

test.each<[conditions: string, rules: readonly object[], who: string]>([
  [
    'a country and an address',
    [denyIf("conn.geo.country_code == 'RU'"), denyIf(within('192.0.2.66/32'))],
    'everyone whom its conditions kept out can get in, at least "192.0.2.66/32" (1 address)',
  ],
  [
    'a country',
    [denyIf("conn.geo.country_code == 'RU'")],
    'everyone whom its conditions kept out can get in',
  ],
])('a policy of %s that goes no longer keeps out whom it may have kept out', (_conditions, rules, who) => {
  const report = reviewed([tcp('tcp', { before: edgeInputs(...rules) })]);
  const reason = `Nothing keeps anyone out of "edgtcp_1" any more: ${who}.`;
  expect(told(report, 'protection-lost')).toEqual([`high protection-lost: ${reason}`]);
});

test.each([5_000, 100_000])('a document nested %d deep is not decidable, and no stack trace', (depth) => {
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const config = `{"inbound":[{"name":"a","actions":[{"type":"deny","config":{"x":${nested}}}]}]}`;
  for (const document of [nested, `{"inbound":${nested}}`, config, `@policy\n${nested}\n`])
    expect(reviewOf('{}', document).verdict).toMatchObject({ outcome: 'not-decidable', affectsAccess: true });
});

test.each([
  "conn.geo['country_code'] == 'RU'",
  'a.?b',
  '[1, 2].map(x, x * 2).size() > 1',
  "b'abc' == b'abc'",
  "{'a': 1}['a'] == 1",
  "timestamp('2020-01-01T00:00:00Z') < now",
  'cel.bind(x, 1, x == 1)',
  'MyType{a: 1}.a == 1',
  "conn.client_ip.matches('^9')",
  '1 ? 2 : 3',
  '((((',
  '',
])('an expression that is not understood is never called without effect: %s', (expression) => {
  const withIt = document(deny('made', expression));
  for (const [before, after] of [
    ['{}', withIt],
    [withIt, '{}'],
  ] as const)
    expect(reviewOf(before, after).verdict.affectsAccess).toBe(true);
});

test('of too many cases, one of two equal rules with a condition that changes by itself may have kept others out', () => {
  const now = deny('now', `${within('9.9.9.0/24')} && now > conn.ts`);
  const many = Array.from({ length: 40 }, (_, index) =>
    deny(`${index}`, `${within(`8.8.${index}.0/24`)} && conn.geo.x${index} == 'a'`),
  );
  const report = reviewOf(document(now, { ...now, name: 'again' }, ...many), document(now, ...many));
  const [access] = report.accesses;
  expect(access?.of === 'addresses' && touches(access.gained.possibly, cidrOf('9.9.9.0/24'))).toBe(true);
});

test('findings: each change once, and nothing for what was there before', () => {
  const [a, b, c, d] = rulesIn('a b c d');
  const all = { name: 'all', actions: [{ type: 'deny' }] };
  const ids = (before: string, after: string) => newIds(reviewOf(before, after)).sort();
  const [old, now] = [
    document(a ?? {}, b ?? {}, c ?? {}, d ?? {}),
    document(...rulesIn('d a b=x new'), all, a ?? {}),
  ];
  expect(ids(old, now)).toEqual([
    'nobody-let-in',
    ...Array.from({ length: 6 }, () => 'traffic-rule-changed'),
  ]);
  expect(ids(now, now)).toEqual([]);
  expect(ids(old, '"text"')).toEqual(['traffic-policy-unreadable', 'value-hidden']);
});
