import type { Fault } from '../../../emulator/src/index';
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import { type Attempt, type Reply, Transport } from '../../../provider/src/api/transport';
import { lookUpRules } from '../../../provider/src/resources/look-ups';
import { accountRulesOf } from '../../../provider/src/presence/account-rules';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { hosts } from '../ip-policy-rule-set/driver';

// Each answer takes two seconds, an operation has three, and the list has six pages.
const ANSWER_MS = 2_000;
const OPERATION_MS = 3_000;
const PAGES = 6;

interface Slow {
  readonly scene: Scene;
  readonly host: HostProcess;
  readonly ids: readonly string[];
}

async function startSlow(): Promise<Slow> {
  const scene = await startScene();
  const { emulator, clock } = scene;
  const rules = hosts(PAGES, 'deny').map((rule) => ({ ...rule, ip_policy_id: otherPolicyId }));
  const ids = emulator.seed({ rules }).map(({ id }) => id);
  emulator.setSwitches({ pageSize: 1 });
  class SlowTransport extends Transport {
    override async send(attempt: Attempt): Promise<Reply> {
      await clock.sleep(ANSWER_MS, attempt.signal).catch(() => undefined);
      return super.send(attempt);
    }
  }
  const connect = (settings: ClientSettings) => new SlowTransport(settings);
  return { scene, ids, host: scene.newProcess({ operationTimeoutMs: OPERATION_MS }, { connect }) };
}

const rules = ({ host }: Slow) => host.provider('IpPolicyRule');
const sets = ({ host }: Slow) => host.provider('IpPolicyRuleSet');
const modules = ({ host }: Slow) => host.provider('TcpEdgeTrafficPolicyModule');

const wanted = { cidr: '192.0.2.0/24', action: 'allow', ipPolicyId: policyId };
const live = { cidr: '10.0.0.0/32', action: 'deny', ipPolicyId: otherPolicyId };
const wholePolicy = {
  ipPolicyId: policyId,
  rules: '@rules\n192.0.2.0/25: allow\n192.0.2.128/25: allow\n',
  exclusive: true,
};
const policy = { edgeId: tcpEdgeId, enabled: true, value: '{"inbound":[]}' };
/** A state of the key's own account: for another one, the question whether the key knows it comes first. */
const held = ({ host }: Slow, outputs: Bag): Bag => ({ ...outputs, account: host.key.mark });

const lost = (method: string): Fault => ({ method, kind: 'reset', when: 'after', times: 'always' });
const proxied = (method: string, path: string): Fault => {
  return { method, path, kind: 'status', status: 404, rawBody: '<html>', times: 'always' };
};
const oneRule = '/ip_policy_rules/{id}';
const oneModule = '/edges/tcp/{id}/traffic_policy';

const operations: Readonly<Record<string, readonly [(slow: Slow) => Promise<unknown>, Fault?]>> = {
  'create of a rule, with a take-over': [(s) => rules(s).create({ ...wanted, overwriteExisting: true })],
  'create of a rule': [(s) => rules(s).create(wanted), lost('POST')],
  'create of a rule whose network is taken': [(s) => rules(s).create({ ...live, action: 'allow' })],
  // The list shows the oldest of them last.
  'read of rules': [
    (s) => Promise.allSettled(s.ids.toReversed().map((id) => rules(s).read(id, held(s, live)))),
  ],
  'look for an account': [({ host: { client } }) => accountRulesOf(client).whole(client.startOperation())],
  'update of a rule': [
    (s) => rules(s).update(s.ids[0] ?? '', held(s, live), { ...live, description: 'new' }),
    proxied('PATCH', oneRule),
  ],
  'delete of a rule': [(s) => rules(s).delete(s.ids[0] ?? '', held(s, live)), proxied('DELETE', oneRule)],
  'create of a module': [(s) => modules(s).create(policy)],
  'read of a module': [(s) => modules(s).read(tcpEdgeId, {}), proxied('GET', oneModule)],
  'update of a module': [
    (s) => modules(s).update(tcpEdgeId, held(s, policy), { ...policy, enabled: false }),
    lost('PUT'),
  ],
  'delete of a module': [(s) => modules(s).delete(tcpEdgeId, held(s, policy)), lost('DELETE')],
  'list by a function': [({ host }) => lookUpRules(host.client, {})],
  'create of a set that has to wait for a list of others': [(s) => sets(s).create(wholePolicy)],
};

test.each(Object.entries(operations))('%s: keeps to its time', async (_name, [operate, fault]) => {
  const slow = await startSlow();
  const { clock, emulator } = slow.scene;
  if (fault !== undefined) emulator.fault(fault);
  const { client } = slow.host;
  const othersRead = accountRulesOf(client).anew(client.startBulkWork());
  await operate(slow).catch(() => undefined);
  expect(clock.monotonicMs()).toBeLessThanOrEqual(OPERATION_MS);
  await othersRead.catch(() => undefined);
});

test('a set has its time for each page and each rule', async () => {
  const slow = await startSlow();
  const { id, outs } = await sets(slow).create(wholePolicy);
  expect(slow.scene.clock.monotonicMs()).toBeGreaterThanOrEqual((PAGES + 1) * ANSWER_MS);
  expect((await sets(slow).read(id, outs)).props['rules']).toBe(wholePolicy.rules);
});
