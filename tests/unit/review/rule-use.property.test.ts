// What a log says of each rule: against brute force, which asks for every client whether it gets in with and without each rule.
import fc from 'fast-check';
import { IP_MODELS } from '../../../review/src';
import { ruleUses } from '../../../review/src/traffic/rule-use';
import { logOf } from './made-log';
import { cidrOf } from './pinned-feeds';

/** The rules of docs/review-assumptions.md, from its words. */
const GETS_IN: Readonly<Record<(typeof IP_MODELS)[number], (allows: number, denies: number) => boolean>> = {
  'deny-wins': (allows, denies) => allows > 0 && denies === 0,
  'block-list': (_allows, denies) => denies === 0,
  'allow-wins': (allows) => allows > 0,
  'allow-overrides': (allows, denies) => allows > 0 || denies === 0,
};

const rule = fc
  .record({
    action: fc.constantFrom('allow' as const, 'deny' as const),
    at: fc.nat(15),
    bits: fc.nat(4),
    is6: fc.boolean(),
  })
  .map(({ at, ...rest }) => ({ ...rest, first: at - (at % 2 ** (4 - rest.bits)) }));
const client = fc.record({
  at: fc.nat(15),
  is6: fc.boolean(),
  requests: fc.integer({ min: 1, max: 9 }),
  day: fc.option(fc.integer({ min: 1, max: 28 })),
});
type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Rule = Drawn<typeof rule>;
type Client = Drawn<typeof client>;

const networkOf = ({ first, bits, is6 }: Rule): string =>
  is6 ? `2001:db8::${first.toString(16)}/${124 + bits}` : `192.0.2.${first}/${28 + bits}`;
const addressOf = ({ at, is6 }: Client): string =>
  is6 ? `2001:db8::${at.toString(16)}/128` : `192.0.2.${at}/32`;
const matches = ({ first, bits, is6 }: Rule, of: Client): boolean =>
  is6 === of.is6 && of.at >= first && of.at < first + 2 ** (4 - bits);
const dayOf = (day: number): string => `2026-06-${String(day).padStart(2, '0')}`;

test.each(IP_MODELS)('%s: requests, clients, times, and for whom one rule alone decides', (model) => {
  const isIn = (rules: readonly Rule[], of: Client): boolean => {
    const matching = rules.filter((each) => matches(each, of));
    const denies = matching.filter(({ action }) => action === 'deny').length;
    return GETS_IN[model](matching.length - denies, denies);
  };
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.array(client, { maxLength: 20 }), (rules, clients) => {
      const log = logOf(
        clients.map((each) => ({
          network: addressOf(each),
          requests: each.requests,
          ...(each.day !== null && { lastSeen: dayOf(each.day) }),
        })),
      );
      const used = ruleUses(
        rules.map((each) => ({ action: each.action, cidr: cidrOf(networkOf(each)) })),
        log.clients,
        model,
      );
      const expected = rules.map((each, place) => {
        const own = clients.filter((one) => matches(each, one));
        const times = own.flatMap(({ day }) => (day === null ? [] : Date.parse(dayOf(day))));
        const without = rules.filter((_other, at) => at !== place);
        return {
          clients: own.length,
          requests: own.reduce((sum, { requests }) => sum + requests, 0),
          needed: own.filter((one) => isIn(rules, one) !== isIn(without, one)).length,
          firstSeenMs: times.length === 0 ? -1 : Math.min(...times),
          lastSeenMs: times.length === 0 ? -1 : Math.max(...times),
        };
      });
      expect(used).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});
