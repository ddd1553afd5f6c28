import { policyId } from '../support/ids';
import { changedRules } from '../support/preview-lines';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { testedHost } from '../support/tested-host';

const set = (rules: object) =>
  program(`
    const set = new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules: ${literal(rules)} });
    return { ruleIds: set.ruleIds };
  `);

const office = { cidr: '10.0.0.0/8', action: 'allow', description: 'office' };
const partner = { cidr: '192.0.2.0/24', action: 'allow' };
const scanner = { cidr: '198.51.100.7', action: 'deny' };

const hidden = expect.objectContaining({ ciphertext: expect.any(String) as string }) as object;

const ABSENT = 'ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';

const liveNames = (rules: readonly { action: string; cidr: string }[]): string[] =>
  rules.map(({ action, cidr }) => `${action} ${cidr}`).sort();

test('a set is created, changed network by network, refreshed and repaired', async () => {
  const { stack, emulator } = await stackOnService({ program: set([office, partner, scanner]) });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  const ids = Object.fromEntries(emulator.state().rules.map(({ cidr, id }) => [cidr, id]));
  expect(await stack.outputs()).toEqual({ ruleIds: ids });

  stack.writeProgram(
    set([{ ...office, description: 'head office' }, scanner, { cidr: '203.0.113.0/24', action: 'allow' }]),
  );
  emulator.clearJournal();
  const changed = await stack.up({ args: ['--diff'] });
  expect(changed.changes).toEqual({ update: 1 });
  expect(changedRules(changed.stdout)).toEqual([
    "- 10.0.0.0/8: allow 'office'",
    '- 192.0.2.0/24: allow',
    "+ 10.0.0.0/8: allow 'head office'",
    '+ 203.0.113.0/24: allow',
  ]);
  expect(emulator.journal.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'PATCH']);

  emulator.remote.deleteRule(ids['198.51.100.7/32'] ?? '');
  emulator.remote.updateRule(ids['10.0.0.0/8'] ?? '', { description: 'theirs' });
  await stack.refresh();
  const repaired = await stack.up({ args: ['--diff'] });
  expect(changedRules(repaired.stdout)).toEqual([
    "- 10.0.0.0/8: allow 'theirs'",
    "+ 10.0.0.0/8: allow 'head office'",
    '+ 198.51.100.7/32: deny',
  ]);
  expect(liveNames(emulator.state().rules)).toEqual([
    'allow 10.0.0.0/8',
    'allow 203.0.113.0/24',
    'deny 198.51.100.7/32',
  ]);
});

test('of secret rules no network stands in clear in state, where creates failed or their answers were lost, and the next up does the rest', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`
      const rules = { '10.0.0.0/8': { action: 'allow' }, '192.0.2.0/24': { action: 'deny' } };
      new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules: pulumi.secret(rules) });
      return {};
    `),
    config: { 'edge-policy:maxAttempts': 1 },
  });
  const post = { method: 'POST', path: '/ip_policy_rules' } as const;
  emulator.fault({ ...post, kind: 'reset', when: 'after', nth: 2 });
  const silent = emulator.fault({ method: 'GET', path: '/ip_policy_rules', kind: 'reset', times: 'always' });
  const failed = await stack.up({ expect: 'failure' });
  const [set] = ownResources(await stack.state());
  expect(set?.outputs).toHaveProperty('unsettledSince');
  expect(set?.outputs?.['unsettledRules']).toHaveProperty('ciphertext');
  expect(set?.initErrors).not.toEqual([]);
  expect('__provider' in (set?.outputs ?? {})).toBe(testedHost === 'dynamic');
  for (const text of [JSON.stringify(set), failed.output]) {
    expect(text).not.toContain('10.0.0.0');
    expect(text).not.toContain('192.0.2.0');
  }

  silent.remove();
  await stack.up();
  expect(emulator.state().rules).toHaveLength(2);
});

test('a transform gets the rules as JSON and returns a list; a list or ids that are named as secret are so, in state too', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`
      const partner = { cidr: '192.0.2.0/24', action: 'allow' };
      const addPartner = ({ props, opts }) => ({
        props: {
          ...props,
          rules: process.env.SPREAD
            ? [...props.rules, partner]
            : pulumi.output(props.rules).apply((text) => [...JSON.parse(text), partner]),
        },
        opts,
      });
      const late = new IpPolicyRule('late', { ipPolicyId: '${policyId}', cidr: '203.0.113.0/24', action: 'deny' });
      const setOf = (name, description, ...additionalSecretOutputs) =>
        new IpPolicyRuleSet(
          name,
          { ipPolicyId: 'ipp_' + name, rules: [{ cidr: '10.0.0.0/8', action: 'allow', description }] },
          { transforms: [addPartner], additionalSecretOutputs },
        );
      if (process.env.SPREAD) {
        IpPolicyRule.get('mistyped', '${ABSENT}');
        setOf('spread', 'x');
        return {};
      }
      setOf('secret', pulumi.secret(process.env.CANARY_SECRET));
      const [open, list, ids] = [setOf('open', late.id), setOf('list', 'x', 'ruleList'), setOf('ids', 'x', 'ruleIds')];
      return { open: open.ruleList, openIds: open.ruleIds, list: list.ruleList, listIds: list.ruleIds, idsList: ids.ruleList, ids: ids.ruleIds };
    `),
  });
  const told = await stack.preview({ expect: 'failure', env: { SPREAD: '1' } });
  expect(told.output).toContain(`IP policy rule ${ABSENT} does not exist.`);
  expect(told.output).toContain('[...JSON.parse(props.rules), { cidr, action }]');
  const preview = await stack.preview();
  expect(preview.output).toMatch(/open +: \[unknown\]\s+openIds: \[unknown\]/);
  expect(preview.notices.join('\n')).toContain('"pulumi up --plan" would refuse a plan');
  await stack.up();
  const late = emulator.state().rules.find(({ action }) => action === 'deny');
  const partner = { cidr: '192.0.2.0/24', action: 'allow' };
  const office = (description?: string) => ({ cidr: '10.0.0.0/8', action: 'allow', description });
  expect(await stack.outputs()).toEqual({
    ...{ list: hidden, listIds: hidden, ids: hidden },
    open: [office(late?.id), partner],
    openIds: {
      '10.0.0.0/8': expect.stringMatching(/^ipr_/) as string,
      '192.0.2.0/24': expect.any(String) as string,
    },
    idsList: [office('x'), partner],
  });
  const resources = ownResources(await stack.state());
  const inState = (name: string) => resources.find(({ urn }) => urn.endsWith(`::${name}`))?.outputs;
  expect(inState('list')).toMatchObject({ rules: hidden, ruleIdList: expect.any(String) as string });
  expect(inState('ids')).toMatchObject({ rules: expect.any(String) as string, ruleIdList: hidden });
  expect(emulator.state().rules.filter(({ cidr }) => cidr === partner.cidr)).toHaveLength(4);
  await stack.expectEmptyPreview();
});
