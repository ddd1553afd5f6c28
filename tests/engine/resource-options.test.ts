import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const base = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const rule = (name: string, args: object = base, opts = '{}') =>
  program(`new IpPolicyRule('${name}', ${literal(args)}, ${opts}); return {};`);

test('a forced replacement and a tainted rule are deleted first; deleteBeforeReplace: false meets the duplicate, and the message says what to set, and not to import', async () => {
  const { stack, emulator } = await stackOnService({ program: rule('rule') });
  await stack.up();
  const [resource] = ownResources(await stack.state());
  const [made] = emulator.state().rules;
  const replaced = await stack.up({ args: ['--replace', resource?.urn ?? ''] });
  expect(replaced.changes).toEqual({ replace: 1 });
  expect(emulator.state().rules).toEqual([expect.not.objectContaining({ id: made?.id })]);
  await stack.call(['state', 'taint', '--yes', resource?.urn ?? '']);
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  const before = emulator.state();
  expect(before.rules).toHaveLength(1);

  stack.writeProgram(rule('rule', { ...base, action: 'allow' }, '{ deleteBeforeReplace: false }'));
  const failed = (await stack.up({ expect: 'failure' })).errors.join('\n');
  expect(failed).toContain('already has a rule for this CIDR');
  expect(failed).toContain('set the option deleteBeforeReplace: true');
  expect(failed).not.toContain('npx --no-install pulumi-edge-policy-cli import');
  expect(emulator.state()).toEqual(before);
});

test('an alias that makes a rule a set is refused, and without it the set takes the rule over', async () => {
  const { stack, emulator } = await stackOnService({ program: rule('rule') });
  await stack.up();
  const before = emulator.state();
  const type = ownResources(await stack.state())[0]?.type;
  const set = (opts: object) =>
    program(`
      const rules = [{ cidr: '${base.cidr}', action: 'deny' }];
      new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules, overwriteExisting: true }, ${literal(opts)}); return {};`);
  stack.writeProgram(set({ aliases: [{ name: 'rule', type }] }));
  const failed = await stack.preview({ expect: 'failure' });
  expect(failed.output).toMatch(
    /An alias makes ipr_\w+, a resource of another type, a resource of the type IpPolicyRuleSet/,
  );
  stack.writeProgram(set({}));
  expect((await stack.up()).changes).toEqual({ create: 1, delete: 1 });
  expect(emulator.state()).toEqual(before);
});

test('the dynamic host refuses the import option with the way that works', async () => {
  const { stack } = await stackOnService({
    program: rule('rule', base, `{ import: 'ipr_1' }`),
    host: 'dynamic',
  });
  const failed = await stack.preview({ expect: 'failure' });
  expect(failed.output).toContain(
    'Remove it and run "npx --no-install pulumi-edge-policy-cli import" instead for ipr_1',
  );
  // One line for users, without the place in our code.
  expect(failed.output).not.toMatch(/UserError|unhandled|^ +at /m);
});
