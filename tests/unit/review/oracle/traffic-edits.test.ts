import fc from 'fast-check';
import type { CidrSet } from '../../../../review/src/access/cidr-set';
import { isEmptyCidrSet } from '../../../../review/src/access/cidr-set';
import { DEFAULT_ASSUMPTIONS } from '../../../../review/src/findings/assumptions';
import { attributeEdgeGain } from '../../../../review/src/traffic-policy/attribute-edge-gain';
import { ADDRESSES, holds, networkOf } from './addresses';
import { reviewedEdge } from './reviewed-edge';
import type { MadeRule } from './traffic-documents';
import { COUNTRIES } from './traffic-documents';
import type { Connection } from './traffic-oracle';
import { isAdmitted } from './traffic-oracle';

/** A rule of which one side may be missing; it has one name on both. */
interface Made {
  readonly before?: MadeRule;
  readonly after?: MadeRule;
}

const network = networkOf(29, 30, 31, 32).map((text) => `inCidrRange(conn.client_ip, '${text}')`);
const condition = fc.oneof(
  { weight: 6, arbitrary: network },
  network.map((one) => `!${one}`),
  network.map((one) => `${one} && conn.geo.country_code == 'DE'`),
  network.map((one) => `${one} || conn.geo.country_code == 'DE'`),
);
const rule = condition.map((one): MadeRule => ({
  name: '',
  expressions: [one],
  actions: [{ type: 'deny' }],
}));
const made: fc.Arbitrary<Made> = fc.oneof(
  rule.map((one) => ({ before: one })),
  rule.map((one) => ({ after: one })),
  rule.map((one) => ({ before: one, after: one })),
  fc.tuple(rule, rule).map(([before, after]) => ({ before, after })),
);
const changes = fc.array(made, { minLength: 1, maxLength: 6 }).map((list) =>
  list.map(({ before, after }, index) => ({
    ...(before && { before: { ...before, name: `rule ${index}` } }),
    ...(after && { after: { ...after, name: `rule ${index}` } }),
  })),
);

const inbound = (rules: readonly (MadeRule | undefined)[]): string =>
  JSON.stringify({ inbound: rules.filter((one) => one !== undefined) });

/** One stands for all the addresses that the rules do not tell apart. */
const CLIENTS = [...ADDRESSES, '8.8.8.8'];
const circumstances: Omit<Connection, 'ip'>[] = COUNTRIES.map((country) => ({ country }));

/** Whether an edited document keeps out who gained, wherever they come from, and lets in nobody else for sure. */
function isPrevented(before: string, edited: string, gained: CidrSet): boolean {
  return CLIENTS.every((ip) => {
    const gains = circumstances.map(
      (other) => isAdmitted(edited, true, { ip, ...other }) && !isAdmitted(before, true, { ip, ...other }),
    );
    return !gains.every(Boolean) && (!holds(gained, ip) || !gains.some(Boolean));
  });
}

test('the rule of a traffic policy that is said to prevent a gain prevents it', () => {
  let edits = 0;
  fc.assert(
    fc.property(changes, (all) => {
      const [before, after] = [inbound(all.map((one) => one.before)), inbound(all.map((one) => one.after))];
      const { access, sides } = reviewedEdge(before, after);
      const gained = access.gained.surely;
      if (isEmptyCidrSet(gained)) return;
      const { edit } = attributeEdgeGain(sides, gained, DEFAULT_ASSUMPTIONS);
      if (!edit) return;
      const edited = inbound(
        all.map((one, index) => (edit.rule.name === `rule ${index}` ? one.before : one.after)),
      );
      expect(isPrevented(before, edited, gained)).toBe(true);
      edits += 1;
    }),
    { numRuns: 800 },
  );
  expect(edits).toBeGreaterThan(100);
});
