import { useService } from './support/service';

const service = useService();
const ruleId = /^ipr_[0-9A-Za-z]{27}$/;

test('create: answers 201 with every documented field and stores the rule', async () => {
  const answer = await service.call('POST', '/ip_policy_rules', {
    cidr: '198.51.100.0/24',
    ip_policy_id: 'ipp_office',
    action: 'allow',
    description: 'office',
    metadata: '{"team":"net"}',
  });
  const rule = answer.json() as { id: string };
  expect(answer.status).toBe(201);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(rule).toEqual({
    id: expect.stringMatching(ruleId) as string,
    uri: `${service.emulator.url}/ip_policy_rules/${rule.id}`,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
    description: 'office',
    metadata: '{"team":"net"}',
    cidr: '198.51.100.0/24',
    ip_policy: { id: 'ipp_office', uri: `${service.emulator.url}/ip_policies/ipp_office` },
    action: 'allow',
  });
  expect(service.emulator.state().rules).toEqual([rule]);
});

test.each([
  ['an unknown action', { action: 'block' }],
  ['no cidr', { cidr: undefined }],
  ['a zone', { cidr: 'fe80::1%eth0/128' }],
  ['a prefix length too long', { cidr: '10.0.0.0/33' }],
  ['a prefix length with a leading zero', { cidr: '10.0.0.0/08' }],
  ['an address with a leading zero', { cidr: '010.0.0.0/8' }],
  ['a prefix length too long for IPv6', { cidr: '::/129' }],
  ['two prefix lengths', { cidr: '2001:db8::/32/48' }],
  ['a number as cidr', { cidr: 10 }],
  ['no policy', { ip_policy_id: undefined }],
  ['a policy of another kind', { ip_policy_id: 'ipr_office' }],
  ['a description of null', { description: null }],
  ['a description of 256 bytes', { description: 'é'.repeat(128) }],
])('create: refuses %s with 400 and stores nothing', async (_what, fields) => {
  const body = { cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny', ...fields };
  const answer = await service.call('POST', '/ip_policy_rules', body);
  expect(answer.status).toBe(400);
  expect(service.emulator.state().rules).toEqual([]);
});

test.each(['0.0.0.0/0', '203.0.113.7/32', '2001:db8::/32', '::ffff:192.0.2.1/128'])(
  'create: takes %s as it is',
  async (cidr) => {
    expect((await service.createRule({ cidr })).cidr).toBe(cidr);
  },
);

test('update: takes the own id in the body and refuses another one', async () => {
  const rule = await service.createRule();
  const path = `/ip_policy_rules/${rule.id}`;
  expect((await service.call('PATCH', path, { id: rule.id, description: 'x' })).status).toBe(200);
  expect((await service.call('PATCH', path, { id: 'ipr_other', description: 'x' })).status).toBe(400);
});

test('update: the rule may keep its own CIDR and may not take that of another', async () => {
  const rule = await service.createRule();
  await service.createRule({ cidr: '10.0.0.0/8' });
  const path = `/ip_policy_rules/${rule.id}`;
  expect((await service.call('PATCH', path, { cidr: rule.cidr })).status).toBe(200);
  expect((await service.call('PATCH', path, { cidr: '10.0.0.0/8' })).status).toBe(400);
  expect((await service.call('PATCH', path, { cidr: '10.0.0.0/9' })).status).toBe(200);
});
