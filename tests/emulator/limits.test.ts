import type { Switches } from '../../emulator/src/index';
import type { HttpAnswer } from './support/http';
import { useService } from './support/service';

const startMs = Date.UTC(2030, 0, 1, 0, 0, 0, 250);
let nowMs = startMs;
const service = useService({ clock: () => nowMs, accounts: { 'test-key': 'default', other: 'other' } });

beforeEach(() => {
  nowMs = startMs;
});

const list = (key = 'test-key'): Promise<HttpAnswer> =>
  service.call('GET', '/ip_policy_rules', undefined, { headers: { Authorization: `Bearer ${key}` } });

async function statuses(count: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await list()).status);
  return all;
}

describe('rateLimit', () => {
  test('the window rolls: each request makes room a minute after it came', async () => {
    service.emulator.setSwitches({ rateLimit: 2 });
    await list();
    nowMs += 40_000;
    await list();
    nowMs += 19_999;
    expect(await statuses(1)).toEqual([429]);
    nowMs += 1;
    expect(await statuses(2)).toEqual([200, 429]);
    nowMs += 40_000;
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test('refused requests do not count, nor do those of another account; rateLimitWindowMs scales the window', async () => {
    service.emulator.setSwitches({ rateLimit: 1, rateLimitWindowMs: 100 });
    expect(await statuses(3)).toEqual([200, 429, 429]);
    expect((await list('other')).status).toBe(200);
    nowMs += 100;
    expect(await statuses(1)).toEqual([200]);
  });

  test.each<[Switches['retryAfter'], string | undefined]>([
    ['seconds', '60'],
    ['date', 'Tue, 01 Jan 2030 00:01:01 GMT'],
    ['absent', undefined],
    ['nonsense', 'soon'],
  ])('retryAfter %s sends %j', async (retryAfter, header) => {
    service.emulator.setSwitches({ rateLimit: 1, retryAfter });
    await list();
    const refused = await list();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, header]);
    expect(refused.json()).toMatchObject({ error_code: 'ERR_TOO_MANY_REQUESTS', status_code: 429 });
  });
});

describe('simultaneousLimit', () => {
  test('refuses a request while that many are under way, and lets the next in when they have ended', async () => {
    service.emulator.setSwitches({ simultaneousLimit: 2 });
    const barrier = service.emulator.hold({ when: 'after' });
    const answers = [list(), list(), list()];
    while (barrier.waiting < answers.length) await new Promise(setImmediate);
    barrier.release();
    const statusesSeen = (await Promise.all(answers)).map(({ status }) => status);
    expect(statusesSeen.sort()).toEqual([200, 200, 429]);
    expect((await list()).status).toBe(200);
  });

  test('a request whose client has gone is under way no more', async () => {
    service.emulator.setSwitches({ simultaneousLimit: 1 });
    service.emulator.fault({ kind: 'reset', when: 'after', times: 3 });
    for (let index = 0; index < 3; index += 1) await list().catch(() => undefined);
    expect((await list()).status).toBe(200);
  });
});

test('listLagMs: a new rule is missing from the list so long, and is there to its own GET', async () => {
  service.emulator.setSwitches({ listLagMs: 10_000 });
  const rule = await service.createRule();
  const listed = async (): Promise<number> =>
    ((await list()).json() as { ip_policy_rules: unknown[] }).ip_policy_rules.length;
  const own = await service.call('GET', `/ip_policy_rules/${rule.id}`);
  expect([own.status, await listed()]).toEqual([200, 0]);
  nowMs += 9_999;
  expect(await listed()).toBe(0);
  nowMs += 1;
  expect(await listed()).toBe(1);
});

test('latencyMs: an answer takes at least so long', async () => {
  service.emulator.setSwitches({ latencyMs: 50 });
  const before = performance.now();
  await list();
  expect(performance.now() - before).toBeGreaterThanOrEqual(49);
});
