import { hosts, RuleSetDriver } from './driver';

// The CLI prints all rules of a text that it can read as YAML, and only changed lines below a first line that is none.
const LINES = '10.0.0.0/32: allow\n10.0.0.1/32: allow\n';
const rules = hosts(2);

const textsOf = ({ kept }: RuleSetDriver): unknown[] => [kept?.inputs['rules'], kept?.outs['rules']];

test('a new set has no first line, and keeps its text as long as nothing changes', async () => {
  const set = await RuleSetDriver.applied(rules);
  expect(textsOf(set)).toEqual([LINES, LINES]);
  expect(await set.up(rules)).toBe(false);
  await set.refresh();
  expect(textsOf(set)).toEqual([LINES, LINES]);
});

test('any change of the set brings the first line, which stays', async () => {
  const set = await RuleSetDriver.applied(rules);
  expect(await set.check([...rules, ...hosts(1, 'deny', 2)])).toMatchObject({
    rules: `@rules\n${LINES}10.0.0.2/32: deny\n`,
  });
  await set.up(rules, { exclusive: true });
  expect(textsOf(set)).toEqual([`@rules\n${LINES}`, `@rules\n${LINES}`]);
  await set.refresh();
  expect(await set.up(rules, { exclusive: true })).toBe(false);
  expect(textsOf(set)).toEqual([`@rules\n${LINES}`, `@rules\n${LINES}`]);
});

test('drift brings the first line: the next preview shows only what differs', async () => {
  const set = await RuleSetDriver.applied(rules);
  set.emulator.remote.updateRule(set.ids['10.0.0.1/32'] ?? '', { description: 'by hand' });
  await set.refresh();
  const drifted = `@rules\n10.0.0.0/32: allow\n10.0.0.1/32: allow 'by hand'\n`;
  expect(textsOf(set)).toEqual([drifted, drifted]);
  expect(await set.check(rules)).toMatchObject({ rules: `@rules\n${LINES}` });
});

const wide = [
  { cidr: '11.0.0.0/8', action: 'deny' as const },
  { cidr: '12.0.0.0/6', action: 'allow' as const },
  { cidr: '2000::/3', action: 'allow' as const, description: 'everyone' },
];

test('a new set of more than 200 rules keeps the first line, and a warning says what the preview does not show', async () => {
  const set = await RuleSetDriver.start();
  await set.check([...hosts(197), ...wide]);
  expect(set.warnings).toEqual([]);
  await set.up([...hosts(198), ...wide]);
  expect(set.warnings).toEqual([
    expect.stringContaining(
      'rules: a plain preview shows the first two of these 201 rules. The widest that allow are 2000::/3, 12.0.0.0/6, 10.0.0.0/32.',
    ),
  ]);
  expect(String(set.kept?.inputs['rules'])).toMatch(/^@rules\n/);
  await set.up([...hosts(199), ...wide]);
  expect(set.warnings).toEqual([]);
});

test('a new set whose rules are all left out is shown in full, too', async () => {
  const set = await RuleSetDriver.start();
  expect(await set.check(hosts(2).map((rule) => ({ ...rule, until: '2029-12-31' })))).toMatchObject({
    rules: 'left out 10.0.0.0/32: allow until 2029-12-31\nleft out 10.0.0.1/32: allow until 2029-12-31\n',
  });
});
