import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

test('native: "pulumi import" and the option "import" bring a rule in by its id, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({ program: program('return {};'), host: 'native' });
  const seeds = ['10.0.0.0/8', '192.0.2.0/24'].map((cidr) => ({
    cidr,
    action: 'allow' as const,
    ip_policy_id: policyId,
  }));
  const [one, other] = emulator.seed({ rules: seeds });
  await stack.call(
    ['import', 'edge-policy:index:IpPolicyRule', 'one', one?.id ?? '', '--yes', '--skip-preview'],
    { args: ['--protect=false', '--generate-code=false'] },
  );
  stack.writeProgram(
    program(`
      new IpPolicyRule('one', { ipPolicyId: '${policyId}', action: 'allow', cidr: '10.0.0.0/8' });
      new IpPolicyRule('other', { ipPolicyId: '${policyId}', action: 'allow', cidr: '192.0.2.0/24' }, { import: '${other?.id ?? ''}' });
      return {};
    `),
  );
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ import: 1 });
  expect(emulator.journal.map(({ method }) => method)).toEqual(['GET']);
  expect(ownResources(await stack.state()).map(({ id }) => id)).toEqual([one?.id, other?.id]);
  await stack.expectEmptyPreview();
});

test('native: Ctrl-C ends a set that waits for its turns, and state holds what is done', async () => {
  const rules = Array.from({ length: 60 }, (_, index) => ({ cidr: `10.0.${index}.0/24`, action: 'allow' }));
  const set = `new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules: ${JSON.stringify(rules)} }); return {};`;
  const { stack, emulator } = await stackOnService({
    program: program(set),
    host: 'native',
    config: { 'edge-policy:requestsPerMinute': 60 },
  });
  const third = emulator.hold({ method: 'POST', nth: 3, when: 'before' });
  const run = stack.start(['up', '--yes', '--skip-preview']);
  await third.reached;
  third.release();
  run.interrupt();
  await run.finished;
  const made = emulator.state().rules.length;
  expect(made).toBeLessThan(60);
  const [kept] = ownResources(await stack.state());
  expect(String(kept?.outputs?.['ruleIdList']).trim().split('\n')).toHaveLength(made);
  await stack.setConfig({});
  await stack.up();
  expect(emulator.state().rules).toHaveLength(60);
});
