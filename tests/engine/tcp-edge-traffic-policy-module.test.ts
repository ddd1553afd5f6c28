import { otherTcpEdgeId, tcpEdgeId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const policy = (args: object, { name = 'module', opts = {} } = {}) =>
  program(
    `return { value: new TcpEdgeTrafficPolicyModule('${name}', ${literal(args)}, ${literal(opts)}).value };`,
  );

const denying = (address: string) => ({
  inbound: [
    { name: 'deny-one', expressions: [`conn.client_ip == '${address}'`], actions: [{ type: 'deny' }] },
  ],
});

const base = { edgeId: tcpEdgeId, value: denying('192.0.2.1') };

test('a module is created, updated in place, replaced and deleted, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({ program: policy(base) });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  expect(emulator.state().tcpModules).toEqual({
    [tcpEdgeId]: { enabled: true, value: JSON.stringify(base.value) },
  });
  expect(ownResources(await stack.state())).toMatchObject([{ id: tcpEdgeId, outputs: { enabled: true } }]);

  // A policy in another spelling is no change; another policy is one, and all fields are sent.
  const spelledOut = `{ "inbound": ${JSON.stringify(base.value.inbound, undefined, 2)} }`;
  stack.writeProgram(policy({ ...base, value: spelledOut }));
  await stack.expectEmptyPreview();

  stack.writeProgram(policy({ ...base, enabled: false, value: denying('192.0.2.2') }));
  const preview = await stack.preview({ args: ['--diff'] });
  expect(preview.output).toContain('(json)');
  expect(preview.output).toMatch(/192\.0\.2\.1.*192\.0\.2\.2/s);
  expect((await stack.up()).changes).toEqual({ update: 1 });
  expect(emulator.state().tcpModules[tcpEdgeId]).toEqual({
    enabled: false,
    value: JSON.stringify(denying('192.0.2.2')),
  });

  // Clearing an optional falls back to its default.
  stack.writeProgram(policy({ ...base, value: denying('192.0.2.2') }));
  expect((await stack.up()).changes).toEqual({ update: 1 });
  expect(emulator.state().tcpModules[tcpEdgeId]).toMatchObject({ enabled: true });

  stack.writeProgram(policy({ edgeId: otherTcpEdgeId, value: denying('192.0.2.2') }));
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  expect(Object.keys(emulator.state().tcpModules)).toEqual([otherTcpEdgeId]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state().tcpModules).toEqual({});
});

test('a rename without an alias, and a forced replacement, leave the live module in place', async () => {
  const { stack, emulator } = await stackOnService({ program: policy(base) });
  await stack.up();
  stack.writeProgram(policy(base, { name: 'renamed' }));
  const renamed = await stack.up();
  expect(renamed.changes).toEqual({ create: 1, delete: 1 });
  expect(renamed.notices.join('\n')).toContain('Kept the traffic policy module of TCP edge');
  expect(Object.keys(emulator.state().tcpModules)).toEqual([tcpEdgeId]);

  const [resource] = ownResources(await stack.state());
  await stack.up({ args: ['--replace', resource?.urn ?? ''] });
  expect(Object.keys(emulator.state().tcpModules)).toEqual([tcpEdgeId]);

  stack.writeProgram(policy(base, { name: 'again', opts: { aliases: [{ name: 'renamed' }] } }));
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({});
  expect(emulator.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('get reads the module of an edge, a secret policy stays secret, an unknown one is decided at apply', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`
      const first = new TcpEdgeTrafficPolicyModule('first', {
        edgeId: '${tcpEdgeId}',
        value: { inbound: [{ name: pulumi.secret(process.env.CANARY_SECRET), expressions: [], actions: [{ type: 'deny' }] }] },
      });
      new TcpEdgeTrafficPolicyModule('second', {
        edgeId: '${otherTcpEdgeId}',
        value: { inbound: [{ name: first.id, expressions: [], actions: [{ type: 'deny' }] }] },
      });
      return {};
    `),
  });
  expect((await stack.preview()).changes).toEqual({ create: 2 });
  await stack.up();
  const { [tcpEdgeId]: secret, [otherTcpEdgeId]: late } = emulator.state().tcpModules;
  expect(secret?.value).toContain(stack.secret);
  expect(late?.value).toContain(`"name":"${tcpEdgeId}"`);
  expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 2 });

  stack.writeProgram(
    program(`
      const found = TcpEdgeTrafficPolicyModule.get('found', '${otherTcpEdgeId}');
      return { enabled: found.enabled, value: found.value };
    `),
  );
  await stack.up();
  expect(await stack.outputs()).toEqual({ enabled: true, value: late?.value });
});
