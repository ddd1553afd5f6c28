import fc from 'fast-check';
import { type Cidr, parseCidr } from '../../../provider/src/values/cidr';
import { touches } from '../../../review/src/access/cidr-set';
import { diffTrafficRules } from '../../../review/src/traffic-policy/diff-traffic-rules';
import { readTrafficRules } from '../../../review/src/traffic-policy/traffic-rules';
import type { TrafficRule } from '../../../review/src/traffic-policy/traffic-rules';
import { previewOf, tcp } from './preview-builder';
import { newIds, reviewed } from './reviewing';

interface MadeRule {
  readonly name?: string;
  readonly expressions?: readonly string[];
  readonly actions?: readonly { readonly type: string }[];
}

const deny = (name: string, ...expressions: string[]): MadeRule => ({
  name,
  expressions,
  actions: [{ type: 'deny' }],
});
const read = (rules: readonly MadeRule[]): readonly TrafficRule[] =>
  readTrafficRules(JSON.stringify({ inbound: rules })) ?? [];
const diff = (before: readonly MadeRule[], after: readonly MadeRule[]): string[] =>
  diffTrafficRules(read(before), read(after)).map((change) => {
    const name = change.kind === 'removed' ? change.before.name : change.after.name;
    return `${change.kind} ${name}`;
  });

const [a, b, c, d] = [deny('a', 'x1'), deny('b', 'x2'), deny('c', 'x3'), deny('d', 'x4')];

test('equal policies differ in nothing, whatever the order of their keys', () => {
  expect(diff([a, b], [a, b])).toEqual([]);
  expect(diff([{ name: 'a', expressions: ['x'] }], [{ expressions: ['x'], name: 'a' }])).toEqual([]);
});

test('added, removed, changed', () => {
  expect(diff([a, b], [a, b, c])).toEqual(['added c']);
  expect(diff([a, b, c], [a, c])).toEqual(['removed b']);
  expect(diff([a, b], [a, deny('b', 'other')])).toEqual(['changed b']);
});

test('moved: the one rule that was dragged elsewhere, not the many it has passed', () => {
  expect(diff([a, b, c, d], [d, a, b, c])).toEqual(['moved d']);
  expect(diff([a, b, c, d], [b, c, d, a])).toEqual(['moved a']);
  expect(diff([a, b], [b, a])).toHaveLength(1);
});

test('a rule that only makes room for another has not moved', () => {
  expect(diff([a, b], [c, a, b])).toEqual(['added c']);
  expect(diff([c, a, b], [a, b])).toEqual(['removed c']);
});

test('a rule of the same content under another name is renamed, not removed and added', () => {
  expect(diff([a, b], [a, { ...b, name: 'z' }])).toEqual(['changed z']);
});

test('rules that share a name are matched by their content first', () => {
  const [one, two] = [deny('same', 'x1'), deny('same', 'x2')];
  expect(diff([one, two], [two])).toEqual(['removed same']);
  expect(diffTrafficRules(read([one, two]), read([two]))).toMatchObject([
    { before: { expressions: ['x1'] } },
  ]);
});

test('a rule both moved and changed is reported as each', () => {
  expect(diff([a, b, c], [b, c, deny('a', 'other')])).toEqual(['moved a', 'changed a']);
});

test('phases are compared apart', () => {
  const before = readTrafficRules(JSON.stringify({ inbound: [a], outbound: [b] })) ?? [];
  const after = readTrafficRules(JSON.stringify({ inbound: [b], outbound: [a] })) ?? [];
  expect(diffTrafficRules(before, after).map((change) => change.kind)).toEqual([
    'added',
    'removed',
    'added',
    'removed',
  ]);
});

test('replaying a difference turns the old rules into the new ones', () => {
  const rules = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'));
  fc.assert(
    fc.property(rules, rules, (before, after) => {
      const make = (names: readonly string[]) => read(names.map((name) => deny(name, name)));
      const changes = diffTrafficRules(make(before), make(after));
      const gone = new Set(
        changes.flatMap((change) => (change.kind === 'removed' ? change.before.name : [])),
      );
      const moved = new Set(changes.flatMap((change) => (change.kind === 'moved' ? change.after.name : [])));
      const come = new Set(changes.flatMap((change) => (change.kind === 'added' ? change.after.name : [])));
      // What neither came, went nor moved keeps its order.
      expect(before.filter((name) => !gone.has(name) && !moved.has(name))).toEqual(
        after.filter((name) => !come.has(name) && !moved.has(name)),
      );
      expect([...before.filter((name) => !gone.has(name)), ...come].sort()).toEqual([...after].sort());
    }),
  );
});

test.each(['', 'null', '[]', '{"inbound":{}}', '{"inbound":[1]}', '{"inbound":'])(
  '%j is no policy to compare',
  (value) => {
    expect(readTrafficRules(value)).toBeUndefined();
  },
);

const moduleOf = (value: string) => ({ edgeId: 'edgtcp_1', enabled: true, value });
const reviewOf = (before: string, after: string) =>
  reviewed(previewOf(tcp('tcp', { before: moduleOf(before), after: moduleOf(after) })));

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
  const withIt = JSON.stringify({ inbound: [deny('made', expression)] });
  for (const [before, after] of [
    ['{}', withIt],
    [withIt, '{}'],
  ] as const)
    expect(reviewOf(before, after).verdict.affectsAccess).toBe(true);
});

test('of too many cases, one of two equal rules with a condition that changes by itself may have kept others out', () => {
  const now = deny('now', "inCidrRange(conn.client_ip, '9.9.9.0/24') && now > conn.ts");
  const many = Array.from({ length: 40 }, (_, index) =>
    deny(`${index}`, `inCidrRange(conn.client_ip, '8.8.${index}.0/24') && conn.geo.x${index} == 'a'`),
  );
  const document = (...rules: MadeRule[]) => JSON.stringify({ inbound: rules });
  const report = reviewOf(document(now, { ...now, name: 'again' }, ...many), document(now, ...many));
  const [access] = report.accesses;
  const { cidr } = parseCidr('9.9.9.0/24') as { cidr: Cidr };
  expect(access?.of === 'addresses' && touches(access.gained.possibly, cidr)).toBe(true);
});

test('what one phase refuses is refused whichever phase runs first, although another may admit others', () => {
  const forward = {
    expressions: ["inCidrRange(conn.client_ip, '8.8.8.0/24')"],
    actions: [{ type: 'forward' }],
  };
  const inbound = [deny('a', "inCidrRange(conn.client_ip, '9.9.9.0/24')")];
  const [access] = reviewOf('{}', JSON.stringify({ inbound, on_tcp_connect: [forward] })).accesses;
  const { cidr } = parseCidr('9.9.9.0/24') as { cidr: Cidr };
  expect(access?.of === 'addresses' && touches(access.after.possibly, cidr)).toBe(false);
});

test('findings: each change once, and nothing for what was there before', () => {
  const module = (...inbound: MadeRule[]) => ({
    edgeId: 'edgtcp_1',
    enabled: true,
    value: JSON.stringify({ inbound }),
  });
  const ids = (before: object, after: object) =>
    newIds(reviewed(previewOf(tcp('tcp', { before, after })))).sort();
  const all = { name: 'all', actions: [{ type: 'deny' }] };
  expect(ids(module(a, b, c, d), module(d, a, deny('b', 'other'), deny('new', 'n'), all, a))).toEqual([
    'nobody-let-in',
    ...Array.from({ length: 6 }, () => 'traffic-rule-changed'),
  ]);
  expect(ids(module(a, all, b), module(a, all, b))).toEqual([]);
  expect(ids(module(a), { edgeId: 'edgtcp_1', enabled: true, value: '"text"' })).toEqual([
    'not-decidable',
    'traffic-policy-unreadable',
  ]);
});
