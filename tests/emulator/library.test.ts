import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { failureOf, type HttpAnswer } from './support/http';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

test('seed adds parents, rules and modules, and state shows them', () => {
  const tcpModules = { edgtcp_1: { enabled: true, value: 'anything goes' } };
  const httpsModules = { 'edghts_1/edghtsrt_1': { enabled: false, allow: ['a'], deny: [] } };
  const rules = service.emulator.seed({
    policies: ['ipp_1'],
    tcpEdges: ['edgtcp_1'],
    routes: ['edghts_1/edghtsrt_1'],
    rules: [
      { cidr: '10.0.0.0/8', ip_policy_id: 'ipp_1', action: 'deny' },
      {
        id: 'ipr_own',
        cidr: '10.0.0.0/8',
        ip_policy_id: 'ipp_1',
        action: 'deny',
        created_at: '2020-01-01T00:00:00Z',
      },
    ],
    tcpModules,
    httpsModules,
  });
  expect(rules[1]).toMatchObject({ id: 'ipr_own', created_at: '2020-01-01T00:00:00Z' });
  expect(service.emulator.state()).toEqual({
    rules,
    tcpModules,
    httpsModules,
    policies: ['ipp_1'],
    tcpEdges: ['edgtcp_1'],
    routes: ['edghts_1/edghtsrt_1'],
  });
});

test('state is a copy', () => {
  service.emulator.seed({
    httpsModules: { 'edghts_1/edghtsrt_1': { enabled: true, allow: ['a'], deny: [] } },
  });
  const copy = service.emulator.state().httpsModules['edghts_1/edghtsrt_1'];
  (copy?.allow as string[]).push('b');
  expect(service.emulator.state().httpsModules['edghts_1/edghtsrt_1']?.allow).toEqual(['a']);
});

test('remote edits change what the service answers, past its checks', async () => {
  const { remote } = service.emulator;
  const rule = remote.createRule({
    cidr: 'anything',
    ip_policy_id: 'ipp_a',
    action: 'deny',
    description: 'x',
  });
  remote.updateRule(rule.id, { action: 'allow', description: '', metadata: 'm', ip_policy_id: 'ipp_b' });
  const answer = await service.call('GET', `/ip_policy_rules/${rule.id}`);
  expect(answer.json()).toEqual(service.emulator.state().rules[0]);
  expect(answer.json()).toMatchObject({ action: 'allow', metadata: 'm', ip_policy: { id: 'ipp_b' } });
  expect(answer.json()).not.toHaveProperty('description');
  remote.deleteRule(rule.id);
  expect((await service.call('GET', `/ip_policy_rules/${rule.id}`)).status).toBe(404);
});

test('edits of what cannot be are refused: unknown rules, known ids, identifiers of another kind', () => {
  const { remote } = service.emulator;
  expect(() => remote.updateRule('ipr_none', {})).toThrow(/no rule ipr_none/);
  const { id } = remote.createRule({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' });
  expect(() => remote.createRule({ id, cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' })).toThrow(
    /exists/,
  );
  expect(() => {
    remote.modules('tcpModules').set('__proto__', { enabled: true, value: '' });
  }).toThrow(/not an identifier/);
  expect(() => service.emulator.seed({ routes: ['edghts_1'] })).toThrow(/not an identifier of a route/);
});

test('a reset brings back the start: empty accounts, switches, no fault, nothing held, an empty window', async () => {
  const emulator = await startEmulator({ switches: { pageSize: 7, rateLimit: 1 } });
  const list = { method: 'GET', path: '/ip_policy_rules' };
  emulator.seed({ policies: ['ipp_1'] }, 'other');
  emulator.setSwitches({ pageSize: 9 });
  emulator.fault({ kind: 'status', status: 503, nth: 2, times: 'always' });
  const barrier = emulator.hold({ ...list, when: 'after' });
  const held = failureOf(callEmulator(emulator.url, list));
  await barrier.reached;
  emulator.reset();
  expect(await held).toBe('ECONNRESET');
  expect((await callEmulator(emulator.url, list)).status).toBe(200);
  expect([emulator.state('other').policies, emulator.switches.pageSize]).toEqual([[], 7]);
});

describe('over TLS', () => {
  const read = (name: string): string => readFileSync(join(__dirname, 'fixtures', name), 'utf8');
  const tls = { key: read('localhost-key.pem'), cert: read('localhost-cert.pem') };
  const list = (url: string, ca?: string): Promise<HttpAnswer> =>
    callEmulator(url, { method: 'GET', path: '/ip_policy_rules', more: ca === undefined ? {} : { ca } });

  test('answers those who trust its certificate, and nobody else', async () => {
    const emulator = await startEmulator({ tls });
    expect(emulator.url).toMatch(/^https:/);
    expect((await list(emulator.url, tls.cert)).status).toBe(200);
    expect(await failureOf(list(emulator.url))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  test('a reset is one of the connection below, and a close is none', async () => {
    const emulator = await startEmulator({ tls });
    emulator.fault({ kind: 'reset' });
    await expect(list(emulator.url, tls.cert)).rejects.toThrow('read ECONNRESET');
    emulator.fault({ kind: 'close' });
    await expect(list(emulator.url, tls.cert)).rejects.toThrow('socket hang up');
  });
});
