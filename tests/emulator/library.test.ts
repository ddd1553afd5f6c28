import { createSelfSigned } from '../support/certificate';
import { failureOf } from './support/http';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

test('state is a copy', () => {
  service.emulator.seed({
    httpsModules: { 'edghts_1/edghtsrt_1': { enabled: true, allow: ['a'], deny: [] } },
  });
  const copy = service.emulator.state().httpsModules['edghts_1/edghtsrt_1'];
  (copy?.allow as string[]).push('b');
  expect(service.emulator.state().httpsModules['edghts_1/edghtsrt_1']?.allow).toEqual(['a']);
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

test('over TLS, a reset is one of the connection below, and a close is none', async () => {
  const tls = createSelfSigned();
  const emulator = await startEmulator({ tls });
  const list = (): Promise<unknown> =>
    callEmulator(emulator.url, { method: 'GET', path: '/ip_policy_rules', more: { ca: tls.cert } });
  emulator.fault({ kind: 'reset' });
  await expect(list()).rejects.toThrow('read ECONNRESET');
  emulator.fault({ kind: 'close' });
  await expect(list()).rejects.toThrow('socket hang up');
});

test('keys: one more opens an account, a revoked one nothing, and a reset goes back to the start', () => {
  const { emulator } = service;
  const statuses = (): number[] =>
    ['test-key', 'second'].map((key) => {
      const headers = { authorization: `Bearer ${key}`, 'service-version': '2' };
      return emulator.answer({ method: 'GET', target: '/ip_policy_rules', headers }).status;
    });
  emulator.issueKey('second', 'other');
  emulator.revokeKey('test-key');
  expect(statuses()).toEqual([401, 200]);
  emulator.reset();
  expect(statuses()).toEqual([200, 401]);
  expect(() => {
    emulator.issueKey('with blank');
  }).toThrow(/visible ASCII/);
});
