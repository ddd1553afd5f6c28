import { Deadline } from '../../../provider/src/api/deadline';
import {
  isCreatedSince,
  isYoung,
  latestServiceNowMs,
  serviceNowMs,
  serviceTimeMs,
  untilListed,
} from '../../../provider/src/run/service-times';
import { VirtualClock } from '../../support/virtual-clock';

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (ms: number): string => new Date(NOON + ms).toISOString();

/** It is noon by our clock; `aheadMs` is how far the service's clock is ahead of it, if that is known. */
const clientWith = (aheadMs: number | undefined) => ({
  clock: new VirtualClock(NOON),
  serverTimeOffsetMs: () => (aheadMs === undefined ? undefined : NOON + aheadMs),
});

test.each<[string, (client: ReturnType<typeof clientWith>) => number, unknownMs: number]>([
  ['the time at the service, which is ours', serviceNowMs, 0],
  ['the latest time that it can be there, two minutes ahead of ours', latestServiceNowMs, 120_000],
  ['a moment of ours, two minutes earlier there', (client) => serviceTimeMs(client, 0), -120_000],
])('%s where nothing is known, and otherwise the offset', (_what, timeAt, unknownMs) => {
  const times = [0, 90_000, -90_000, undefined].map((aheadMs) => timeAt(clientWith(aheadMs)) - NOON);
  expect(times).toEqual([0, 90_000, -90_000, unknownMs]);
});

test.each([
  [-1, false],
  [0, true],
  [1_400, true],
  [undefined, false],
])('created %i ms after the full second of the attempt: since then: %s', (ms, isSince) => {
  expect(isCreatedSince(ms === undefined ? 'someday' : at(ms), NOON + 400)).toBe(isSince);
});

test.each([
  ['seconds ago', -4_999, 0, true],
  ['five seconds ago', -5_000, 0, false],
  ['seconds ago by a clock ahead of ours', 85_001, 90_000, true],
  ['long ago by a clock ahead of ours', -4_999, 90_000, false],
])('created %s: young: %s', (_, ms, offsetMs, isSo) => {
  expect(isYoung(clientWith(offsetMs), at(ms))).toBe(isSo);
});

test('what the answers of the service have told of its time holds when our clock is set', () => {
  const client = clientWith(90_000);
  client.clock.set(-3_600_000);
  expect([serviceNowMs(client), latestServiceNowMs(client), serviceTimeMs(client, 0)]).toEqual([
    NOON + 90_000,
    NOON + 90_000,
    NOON + 90_000,
  ]);
});

test('what was created at an unknown time is not young, and a list is relied on at once', async () => {
  const client = clientWith(0);
  expect(isYoung(client, undefined)).toBe(false);
  await client.clock.run(
    untilListed({ client, createdAtLatest: undefined, deadline: new Deadline(client.clock, 300_000) }),
  );
  expect(client.clock.sleeps).toEqual([]);
});

test.each([
  ['what is left of 15 s', -4_000, 0, [11_000]],
  ['by the clock of the service', 86_000, 90_000, [11_000]],
  ['15 s at most', 400_000, 0, [15_000]],
  ['not where that time is over', -15_000, 0, []],
])('a list is waited for: %s', async (_, ms, offsetMs, sleeps) => {
  const client = clientWith(offsetMs);
  await client.clock.run(
    untilListed({ client, createdAtLatest: at(ms), deadline: new Deadline(client.clock, 300_000) }),
  );
  expect(client.clock.sleeps).toEqual(sleeps);
});

test('a list is not waited for beyond the end of the operation', async () => {
  const client = clientWith(0);
  await client.clock.run(
    untilListed({ client, createdAtLatest: at(0), deadline: new Deadline(client.clock, 2_000) }),
  );
  expect(client.clock.sleeps).toEqual([2_000]);
});
