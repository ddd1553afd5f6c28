import * as fc from 'fast-check';
import { mergeLists } from '../../../cli/src/grants/merge-lists';
import {
  type ListEntry,
  type ListFile,
  listFileText,
  LISTS_SCHEMA,
  type NamedList,
  parseListFile,
} from '../../../provider/src/lists/list-file';
import { canonicalCidr } from '../../../provider/src/values/cidr';

const network = fc
  .oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.nat(255).map((part) => `198.51.${part}.0/24`),
  )
  .map((text) => canonicalCidr(text));
const text = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((some) => some.trim() !== '');
const until = fc.constantFrom('2026-12-31', '2027-01-01T08:00:00Z', '2027-01-01T08:00:00.250Z');
const entry: fc.Arbitrary<ListEntry> = fc.record(
  { until, reason: text, owner: text, ticket: text },
  { requiredKeys: [] },
);
const list: fc.Arbitrary<NamedList> = fc.record({
  action: fc.constantFrom('allow', 'deny'),
  entries: fc.array(fc.tuple(network, entry), { maxLength: 8 }).map((entries) => new Map(entries)),
});
const NAMES = ['exceptions', 'offices', 'a-1'];
const file: fc.Arbitrary<ListFile> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), list), { selector: ([name]) => name, minLength: 1 })
  .map((lists) => ({ schema: LISTS_SCHEMA, lists: new Map(lists) }));

const printed = (content: ListFile): string => listFileText(content);
const withEntries = (content: ListFile, name: string, entries: readonly (readonly [string, ListEntry])[]) => {
  const { action = 'allow' as const, entries: own = new Map<string, ListEntry>() } =
    content.lists.get(name) ?? {};
  const added: NamedList = { action, entries: new Map([...own, ...entries]) };
  return { ...content, lists: new Map([...content.lists, [name, added]]) };
};

test('printing what was read gives the same text, with a line for each entry, whatever the entries say', () => {
  fc.assert(
    fc.property(file, (content) => {
      const canonical = printed(content);
      const read = parseListFile(canonical, 'lists.json');
      expect(printed(read)).toBe(canonical);
      // Layout and order do not count.
      expect(printed(parseListFile(JSON.stringify(JSON.parse(canonical)), 'lists.json'))).toBe(canonical);
      const entries = [...content.lists.values()].flatMap((one) => [...one.entries]);
      expect(
        canonical.split('\n').filter((line) => line.startsWith('    "') && line.endsWith('},')),
      ).toHaveLength(entries.length);
      expect(new Map([...read.lists].map(([name, one]) => [name, new Map(one.entries)]))).toEqual(
        new Map([...content.lists].map(([name, one]) => [name, new Map(one.entries)])),
      );
    }),
  );
});

test('disjoint additions merge to both, on whichever side they are, and removals stay removed', () => {
  fc.assert(
    fc.property(
      file,
      fc.uniqueArray(fc.tuple(network, entry), { selector: ([text]) => text, maxLength: 8 }),
      fc.nat(8),
      fc.constantFrom(...NAMES),
      (base, added, at, name) => {
        const fresh = added.filter(([one]) => base.lists.get(name)?.entries.has(one) !== true);
        const [left, right] = [fresh.slice(0, at), fresh.slice(at)];
        const ours = withEntries(base, name, left);
        // Theirs has lost the first entry of each list, too.
        const lost = [...base.lists].map(([own, { action, entries }]) => [
          own,
          { action, entries: new Map([...entries].slice(1)) },
        ]) as [string, NamedList][];
        const theirs = withEntries({ ...base, lists: new Map(lost) }, name, right);
        const expected = withEntries({ ...base, lists: new Map(lost) }, name, [...left, ...right]);
        for (const sides of [[ours, theirs] as const, [theirs, ours] as const]) {
          const { merged, conflicts } = mergeLists(base, ...sides);
          expect(conflicts).toEqual([]);
          expect(printed(merged)).toBe(printed(expected));
        }
      },
    ),
  );
});

test('an entry that both sides change is a conflict, unless they change it alike', () => {
  const empty: ListFile = { schema: LISTS_SCHEMA, lists: new Map() };
  const having = (said: string) => withEntries(empty, 'offices', [['192.0.2.0/24', { reason: said }]]);
  const merge = (ours: ListFile, theirs: ListFile) => mergeLists(having('old'), ours, theirs);
  expect(merge(having('one'), having('one')).conflicts).toEqual([]);
  const removed = withEntries(empty, 'offices', []);
  expect(merge(having('one'), removed).conflicts).toEqual([
    { list: 'offices', network: '192.0.2.0/24', ours: '{ "reason": "one" }', theirs: 'removed' },
  ]);
  expect(printed(merge(having('old'), removed).merged)).not.toContain('192.0.2.0');
});

test('whether a list allows or denies is never merged, and a list that one side has stays what it is there', () => {
  const doing = (action: 'allow' | 'deny', ...networks: readonly string[]): ListFile => {
    const entries = new Map(networks.map((one) => [one, {}] as const));
    return { schema: LISTS_SCHEMA, lists: new Map([['offices', { action, entries }]]) };
  };
  const none: ListFile = { schema: LISTS_SCHEMA, lists: new Map() };
  const [allowing, denying] = [doing('allow', '192.0.2.0/24'), doing('deny', '192.0.2.0/24')];
  const conflicts = [{ list: 'offices', ours: 'allow', theirs: 'deny' }];
  for (const base of [none, allowing, denying])
    expect(mergeLists(base, allowing, denying)).toMatchObject({ conflicts });
  for (const sides of [[none, denying] as const, [denying, none] as const])
    expect(mergeLists(none, ...sides)).toEqual({ merged: denying, conflicts: [] });
  // Whoever removes a list removes its entries; an entry that the other side adds keeps the list.
  expect(mergeLists(denying, none, denying).merged).toEqual(doing('deny'));
  expect(mergeLists(denying, none, doing('deny', '192.0.2.0/24', '203.0.113.0/24')).merged).toEqual(
    doing('deny', '203.0.113.0/24'),
  );
});
