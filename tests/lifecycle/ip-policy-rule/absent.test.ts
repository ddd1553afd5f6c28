// When a single rule counts as gone.
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';

const RULE = '/ip_policy_rules/{id}';
const LIST = '/ip_policy_rules';

const wanted = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const sent = ({ emulator }: Scene, method: string): number =>
  emulator.journal.filter((entry) => entry.method === method).length;

const get = { method: 'GET', path: RULE } as const;
/** An answer of the service itself. */
const unknown = { kind: 'status', status: 404, body: { msg: 'no such rule' } } as const;

interface Made {
  readonly id: string;
  readonly outs: Bag;
}

const start = async (): Promise<{ scene: Scene; made: Made }> => {
  const scene = await startScene();
  const made = await scene.newProcess().provider('IpPolicyRule').create(wanted);
  return { scene, made };
};
const read = (host: HostProcess, { id, outs }: Made) => host.provider('IpPolicyRule').read(id, outs);
const remove = (host: HostProcess, { id, outs }: Made) => host.provider('IpPolicyRule').delete(id, outs);

test('read: one made seconds ago is asked for again where the clock of created_at is 3 s behind that of Date', async () => {
  const scene = await startScene({ switches: { createdAtAheadMs: -3_000 } });
  const made = await scene.newProcess().provider('IpPolicyRule').create(wanted);
  scene.clock.pass(3_000);
  scene.emulator.fault({ ...get, ...unknown });
  expect((await read(scene.newProcess(), made)).id).toBe(made.id);
});

test.each([
  ['the service shows it to the end', { kind: 'status', status: 404, times: 'always' }, undefined],
  [
    'no read shows whether it is',
    { kind: 'status', status: 404 },
    { kind: 'status', status: 403, body: {}, times: 'always' },
  ],
] as const)(
  'delete: one made seconds ago that a 404 calls unknown is not gone if %s',
  async (_, deleted, read) => {
    const { scene, made } = await start();
    scene.emulator.fault({ method: 'DELETE', path: RULE, ...deleted });
    if (read !== undefined) scene.emulator.fault({ ...get, ...read });
    const rule = scene.newProcess().provider('IpPolicyRule');
    await expect(rule.delete(made.id, made.outs)).rejects.toThrow('may or may not have been deleted');
    expect(scene.emulator.state().rules).toHaveLength(1);
  },
);

test('update: one whose outcome stayed open is compared with the live rule, also in what the program has taken back', async () => {
  const { scene, made } = await start();
  const host = scene.newProcess();
  const rule = host.provider('IpPolicyRule');
  // As often as one request is tried.
  const lost = { path: RULE, kind: 'reset', times: 4 } as const;
  scene.emulator.fault({ ...lost, method: 'PATCH', when: 'after' });
  scene.emulator.fault({ ...lost, method: 'GET' });
  const failed = await rule
    .update(made.id, made.outs, { ...wanted, description: 'office' })
    .catch((error: unknown) => (error as { properties: Bag }).properties);
  expect(failed).toMatchObject({ unsettledSince: expect.any(String) as string });
  const news = { ...wanted, metadata: 'm' };
  const { outs } = await scene.newProcess().provider('IpPolicyRule').update(made.id, failed, news);
  expect(outs).not.toHaveProperty('unsettledSince');
  const [live] = scene.emulator.state().rules;
  expect([live?.description ?? '', live?.metadata]).toEqual(['', 'm']);
});

test('update: one that is no longer young and that the service does not know no longer exists', async () => {
  const { scene, made } = await start();
  scene.clock.pass(9_000);
  scene.emulator.remote.deleteRule(made.id);
  const rule = scene.newProcess().provider('IpPolicyRule');
  const edited = { ...wanted, description: 'office' };
  await expect(rule.update(made.id, made.outs, edited)).rejects.toThrow(
    'no longer exists. Run "pulumi refresh", then "pulumi up", which creates it again.',
  );
  expect(sent(scene, 'PATCH')).toBe(1);
});

test('read and update: one of another policy under its id is neither gone nor drift', async () => {
  const { scene, made } = await start();
  const other = { kind: 'mutate', set: { '/ip_policy/id': otherPolicyId }, times: 'always' } as const;
  scene.emulator.fault({ ...get, ...other });
  scene.emulator.fault({ method: 'PATCH', path: RULE, ...other });
  await expect(read(scene.newProcess(), made)).rejects.toThrow('body describes a rule of another policy');
  const rule = scene.newProcess().provider('IpPolicyRule');
  await expect(rule.update(made.id, made.outs, { ...wanted, description: 'office' })).rejects.toThrow(
    'body describes a rule of another policy',
  );
});

test('read: one of another policy under its id in the list is neither gone nor drift', async () => {
  const { scene, made } = await start();
  const path = '/ip_policy_rules/0/ip_policy/id';
  scene.emulator.fault({ path: LIST, kind: 'mutate', set: { [path]: otherPolicyId }, times: 'always' });
  const host = scene.newProcess();
  const reads = Array.from({ length: 21 }, () => read(host, made).catch(String));
  expect(await Promise.all(reads)).toContainEqual(
    expect.stringContaining(`it shows ${made.id} in another policy`),
  );
});

test('read: gone where a page of something in between says so and the list holds only others', async () => {
  const { scene, made } = await start();
  scene.clock.pass(60_000);
  scene.emulator.remote.createRule({ cidr: '10.1.0.0/16', action: 'allow', ip_policy_id: otherPolicyId });
  // A wrong base path looks like that.
  scene.emulator.fault({ ...get, kind: 'status', status: 404, rawBody: '<h1>404</h1>', times: 'always' });
  await expect(read(scene.newProcess(), made)).rejects.toThrow('check the base URL');
  scene.emulator.remote.deleteRule(made.id);
  expect((await read(scene.newProcess(), made)).id).toBe('');
});

test('delete: one made seconds ago that nobody finds any more is not deleted again', async () => {
  const { scene, made } = await start();
  scene.emulator.remote.deleteRule(made.id);
  await remove(scene.newProcess(), made);
  expect(sent(scene, 'DELETE')).toBe(1);
});

test('delete: one whose delete is refused is not believed gone, even where it is', async () => {
  const { scene, made } = await start();
  scene.emulator.remote.deleteRule(made.id);
  scene.emulator.fault({ method: 'DELETE', path: RULE, kind: 'status', status: 403, times: 'always' });
  await expect(remove(scene.newProcess(), made)).rejects.toThrow('403');
});

test('delete: one whose answers are all lost may be gone, and the error says so', async () => {
  const { scene, made } = await start();
  for (const method of ['DELETE', 'GET'])
    scene.emulator.fault({ method, path: RULE, kind: 'reset', when: 'after', times: 'always' });
  await expect(remove(scene.newProcess(), made)).rejects.toThrow(
    new RegExp(`${made.id} may or may not have been deleted: .*run "pulumi refresh"`),
  );
});
