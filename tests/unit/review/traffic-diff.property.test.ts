// Rules with names of their own are paired by these, whatever else is there.
import fc from 'fast-check';
import { diffTrafficRules } from '../../../review/src/traffic-policy/diff-traffic-rules';
import type { TrafficRule } from '../../../review/src/traffic-policy/traffic-rules';
import { readTrafficRules } from '../../../review/src/traffic-policy/traffic-rules';

const body = fc.record({
  expressions: fc.constantFrom<unknown>([], ['a'], ['b'], ['a', 'b'], 'a'),
  actions: fc.constantFrom<unknown>(
    [],
    [{ type: 'deny' }],
    [{ type: 'log', config: { b: 1, a: 2 } }],
    [{ config: { a: 2, b: 1 }, type: 'log' }],
  ),
});
const rules = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), body)
    .map(([name, parts]) => ({ name, ...parts })),
  { selector: ({ name }) => name, maxLength: 7 },
);

const namesake = { name: 'namesake', expressions: ['namesake'], actions: [] };
const read = (inbound: readonly object[]): readonly TrafficRule[] =>
  readTrafficRules(JSON.stringify({ inbound })) ?? [];

const changesOf = (before: readonly object[], after: readonly object[]) =>
  diffTrafficRules(read(before), read(after)).map((change) => ({
    kind: change.kind,
    before: 'before' in change ? change.before.name : undefined,
    after: 'after' in change ? change.after.name : undefined,
  }));

test('rules with names of their own change as they do beside namesakes', () => {
  fc.assert(
    fc.property(rules, rules, (before, after) => {
      expect(changesOf(before, after)).toEqual(
        changesOf([...before, namesake, namesake], [...after, namesake, namesake]),
      );
    }),
    { numRuns: 2000 },
  );
});
