import { inspect } from 'node:util';
import { json } from '../../../provider/src/api/answer-policy';
import { Deadline, ServerClock } from '../../../provider/src/api/clock';
import { decodeModule } from '../../../provider/src/api/decode';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { type Call, CallRunner } from '../../../provider/src/api/call';
import { Limiter } from '../../../provider/src/api/limiter';
import { isAlreadyExists } from '../../../provider/src/api/errors';
import { SecretTexts } from '../../../provider/src/api/redact';
import type { Attempt, Reply } from '../../../provider/src/api/transport';
import { VirtualClock } from '../../support/virtual-clock';

const policy = { enabled: true, value: 'canary secret' };

const answer = (
  status: number,
  value?: unknown,
  headers: { retryAfter?: string; date?: string } = {},
): Reply => ({
  ...{ kind: 'answer', status, retryAfter: headers.retryAfter, date: headers.date },
  body: value === undefined ? { kind: 'empty' } : { kind: 'json', value },
});
const broken = (wasSent: boolean): Reply => ({
  ...{ kind: 'no-response', code: 'ECONNRESET', wasSent },
  reason: wasSent ? 'broken' : 'not-reached',
});
const html: Reply = { ...answer(502), body: { kind: 'other' } } as Reply;
const fine = answer(200, policy);
/** Answers nothing until the attempt is ended. */
const hang = 'hang';

type Step = Reply | typeof hang;

/** A call against a scripted service; the last step of the script repeats. */
const setUp = (
  steps: readonly Step[],
  options: Pick<Partial<Call<unknown>>, 'method' | 'isStillDue'> & {
    budgetMs?: number;
    random?: number;
    maxAttempts?: number;
  } = {},
) => {
  const { method = 'PUT', isStillDue, budgetMs = 300_000, random = 0.5, maxAttempts = 4 } = options;
  const clock = new VirtualClock();
  const sentAt: number[] = [];
  const startedAt = clock.epochMs();
  const send = async ({ signal }: Attempt): Promise<Reply> => {
    const step = steps[Math.min(sentAt.length, steps.length - 1)] ?? fine;
    sentAt.push(clock.epochMs() - startedAt);
    if (step !== hang) return step;
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    return { kind: 'no-response', reason: 'timeout', code: undefined, wasSent: true };
  };
  const parts = {
    ...{
      clock,
      random: () => random,
      secrets: () => [new SecretTexts(() => ['canary-key', policy.value])],
      requestTimeoutMs: 30_000,
      maxAttempts,
    },
    ...{ transport: { send }, serverClock: new ServerClock() },
    limiter: new Limiter({ clock, random: () => random, maxConcurrency: 8 }),
  };
  const call: Call<object> = {
    ...{ method, path: '/edges/tcp/edgtcp_1/traffic_policy', body: policy, successStatus: 200 },
    isStillDue,
    read: json((value) => decodeModule(tcpEdgeTrafficPolicyModuleFields, value)),
  };
  const runner = new CallRunner(parts, call, new Deadline(clock, budgetMs));
  const run = (): Promise<object> => clock.run(runner.run());
  return { run, clock, sentAt, parts };
};

const repeated: readonly (readonly [string, Step])[] = [
  ['a refused connection', broken(false)],
  ['a broken connection', broken(true)],
  ['HTML of a proxy', html],
  ['an error of the service', answer(500, { msg: 'oops' })],
  ['a redirect', answer(307, { msg: 'moved' })],
  ['a success without a body', answer(200)],
  ['another success', answer(201, policy)],
  ['a success about something else', answer(200, { id: 'x' })],
  ['a 404 that is none of the service', answer(404)],
  ['a refusal that is no JSON object', answer(400, [])],
  ['a 408', answer(408, { msg: 'slow' })],
  ['a 425', answer(425, { msg: 'early' })],
];

test.each(repeated)(
  '%s is followed by another attempt, after half of 0.5, 1 and 2 s, and four times is the end',
  async (_what, step) => {
    const { run, sentAt } = setUp([step, step, step, fine]);
    await expect(run()).resolves.toEqual(policy);
    expect(sentAt).toEqual([0, 250, 750, 1750]);
    const never = setUp([step]);
    await expect(never.run()).rejects.toMatchObject({
      ...{ path: '/edges/tcp/edgtcp_1/traffic_policy', method: 'PUT' },
    });
    expect([never.sentAt.length, never.clock.pending]).toEqual([4, 0]);
  },
);

test.each(repeated.slice(1))('a create is not repeated after %s', async (_what, step) => {
  const { run, sentAt } = setUp([step], { method: 'POST' });
  await expect(run()).rejects.toMatchObject({ outcome: 'ambiguous' });
  expect(sentAt).toHaveLength(1);
});

test('the back-off doubles up to 20 s', async () => {
  const { run, sentAt } = setUp([broken(true)], { maxAttempts: 9, random: 1 });
  await expect(run()).rejects.toThrow();
  const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
});

test('a create is repeated when nothing was sent, and when the rate limit refused it', async () => {
  const { run, sentAt } = setUp([broken(false), answer(429, {}, { retryAfter: '3' }), fine], {
    method: 'POST',
  });
  await expect(run()).resolves.toEqual(policy);
  expect(sentAt).toEqual([0, 250, 3250]);
});

test.each([400, 401, 403, 404, 409, 422, 499])('a %i of the service is final', async (status) => {
  const { run, sentAt } = setUp([
    answer(status, { msg: 'no', error_code: 'E_1', details: { operation_id: 'op_1' } }),
  ]);
  await expect(run()).rejects.toMatchObject({
    ...{ name: 'ApiError', status, outcome: 'definite', isQualified: true },
    message: expect.stringContaining(`returned ${status}: no [code E_1, operation op_1]`) as unknown,
  });
  expect(sentAt).toHaveLength(1);
});

test('one ambiguous attempt makes the outcome ambiguous, whatever comes later', async () => {
  await expect(setUp([broken(true), answer(400, {})]).run()).rejects.toMatchObject({
    status: 400,
    outcome: 'ambiguous',
  });
  await expect(setUp([broken(true), broken(false)]).run()).rejects.toMatchObject({ outcome: 'ambiguous' });
  await expect(setUp([broken(false), answer(400, {})]).run()).rejects.toMatchObject({ outcome: 'definite' });
  await expect(setUp([broken(false)]).run()).rejects.toMatchObject({
    outcome: 'not-sent',
    reason: 'not-reached',
  });
});

test('a call may be called off until one attempt may have had its effect', async () => {
  const times = (count: number) => {
    let left = count;
    return () => (left -= 1) >= 0;
  };
  const off = setUp([broken(false)], { isStillDue: times(2) });
  await expect(off.run()).rejects.toMatchObject({ name: 'CalledOffError', outcome: 'not-sent' });
  expect(off.sentAt).toHaveLength(2);
  const begun = setUp([broken(true), broken(true), fine], { isStillDue: times(1) });
  await expect(begun.run()).resolves.toEqual(policy);
});

test('refusals by the rate limit use up no attempts', async () => {
  const limited = answer(429, {}, { retryAfter: '2' });
  const ofProxy: Reply = { ...html, status: 429, retryAfter: '2' } as Reply;
  const refusals = [limited, ofProxy, limited];
  const { run, sentAt } = setUp([...refusals, broken(true), broken(true), limited, broken(true), fine]);
  await expect(run()).resolves.toEqual(policy);
  expect(sentAt).toHaveLength(8);
  expect(sentAt.slice(0, 4)).toEqual([0, 2000, 4000, 6000]);
});

test('refusals for ever end with the deadline', async () => {
  const { run, sentAt, clock } = setUp([answer(429, {})], { budgetMs: 60_000 });
  const startedAt = clock.epochMs();
  await expect(run()).rejects.toMatchObject({ name: 'DeadlineError', outcome: 'rate-limited' });
  expect(clock.epochMs() - startedAt).toBeLessThanOrEqual(60_000);
  expect(sentAt.length).toBeLessThan(10);
});

test('a Retry-After beyond the deadline fails at once and says when', async () => {
  for (const status of [429, 503]) {
    const { run, clock, sentAt } = setUp([answer(status, {}, { retryAfter: '3600' })]);
    const startedAt = clock.epochMs();
    await expect(run()).rejects.toMatchObject({
      ...{ name: 'DeadlineError' },
      message: expect.stringContaining(new Date(startedAt + 3_600_000).toISOString()) as unknown,
    });
    expect(clock.epochMs()).toBe(startedAt);
    expect(sentAt).toHaveLength(1);
  }
});

test('the Retry-After of a 503 is kept without jitter', async () => {
  const { run, sentAt } = setUp([answer(503, {}, { retryAfter: '7' }), fine]);
  await run();
  expect(sentAt).toEqual([0, 7000]);
});

test('a date in Retry-After counts from the time that the same answer carries', async () => {
  const date = new Date(Date.UTC(2040, 0, 1)).toUTCString();
  const retryAfter = new Date(Date.UTC(2040, 0, 1, 0, 0, 9)).toUTCString();
  const { run, sentAt } = setUp([answer(429, {}, { date, retryAfter }), fine]);
  await run();
  expect(sentAt).toEqual([0, 9000]);
});

test('no attempt outlives the deadline, and none begins after it', async () => {
  const { run, clock, sentAt } = setUp([hang], { budgetMs: 40_000 });
  const startedAt = clock.epochMs();
  await expect(run()).rejects.toMatchObject({ name: 'DeadlineError', outcome: 'ambiguous' });
  expect(clock.epochMs() - startedAt).toBe(40_000);
  expect(sentAt).toEqual([0, 30_250]);
  expect(clock.pending).toBe(0);
});

test('a back-off that would end after the deadline is not waited for', async () => {
  const { run, clock } = setUp([broken(true)], { budgetMs: 600 });
  const startedAt = clock.epochMs();
  await expect(run()).rejects.toMatchObject({
    message: expect.stringContaining(
      'last failure: PUT /edges/tcp/edgtcp_1/traffic_policy: the connection broke',
    ) as unknown,
  });
  expect(clock.epochMs() - startedAt).toBe(250);
});

test('a mistake in a reader is not taken for a bad answer, and gives its permit back', async () => {
  const { parts, clock } = setUp([fine]);
  const call: Call<never> = {
    ...{ method: 'GET', path: '/x', successStatus: 200 },
    read: () => {
      throw new RangeError('mistake');
    },
  };
  for (let round = 0; round < 20; round += 1) {
    const run = new CallRunner(parts, call, new Deadline(clock, 1000)).run();
    await expect(clock.run(run)).rejects.toThrow(RangeError);
  }
});

test('no error shows the key or another secret', async () => {
  const echo = {
    msg: `bad ${policy.value} of canary-key`,
    error_code: 'canary-key',
    details: { operation_id: policy.value },
  };
  const error: unknown = await setUp([answer(400, echo)])
    .run()
    .catch((caught: unknown) => caught);
  expect(String(error)).toMatch(/ returned 400: bad \*\*\* of \*\*\*$/);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('canary');
  expect(JSON.stringify(error)).not.toContain('canary');
});

test.each([
  [400, 'Duplicate CIDR in this policy', true],
  [400, `a rule with this value already  exists: ${policy.value}`, true],
  [400, 'bad cidr', false],
  [404, 'duplicate', false],
  [409, 'no', true],
])('a %i that says "%s" means that it already exists: %s', async (status, msg, isThere) => {
  const error: unknown = await setUp([answer(status, { msg })])
    .run()
    .catch((caught: unknown) => caught);
  expect(isAlreadyExists(error)).toBe(isThere);
});
