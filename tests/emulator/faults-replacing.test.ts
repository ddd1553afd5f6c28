import { request as httpRequest } from 'node:http';

import { start } from '../../emulator/src/index';
import { failureOf, send } from './support/http';
import { clientHeaders, testRule, useService } from './support/service';

const service = useService();
const { post, ruleCount } = service;

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
    request.end(JSON.stringify(testRule));
  });
  expect(await failure).toBe('GAVE_UP');
  expect(ruleCount()).toBe(rules);
  expect(service.emulator.journal[0]).not.toHaveProperty('status');
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
