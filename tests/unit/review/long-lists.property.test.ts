// Short cuts for long lists: each gives what the long way gives.
import fc from 'fast-check';
import { readPlan, renderPlan } from '../../../review/src';
import { previewOf, ruleSet } from './preview-builder';
import { reviewed } from './reviewing';

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
      const set = ruleSet('set', { before, after });
      const { plan } = reviewed(previewOf(set)).plan;
      expect(readPlan(renderPlan(plan), 'plan.json').hash).toBe(plan.hash);
    }),
    { numRuns: 500 },
  );
});
