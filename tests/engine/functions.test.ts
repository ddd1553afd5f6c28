import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };

/** A second account whose key is an output: known as soon as the rule exists, unknown at the first preview. */
const lateAccount = `
  const here = new IpPolicyRule('here', ${literal(rule)});
  const apiKey = here.createdAt.apply(() => process.env.EDGE_POLICY_API_KEY);
  const account = new Provider('late', { apiKey, baseUrl: process.env.EDGE_POLICY_BASE_URL });
`;

test('the Output form is unknown while the settings of its provider are, and then answers in clear', async () => {
  const { stack } = await stackOnService({
    program: program(`${lateAccount}
      const rules = edge.listIpPolicyRulesOutput({ ipPolicyId: here.ipPolicyId }, { provider: account });
      const found = edge.getIpPolicyRuleOutput({ id: here.id }, { provider: account });
      return { networks: rules.apply((list) => list.map(({ cidr }) => cidr)), action: found.action };
    `),
  });
  expect((await stack.preview()).changes).toMatchObject({ create: expect.any(Number) as number });
  await stack.up();
  // What the service answers is no secret because the key is one.
  expect(await stack.outputs()).toEqual({
    networks: ['10.0.0.0/8'],
    action: 'deny',
  });
});

test('the plain form rejects with a sentence where a preview does not know the settings', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`${lateAccount}
      return { count: edge.listIpPolicyRules({}, { provider: account }).then((rules) => rules.length) };
    `),
  });
  const said = (await stack.preview({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('The settings of the provider are not known yet during this preview');
  expect(said).toContain('whose name ends in "Output"');
  expect(emulator.journal).toEqual([]);
  await stack.up();
  expect(ownResources(await stack.state())).toHaveLength(1);
  expect(await stack.outputs()).toEqual({ count: 1 });
});
