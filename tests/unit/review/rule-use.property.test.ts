// What a log says of each rule: against brute force, which asks for every client whether it gets in with and without each rule.
import fc from 'fast-check';
import { IP_MODELS } from '../../../review/src';
import { ruleUses } from '../../../review/src/traffic/rule-use';
import { logOf } from './made-log';
import { actionsFor, getsIn, isInNetwork } from './oracle/addresses';
import { cidrOf } from './pinned-feeds';

/** One of 16 addresses of a family, or a network of them with so many more bits. */
const placeOf = (is6: boolean, at: number, bits = 4): string => {
  const first = at - (at % 2 ** (4 - bits));
  return is6 ? `2001:db8::${first.toString(16)}/${124 + bits}` : `192.0.2.${first}/${28 + bits}`;
};
const rule = fc.record({
  action: fc.constantFrom('allow' as const, 'deny' as const),
  cidr: fc.tuple(fc.boolean(), fc.nat(15), fc.nat(4)).map((place) => placeOf(...place)),
});
const client = fc.record({
  network: fc.tuple(fc.boolean(), fc.nat(15)).map((place) => placeOf(...place)),
  requests: fc.integer({ min: 1, max: 9 }),
  lastSeen: fc.option(
    fc.integer({ min: 10, max: 28 }).map((day) => `2026-06-${day}`),
    { nil: undefined },
  ),
});

test.each(IP_MODELS)('%s: requests, clients, times, and for whom one rule alone decides', (model) => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.array(client, { maxLength: 20 }), (rules, clients) => {
      const used = ruleUses(
        rules.map(({ action, cidr }) => ({ action, cidr: cidrOf(cidr) })),
        logOf(clients).clients,
        model,
      );
      const isIn = (some: typeof rules, ip: string) => getsIn(actionsFor(some, ip), model);
      const expected = rules.map((each, place) => {
        const own = clients
          .map((one) => ({ ...one, ip: one.network.replace(/\/.*/, '') }))
          .filter(({ ip }) => isInNetwork(ip, each.cidr));
        const times = own.flatMap(({ lastSeen }) => (lastSeen === undefined ? [] : Date.parse(lastSeen)));
        const without = rules.filter((_other, at) => at !== place);
        return {
          clients: own.length,
          requests: own.reduce((sum, { requests }) => sum + requests, 0),
          needed: own.filter(({ ip }) => isIn(rules, ip) !== isIn(without, ip)).length,
          firstSeenMs: times.length === 0 ? -1 : Math.min(...times),
          lastSeenMs: times.length === 0 ? -1 : Math.max(...times),
        };
      });
      expect(used).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});
