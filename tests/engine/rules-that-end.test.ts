import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from '../support/at-time';
import { edgePolicy } from '../support/edge-policy-cli';
import { otherPolicyId, policyId } from '../support/ids';
import { changedRules } from '../support/preview-lines';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

const set = (rules: object, more = '') =>
  program(`
    const vendors = new IpPolicyRuleSet('vendors', { ipPolicyId: '${policyId}', rules: ${literal(rules)} });
    ${more}
    return { until: vendors.ruleList.apply((rules) => rules.map((rule) => rule.until ?? 'never')) };
  `);

const office = { cidr: '203.0.113.0/24', action: 'allow', description: 'Office' };
const vendor = { cidr: '198.51.100.7', action: 'allow', description: 'Vendor X', until: '2999-12-31' };

test('a rule ends: drift says it, and the next up shows its line going and deletes it', async () => {
  const { stack, emulator } = await stackOnService({ program: set([office, vendor]) });
  await stack.up();
  expect(await stack.outputs()).toEqual({ until: ['2999-12-31', 'never'] });

  const plan = path.join(stack.folder.project, 'plan.json');
  const preview = path.join(stack.folder.project, 'preview.json');
  const reviewed = await stack.call(['preview', '--json', '--show-sames', '--save-plan', plan]);
  writeFileSync(preview, reviewed.stdout);
  await edgePolicy(stack, ['review', preview, '--write', 'plan=reviewed.json']);
  const afterwards = at(stack, '3000-01-01T00:00:01Z');

  const drift = await edgePolicy(stack, ['drift', '--stack', 'dev'], afterwards);
  expect(drift).toMatchObject({ exitCode: 1, stderr: '' });
  expect(drift.stdout).toContain('Ended but still live: allow "198.51.100.7/32" until 2999-12-31');

  const violated = await stack.up({ args: ['--plan', plan], expect: 'failure', ...afterwards });
  expect(violated.output).toContain('violates plan');
  const later = await stack.call(['preview', '--json', '--show-sames'], afterwards);
  writeFileSync(preview, later.stdout);
  const expected = await edgePolicy(stack, ['review', preview, '--expect', 'reviewed.json'], afterwards);
  expect(expected).toMatchObject({ exitCode: 1 });
  expect(expected.stdout).toContain('update of `vendors` was not reviewed');

  const ended = await stack.up({ args: ['--diff'], ...afterwards });
  expect(changedRules(ended.stdout)).toEqual(["- 198.51.100.7/32: allow 'Vendor X' until 2999-12-31"]);
  expect(emulator.state().rules.map(({ cidr }) => cidr)).toEqual(['203.0.113.0/24']);
});

test('drift of a stack with all resources, an explicit provider and assertions of the program', async () => {
  const more = `
    const provider = new Provider('second', { apiKey: process.env.EDGE_POLICY_API_KEY, baseUrl: process.env.EDGE_POLICY_BASE_URL });
    new IpPolicyRule('partner', { ipPolicyId: '${otherPolicyId}', action: 'allow', cidr: '192.0.2.0/24' }, { provider });
    const { AccessAssertions } = require('pulumi-edge-policy');
    new AccessAssertions('access', { policies: [{ ipPolicyId: '${otherPolicyId}', mustAllow: ['192.0.2.7'] }] });
  `;
  const { stack, emulator } = await stackOnService({ program: set([office, vendor], more) });
  await stack.up();
  const none = await edgePolicy(stack, ['drift', '--stack', 'dev']);
  expect(none).toMatchObject({ exitCode: 0, stderr: '' });
  const partner = emulator.state().rules.find(({ cidr }) => cidr === '192.0.2.0/24');
  emulator.remote.updateRule(partner?.id ?? '', { cidr: '192.0.2.0/30' });
  const drifted = await edgePolicy(stack, ['drift', '--stack', 'dev']);
  expect(drifted).toMatchObject({ exitCode: 1, stderr: '' });
  expect(drifted.stdout).toContain('cidr is "192.0.2.0/30" instead of "192.0.2.0/24"');
  expect(drifted.stdout).toContain('"192.0.2.7" must be let in');
});
