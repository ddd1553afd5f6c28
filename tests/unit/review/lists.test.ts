import { renderText } from '../../../review/src';
import { kept, type MadeResource, previewOf, rule, ruleSet, setInputs } from './preview-builder';
import { reviewed } from './reviewing';

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
  (
    renderText(reviewed(previewOf(...sets(before, after))), { hasColours: false }).split(
      'Findings, and',
    )[0] ?? ''
  )
    .split('\n')
    .filter((line) => line.startsWith('- '));

const PORTO = "9.9.9.0/24: allow 'Porto' list offices";

test('one network more in a list that four policies share is one line, which names them, and a finding for each', () => {
  expect(effects([], [PORTO])).toEqual([
    '- MEDIUM In IPv4, "9.9.9.0/24" (256 addresses) can get in and could not before. · "one", "two", "three" and 1 more',
  ]);
  const { findings } = reviewed(previewOf(...sets([], [PORTO])));
  expect(findings.filter(({ id }) => id === 'access-widened')).toHaveLength(4);
});

test('a rule that only moves into a list, or to another one, affects nobody', () => {
  for (const [before, after] of [
    ["9.9.9.0/24: allow 'Porto'", PORTO],
    [PORTO, PORTO.replace('offices', 'branches')],
  ] as const) {
    const { verdict } = reviewed(previewOf(...sets([before], [after])));
    expect(verdict).toMatchObject({ affectsAccess: false, outcome: 'clear' });
  }
});
