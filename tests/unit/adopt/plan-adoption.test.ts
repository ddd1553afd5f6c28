import { generateProgram } from '../../../cli/src/adopt/generate';
import { planAdoption } from '../../../cli/src/adopt/plan-adoption';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { liveRule, nothingThere, withModules, withRules } from './support/live';

const modules = withModules(
  { enabled: true, value: '{"inbound":[]}' },
  { enabled: false, allow: [], deny: ['bot'] },
);

test('plan: names come out the same whatever order the service lists rules in', () => {
  const rules = [
    liveRule('10.1.0.0/16'),
    liveRule('2001:db8::/32'),
    liveRule('10.0.0.0/8'),
    liveRule('10.0.0.0/16'),
  ];
  const names = (listed: typeof rules): string[] =>
    planAdoption(withRules(listed), nothingThere).adoptions.map(({ name }) => name);
  expect(names(rules)).toEqual([
    'allow-10.0.0.0-8',
    'allow-10.0.0.0-16',
    'allow-10.1.0.0-16',
    'allow-2001-db8-32',
  ]);
  expect(names([...rules].reverse())).toEqual(names(rules));
});

test('plan: a set has an id of its own, the same at each run and another for other rules', () => {
  const [one, other] = [liveRule('10.0.0.0/8'), liveRule('10.1.0.0/16')];
  const idOf = (rules: readonly ServiceRule[]): string | undefined =>
    planAdoption(withRules(rules), nothingThere, 'set').adoptions[0]?.id;
  expect(idOf([one])).toMatch(new RegExp(`^${policyId}/[0-9a-f]{12}$`));
  expect(idOf([one, other])).toBe(idOf([other, one]));
  expect(idOf([one])).not.toBe(idOf([other]));
});

test.each([
  ['half a character', liveRule('10.0.0.0/8', { description: 'a\ud800' }), /lone surrogate/],
  ['a policy id of another kind', liveRule('10.0.0.0/8', { policyId: 'pol_1' }), /is not an IP policy id/],
])('plan: a rule with %s cannot be declared, and the reason is given', (_what, rule, reason) => {
  for (const form of ['rules', 'set'] as const) {
    const plan = planAdoption(withRules([rule]), nothingThere, form);
    expect(plan.adoptions).toEqual([]);
    expect(plan.notAdoptable).toMatchObject([
      { id: rule.id, reason: expect.stringMatching(reason) as string },
    ]);
  }
});

test('generated program: only what differs from the defaults is said of a module', () => {
  const { adoptions } = planAdoption(modules, nothingThere);
  const program = generateProgram(adoptions, {});
  expect(program).toContain(`// Traffic policy of TCP edge ${tcpEdgeId}
new TcpEdgeTrafficPolicyModule("tcp-edge-yJd1FsGa", {
  edgeId: "${tcpEdgeId}",
  value: { inbound: [] },
});`);
  expect(program).toContain('  enabled: false,\n  deny: ["bot"],\n');
  expect(program).not.toContain('allow');
});

test('generated program: the rules of a set have a line each, with texts that are seen as they are', () => {
  const rules = [
    liveRule('10.0.0.0/8', { description: 'Büro, "a"\u200b\n`${b}` 日本 😀' }),
    liveRule('10.1.0.0/16', { action: 'deny' }),
  ];
  const { adoptions } = planAdoption(withRules(rules), nothingThere, 'set');
  expect(generateProgram(adoptions, {})).toContain(`{
  ipPolicyId: "${policyId}",
  rules: {
    "10.0.0.0/8": { action: "allow", description: "Büro, \\"a\\"\\u200b\\n\`\${b}\` 日本 😀" },
    "10.1.0.0/16": { action: "deny" },
  },
});
`);
});

/** A rule as a program declares it, but for the end of the call. */
const DECLARED = `// IP policy ${policyId}
new IpPolicyRule("allow-10.0.0.0-8", {
  ipPolicyId: "${policyId}",
  cidr: "10.0.0.0/8",
  action: "allow",
}`;

test('generated program: each policy has a comment, and each rule its arguments', () => {
  const rules = [liveRule('10.0.0.0/8'), liveRule('10.1.0.0/16', { policyId: otherPolicyId })];
  const { adoptions } = planAdoption(withRules([...rules, liveRule('10.2.0.0/16')]), nothingThere);
  const sections = generateProgram(adoptions, {}).match(/^\/\/ .*$/gm);
  expect(sections).toEqual([policyId, otherPolicyId].sort().map((id) => `// IP policy ${id}`));
  expect(generateProgram(adoptions.slice(0, 1), {})).toBe(`import { IpPolicyRule } from "pulumi-edge-policy";

${DECLARED});
`);
});

test('generated program: what belongs to a provider is in a function that takes it', () => {
  const { adoptions } = planAdoption(withRules([liveRule('10.0.0.0/8')]), nothingThere);
  expect(generateProgram(adoptions, { provider: 'urn', form: 'commonjs' })).toMatch(
    /^const \{ [\w, ]+ \} = require\("pulumi-edge-policy"\);\n\nexports\.adopted = function adopted\(provider\) \{\n/,
  );
  expect(generateProgram(adoptions, { provider: 'urn' }))
    .toBe(`import { IpPolicyRule, type Provider } from "pulumi-edge-policy";

export function adopted(provider: Provider): void {
${DECLARED.replace(/^/gm, '  ')}, { provider });
}
`);
});
