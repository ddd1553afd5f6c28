import { kept, ruleSet, type MadeResource } from './preview-builder';
import { rule, setInputs } from './inputs';
import { reviewed, textOf } from './reviewing';

// Every policy has an office, so that the lists are not all that lets somebody in.
const POLICIES = ['one', 'two', 'three', 'four'];
const sets = (before: readonly string[], after: readonly string[]): MadeResource[] =>
  POLICIES.flatMap((name, index) => {
    const ipPolicyId = `ipp_${index}`;
    const inputs = (lines: readonly string[]) => ({ ...setInputs(lines), ipPolicyId });
    return [
      kept(`office-${name}`, rule('8.8.8.0/24', 'allow', ipPolicyId)),
      ruleSet(name, { before: inputs(before), after: inputs(after) }),
    ];
  });

const effects = (before: readonly string[], after: readonly string[]): string[] =>
  (textOf(reviewed(sets(before, after))).split('Findings, and')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('- '));

const PORTO = "9.9.9.0/24: allow 'Porto' list offices";
const VENDOR = '9.9.9.9/32: allow until 2026-12-31 list exceptions';

test.each([
  [
    'one network more',
    [],
    [PORTO],
    /"offices": 1 network more, in 4 policies\. In IPv4, "9\.9\.9\.0\/24" .* · "one", "two", "three" and 1 more$/,
  ],
  ['one fewer', [PORTO], [], /"offices": 1 network fewer, in 4 policies\. /],
  ['a longer end', [VENDOR], [VENDOR.replace('2026', '2027')], /"exceptions": other ends, in 4 policies\. /],
  [
    'networks of two lists, so that no list alone is the cause',
    [],
    ['9.9.9.0/25: allow list offices', '9.9.9.128/25: allow list exceptions'],
    /^- MEDIUM In IPv4, "9\.9\.9\.0\/24"/,
  ],
])(
  '%s in a list that four policies share is one line, and a finding for each',
  (_fact, before, after, line) => {
    expect(effects(before, after).filter((each) => line.test(each))).toHaveLength(1);
    const { findings } = reviewed(sets(before, after));
    expect(findings.filter(({ id }) => id.startsWith('access-')).length % POLICIES.length).toBe(0);
  },
);

test('a rule that only moves into a list, or to another one, affects nobody', () => {
  for (const [before, after] of [
    ["9.9.9.0/24: allow 'Porto'", PORTO],
    [PORTO, PORTO.replace('offices', 'branches')],
  ] as const) {
    const { verdict } = reviewed(sets([before], [after]));
    expect(verdict).toMatchObject({ affectsAccess: false, outcome: 'clear' });
  }
});
