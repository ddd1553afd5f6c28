import { Deadline } from '../../../provider/src/api/clock';
import { isCreatedSince } from '../../../provider/src/run/rule-search';
import {
  latestServiceNow,
  serviceNowMs,
  serviceTimeMs,
  untilListed,
} from '../../../provider/src/presence/service-times';
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
  [
    'the latest time that it can be there, two minutes ahead of ours',
    (client) => Date.parse(latestServiceNow(client)),
    120_000,
  ],
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

test('a list is not waited for beyond the end of the operation', async () => {
  const client = clientWith(0);
  await client.clock.run(
    untilListed({ client, createdAtLatest: at(0), deadline: new Deadline(client.clock, 2_000) }),
  );
  expect(client.clock.sleeps).toEqual([2_000]);
});
