// Short cuts for long lists: each gives what the long way gives.
import fc from 'fast-check';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { compareCidrs, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf } from 'pulumi-edge-policy/internal/values/cidr-set';
import { readPlan, renderPlan } from '../../../review/src';
import { rulesWithin, rulesWithinFew } from '../../../review/src/access/sorted-rules';
import type { VisibleRule } from '../../../review/src/model/declarations';
import { previewOf } from './preview-builder';
import { reviewed } from './reviewing';

const network = fc
  .constantFrom('0.0.0.0/0', '8.8.8.0/24', '8.8.8.0/25', '8.8.8.128/25', '10.0.0.0/8', '10.1.0.0/16', '::/0')
  .chain((text) => fc.constantFrom(text, '10.255.255.255/32', '11.0.0.0/8', '2001:db8::/32', 'fc00::/7'));
const cidrOf = (text: string): Cidr => {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.cidr;
};

test('looking up the ranges of a set finds the rules that a walk through all of them finds', () => {
  fc.assert(
    fc.property(fc.array(network), fc.array(network, { maxLength: 4 }), (texts, within) => {
      const origin = { urn: 'urn', name: 'set', type: 'IpPolicyRuleSet' as const };
      const rules = texts
        .map((text): VisibleRule => ({ origin, property: '', cidr: cidrOf(text), action: 'allow' }))
        .sort((left, right) => compareCidrs(left.cidr, right.cidr));
      const set = cidrSetOf(within.map(cidrOf));
      expect(rulesWithinFew(rules, set)).toEqual(rulesWithin(rules, set));
    }),
    { numRuns: 1000 },
  );
});

const line = fc
  .tuple(
    fc.constantFrom('8.8.8.0/24', '9.9.9.9/32', '10.0.0.0/8', '2001:db8::/32', '(unknown 1)'),
    fc.constantFrom('allow', 'deny', '(unknown)'),
    fc.constantFrom(
      '',
      ' "office"',
      ' "a\\"b"',
      ' "$1 $& allow"',
      ' metadata "x"',
      ' "\u2028 8.8.4.4/32 deny"',
    ),
  )
  .map(([key, action, rest]) => `${key} ${action}${rest}`);
const side = fc.record({
  rules: fc.uniqueArray(line).map((lines) => ['@rules', ...lines, ''].join('\n')),
  ipPolicyId: fc.constantFrom('ipp_1', 'ipp_$1"', '[secret]'),
  exclusive: fc.boolean(),
});

// Reading a plan checks its hash against what the items in the file say.
test('the hash of a set, made from its text, is that of its items', () => {
  fc.assert(
    fc.property(side, side, (before, after) => {
      const set = { type: 'IpPolicyRuleSet', name: 'set', before, after } as const;
      const { plan } = reviewed(previewOf(set)).plan;
      expect(readPlan(renderPlan(plan), 'plan.json').hash).toBe(plan.hash);
    }),
    { numRuns: 500 },
  );
});
