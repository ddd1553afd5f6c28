import { parseBaseUrl } from '../../../provider/src/api/base-url';
import { ServerClock, systemClock } from '../../../provider/src/api/clock';
import type { Reply } from '../../../provider/src/api/transport';
import { createClient } from '../../support/api-client';
import { VirtualClock } from '../../support/virtual-clock';

test('the clock of the machine wakes at once if the time is over, and a sleep ends when it is told to', async () => {
  await systemClock.sleep(-5);
  const stop = new AbortController();
  const sleep = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await expect(sleep).rejects.toThrow();
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow();
});

test('the monotonic clock of the machine goes on when the time of day is set', () => {
  const startedAt = systemClock.monotonicMs();
  jest.useFakeTimers({ now: 0, doNotFake: ['performance'] });
  expect(systemClock.monotonicMs() - startedAt).toBeGreaterThanOrEqual(0);
  jest.useRealTimers();
});

test('a cancelled run: a call that waits before its next attempt ends at once', async () => {
  const clock = new VirtualClock();
  const baseUrl = parseBaseUrl('https://api.example.com');
  const body = { kind: 'empty' } as const;
  const busy: Reply = { kind: 'answer', status: 503, body, retryAfter: undefined, date: undefined };
  const send = () => Promise.resolve(busy);
  const connect = () => ({ baseUrl, send, close: () => undefined });
  const client = createClient(baseUrl.href, {}, { clock, random: () => 1, connect });
  const failing = expect(client.deleteIpPolicyRule('ipr_1', client.startOperation())).rejects.toThrow(
    'DELETE /ip_policy_rules/ipr_1: not done because the run was cancelled',
  );
  await clock.advance(0);
  client.cancel();
  await failing;
  expect(clock.monotonicMs()).toBe(0);
});

describe('the clock of the service', () => {
  const at = (seconds: number): number => Date.UTC(2030, 0, 1) + seconds * 1000;
  const header = (seconds: number): string => new Date(at(seconds)).toUTCString();

  test('is unknown before its first answer, and without a usable Date header', () => {
    const clock = new ServerClock();
    expect(clock.offsetMs).toBeUndefined();
    clock.observe(undefined, at(0), at(0));
    clock.observe('2030-01-01', at(0), at(0));
    expect(clock.offsetMs).toBeUndefined();
  });

  test('is estimated from below, and better with every answer', () => {
    const clock = new ServerClock();
    clock.observe(header(10), at(0.4), at(0.9));
    expect(clock.offsetMs).toBe(9100);
    clock.observe(header(11), at(1.2), at(1.3));
    expect(clock.offsetMs).toBe(9700);
    clock.observe(header(12), at(2.9), at(3));
    expect(clock.offsetMs).toBe(9700);
  });

  test('is estimated anew when one of the clocks has been set', () => {
    const clock = new ServerClock();
    clock.observe(header(10), at(0), at(0.1));
    clock.observe(header(3), at(1), at(1.1));
    expect(clock.offsetMs).toBe(1900);
    clock.observe(header(20), at(2), at(2.5));
    expect(clock.offsetMs).toBe(17_500);
  });
});
