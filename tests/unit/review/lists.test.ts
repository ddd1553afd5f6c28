import { renderJson, renderText } from '../../../review/src';
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
const VENDOR = '9.9.9.9/32: allow until 2026-12-31 list exceptions';

test('one network more in a list that four policies share is one line, which names the list', () => {
  const [line = '', ...others] = effects([], [PORTO]);
  expect(others).toEqual([]);
  expect(line).toContain(
    '"offices": 1 network more, in 4 policies. In IPv4, "9.9.9.0/24" (256 addresses) can get in',
  );
  expect(line).toMatch(/ · "one", "two", "three" and 1 more$/);
});

test.each([
  ['one fewer', [PORTO], [], '"offices": 1 network fewer, in 4 policies. '],
  ['a longer end', [VENDOR], [VENDOR.replace('2026', '2027')], '"exceptions": other ends, in 4 policies. '],
])('%s', (_name, before, after, words) => {
  expect(effects(before, after).filter((line) => line.includes('list') || line.includes(words))).toHaveLength(
    1,
  );
});

test('networks of two lists, or of none, are four lines: no list alone is the cause', () => {
  expect(effects([], ['9.9.9.0/25: allow list offices', '9.9.9.128/25: allow list exceptions'])).toHaveLength(
    4,
  );
  expect(effects([], ["9.9.9.0/24: allow 'Porto'"])).toHaveLength(4);
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

test('the findings stay one for each policy, and JSON names the list of each', () => {
  const { findings } = JSON.parse(renderJson(reviewed(previewOf(...sets([], [PORTO]))))) as {
    findings: { id: string; where: { list?: string } }[];
  };
  const widened = findings.filter(({ id }) => id === 'access-widened');
  expect(widened.map(({ where }) => where.list)).toEqual(POLICIES.map(() => 'offices'));
});
