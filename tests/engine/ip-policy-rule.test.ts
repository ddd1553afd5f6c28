import { otherPolicyId, policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = (args: object, opts: object = {}) =>
  program(`new IpPolicyRule('rule', ${literal(args)}, ${literal(opts)}); return {};`);

const base = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };

test('a rule is created, updated in place, cleared, replaced and deleted, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({
    program: rule({ ...base, description: 'private network', metadata: '{"team":"edge"}' }),
  });
  const onlyRule = () => emulator.state().rules[0];

  expect((await stack.up()).changes).toEqual({ create: 1 });
  const created = onlyRule();
  expect(created).toMatchObject({ cidr: '10.0.0.0/8', action: 'deny', description: 'private network' });
  const [inState] = ownResources(await stack.state());
  expect(inState).toMatchObject({
    id: created?.id,
    outputs: { cidr: '10.0.0.0/8', ipPolicyId: policyId, uri: created?.uri, createdAt: created?.created_at },
  });

  // In place: the same id. Only what changed is sent, and the text of a network does not matter.
  const metadata = '{"team":"edge"}';
  stack.writeProgram(rule({ ...base, cidr: '2001:DB8:0:0::/32', metadata }));
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ update: 1 });
  const patch = emulator.journal.find(({ method }) => method === 'PATCH');
  expect(patch?.body).toEqual({ cidr: '2001:db8::/32', description: '' });
  expect(onlyRule()).toMatchObject({ id: created?.id, cidr: '2001:db8::/32', metadata });
  expect(onlyRule()).not.toHaveProperty('description');
  stack.writeProgram(rule({ ...base, cidr: '2001:db8::/32', metadata }));
  await stack.expectEmptyPreview();

  stack.writeProgram(rule({ ...base, action: 'allow', cidr: '10.0.0.0/9' }));
  const replaced = await stack.up();
  expect(replaced.changes).toEqual({ replace: 1 });
  expect(onlyRule()).toMatchObject({ action: 'allow' });
  expect(onlyRule()?.id).not.toBe(created?.id);
  expect(emulator.state().rules).toHaveLength(1);

  stack.writeProgram(rule({ ...base, action: 'allow', cidr: '10.0.0.0/9', ipPolicyId: otherPolicyId }));
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  expect(emulator.state().rules).toMatchObject([{ ip_policy: { id: otherPolicyId } }]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state().rules).toEqual([]);
});

test('refresh: a remote edit shows up, the preview then undoes exactly it, and a remote deletion creates again', async () => {
  const { stack, emulator } = await stackOnService({ program: rule({ ...base, description: 'ours' }) });
  await stack.up();
  const id = emulator.state().rules[0]?.id ?? '';

  emulator.remote.updateRule(id, { description: 'theirs' });
  await stack.refresh();
  expect(ownResources(await stack.state())).toMatchObject([
    { inputs: { description: 'theirs' }, outputs: { description: 'theirs' } },
  ]);
  const preview = await stack.preview({ args: ['--diff'] });
  expect(preview.changes).toEqual({ update: 1 });
  expect(preview.output).toContain('"theirs" => "ours"');
  expect(preview.markedProperties).toEqual(['~ description']);
  await stack.up();
  expect(emulator.state().rules).toMatchObject([{ id, description: 'ours' }]);

  emulator.remote.deleteRule(id);
  await stack.refresh();
  expect(ownResources(await stack.state())).toEqual([]);
  expect((await stack.up()).changes).toEqual({ create: 1 });

  emulator.remote.deleteRule(emulator.state().rules[0]?.id ?? '');
  await stack.destroy();
  expect((await stack.state()).resources).toEqual([]);
});

test('a rule that exists already is named with the command that imports it, and nothing is changed', async () => {
  const { stack, emulator } = await stackOnService({ program: rule(base) });
  const [existing] = emulator.seed({ rules: [{ ...wire(base), action: 'allow' }] });
  const failed = await stack.up({ expect: 'failure' });
  const said = failed.errors.join('\n');
  expect(said).toContain(`${existing?.id ?? ''} (allow 10.0.0.0/8)`);
  expect(said).toContain(`npx pulumi-edge-policy-cli import --policy ${policyId} --cidr 10.0.0.0/8 --run`);
  expect(emulator.state().rules).toEqual([existing]);
  expect(ownResources(await stack.state())).toEqual([]);
});

function wire({ cidr, action, ipPolicyId }: typeof base) {
  return { cidr, action: action as 'deny', ip_policy_id: ipPolicyId };
}
