import { request as httpRequest } from 'node:http';

import { start } from '../../emulator/src/index';
import { failureOf, send, type HttpAnswer } from './support/http';
import { clientHeaders, useService } from './support/service';

const service = useService();
const body = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny', description: 'secret-text' };

const post = (): Promise<HttpAnswer> => service.call('POST', '/ip_policy_rules', body);
const ruleCount = (): number => service.emulator.state().rules.length;

describe.each(['reset', 'close'] as const)('%s', (kind) => {
  test('before the effect: the connection ends and nothing was done', async () => {
    service.emulator.fault({ kind });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(0);
  });

  test('after the effect: the connection ends and the rule is there', async () => {
    service.emulator.fault({ kind, when: 'after' });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(1);
  });

  test('with a delayed effect: the rule shows up after the connection has ended', async () => {
    service.emulator.fault({ kind, effectDelayMs: 50 });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(0);
    while (ruleCount() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(service.emulator.journal).toHaveLength(1);
  });
});

test('a delayed effect does not happen after a reset of the emulator', async () => {
  service.emulator.fault({ kind: 'reset', effectDelayMs: 30 });
  await failureOf(post());
  service.emulator.reset();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ruleCount()).toBe(0);
});

test('a delayed effect that the service refuses changes nothing', async () => {
  service.emulator.fault({ kind: 'status', status: 500, effectDelayMs: 0 });
  await service.call('POST', '/ip_policy_rules', { ...body, cidr: 'nonsense' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([ruleCount(), (await post()).status]).toEqual([0, 201]);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)('timeout %s the effect: no answer until the client gives up', async (when, rules) => {
  service.emulator.fault({ kind: 'timeout', when });
  const failure = new Promise<string>((resolve) => {
    const request = httpRequest(`${service.emulator.url}/ip_policy_rules`, {
      method: 'POST',
      headers: { ...clientHeaders, 'Content-Type': 'application/json' },
      timeout: 100,
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error(), { code: 'GAVE_UP' })));
    request.on('error', (error) => {
      resolve((error as NodeJS.ErrnoException).code ?? '');
    });
    request.end(JSON.stringify(body));
  });
  expect(await failure).toBe('GAVE_UP');
  expect(ruleCount()).toBe(rules);
  expect(service.emulator.journal[0]).not.toHaveProperty('status');
});

test.each([301, 302, 303, 307, 308] as const)('redirect %i to another origin', async (status) => {
  service.emulator.fault({ kind: 'redirect', status, location: 'http://127.0.0.1:1/elsewhere' });
  const answer = await post();
  expect([answer.status, answer.headers.location]).toEqual([status, 'http://127.0.0.1:1/elsewhere']);
});

test('closing the emulator ends requests that are never answered', async () => {
  const emulator = await start();
  emulator.fault({ kind: 'timeout' });
  const answer = failureOf(
    send({ method: 'GET', url: `${emulator.url}/ip_policy_rules`, headers: clientHeaders }),
  );
  while (emulator.journal.length === 0) await new Promise(setImmediate);
  await emulator.close();
  expect(await answer).toBe('ECONNRESET');
});
