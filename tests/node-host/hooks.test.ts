import type { Host } from '../../provider/src/resources/provider-reference';
import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { liveCidrs, stackOnService } from '../support/service-stack';

const hosts: readonly Host[] = ['dynamic', 'native'];

test.each(hosts)(
  '%s host: a set that failed in part goes on when an error hook repeats its create, and an update that a hook repeats does, too',
  async (host) => {
    const declaring = (action: string) =>
      program(`
        const again = new pulumi.ErrorHook('again', ({ errors }) => errors.length < 2);
        const rules = ['10.0.0.0/24', '10.0.1.0/24'].map((cidr) => ({ cidr, action: '${action}' }));
        new IpPolicyRuleSet('offices', { ipPolicyId: '${policyId}', rules }, { hooks: { onError: [again] } });
      `);
    const { stack, emulator } = await stackOnService({ program: declaring('deny'), host });
    emulator.fault({ method: 'POST', kind: 'status', status: 403, nth: 2 });
    expect((await stack.up()).changes).toEqual({ create: 1 });
    expect(liveCidrs(emulator)).toEqual(['10.0.0.0/24', '10.0.1.0/24']);
    await stack.expectEmptyPreview();

    stack.writeProgram(declaring('allow'));
    emulator.fault({ method: 'POST', kind: 'status', status: 403, nth: 2 });
    expect((await stack.up()).changes).toEqual({ update: 1 });
    expect(emulator.state().rules.map(({ action }) => action)).toEqual(['allow', 'allow']);
    await stack.refresh();
    await stack.expectEmptyPreview();
  },
);

test.each(hosts)(
  '%s host: a rule whose create failed in part stays in state when its repetition is refused as a whole',
  async (host) => {
    const { stack, emulator } = await stackOnService({
      program: program(`
        const again = new pulumi.ErrorHook('again', ({ errors }) => errors.length < 2);
        const rule = { ipPolicyId: '${policyId}', cidr: '10.0.0.0/24', action: 'deny', description: 'office' };
        new IpPolicyRule('office', { ...rule, overwriteExisting: true }, { hooks: { onError: [again] } });
      `),
      host,
    });
    emulator.remote.createRule({ cidr: '10.0.0.0/24', action: 'deny', ip_policy_id: policyId });
    const refused = emulator.fault({ method: 'PATCH', kind: 'status', status: 403, times: 'always' });
    await stack.up({ expect: 'failure' });
    refused.remove();
    expect((await stack.up()).changes).toEqual({ update: 1 });
    await stack.destroy();
    expect(emulator.state().rules).toEqual([]);
  },
);

test.each(hosts)(
  '%s host: a state migration changes the state alone, and a refresh brings back what is live',
  async (host) => {
    const rule = (description: string, options = '{}') =>
      program(`
        const args = { ipPolicyId: '${policyId}', cidr: '203.0.113.0/24', action: 'allow' };
        new IpPolicyRule('office', { ...args, description: '${description}' }, ${options});
      `);
    const migration = `{
      stateMigrations: [({ oldState: [old] }) => ({ newState: [
        { ...old, inputs: { ...old.inputs, description: 'hq' }, outputs: { ...old.outputs, description: 'hq' } },
      ] })],
    }`;
    const { stack, emulator } = await stackOnService({ program: rule('office'), host });
    await stack.up();
    const sent = emulator.journal.length;
    stack.writeProgram(rule('hq', migration));
    expect((await stack.preview()).output).toContain('State migration planned');
    expect((await stack.up()).changes).toEqual({});
    expect(emulator.journal).toHaveLength(sent);

    stack.writeProgram(rule('hq'));
    await stack.refresh();
    expect((await stack.up()).changes).toEqual({ update: 1 });
    expect(emulator.state().rules).toMatchObject([{ description: 'hq' }]);
  },
);
