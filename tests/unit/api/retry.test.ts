import fc from 'fast-check';
import {
  backoffCeilingMs,
  decideRetry,
  LONGEST_BACKOFF_MS,
  type Repeatability,
  type RetryDecision,
  retryDelayMs,
} from '../../../provider/src/api/retry';
import type { Outcome } from '../../../provider/src/api/errors';
import {
  combineOutcomes,
  outcomeOfNoResponse,
  outcomeOfStatus,
  type Body,
} from '../../../provider/src/api/outcome';

const object: Body = { kind: 'json', value: { msg: 'no' } };
const other: Body = { kind: 'other' };
const empty: Body = { kind: 'empty' };

test.each<[number, Body, Outcome]>([
  [429, object, 'rate-limited'],
  [429, other, 'rate-limited'],
  [429, empty, 'rate-limited'],
  [400, object, 'definite'],
  [401, object, 'definite'],
  [403, object, 'definite'],
  [404, object, 'definite'],
  [409, object, 'definite'],
  [422, object, 'definite'],
  [499, object, 'definite'],
  [400, other, 'ambiguous'],
  [404, other, 'ambiguous'],
  [404, empty, 'ambiguous'],
  [400, { kind: 'json', value: [] }, 'ambiguous'],
  [400, { kind: 'json', value: null }, 'ambiguous'],
  [400, { kind: 'json', value: 'no' }, 'ambiguous'],
  [408, object, 'ambiguous'],
  [425, object, 'ambiguous'],
  [500, object, 'ambiguous'],
  [502, other, 'ambiguous'],
  [503, object, 'ambiguous'],
  [504, empty, 'ambiguous'],
  [301, empty, 'ambiguous'],
  [307, object, 'ambiguous'],
  [399, object, 'ambiguous'],
])('status %i with %j is %s', (status, body, outcome) => {
  expect(outcomeOfStatus(status, body)).toBe(outcome);
});

test('no response before the connection stood proves that nothing was sent, none afterwards proves nothing', () => {
  expect(outcomeOfNoResponse(false)).toBe('not-sent');
  expect(outcomeOfNoResponse(true)).toBe('ambiguous');
});

test('no later outcome takes back that an attempt may have been carried out', () => {
  const outcomes: Outcome[] = ['not-sent', 'rate-limited', 'definite', 'ambiguous'];
  for (const latest of outcomes) {
    expect(combineOutcomes('ambiguous', latest)).toBe('ambiguous');
    for (const earlier of [undefined, 'not-sent', 'rate-limited', 'definite'] as const) {
      expect(combineOutcomes(earlier, latest)).toBe(latest);
    }
  }
});

test.each<[Outcome, Repeatability, number, RetryDecision]>([
  ['not-sent', 'always', 1, 'retry'],
  ['not-sent', 'unless-ambiguous', 1, 'retry'],
  ['not-sent', 'always', 3, 'retry'],
  ['not-sent', 'always', 4, 'give-up'],
  ['not-sent', 'unless-ambiguous', 4, 'give-up'],
  ['ambiguous', 'always', 1, 'retry'],
  ['ambiguous', 'always', 3, 'retry'],
  ['ambiguous', 'always', 4, 'give-up'],
  ['ambiguous', 'unless-ambiguous', 1, 'give-up'],
  ['definite', 'always', 1, 'give-up'],
  ['definite', 'unless-ambiguous', 1, 'give-up'],
  ['rate-limited', 'always', 0, 'wait-for-rate-limit'],
  ['rate-limited', 'unless-ambiguous', 4, 'wait-for-rate-limit'],
])('%s, repeatable %s, after %i of 4 attempts: %s', (outcome, repeatability, attempts, decision) => {
  expect(decideRetry({ outcome, repeatability, attempts, maxAttempts: 4 })).toBe(decision);
});

test.each([
  [1, 500],
  [2, 1000],
  [3, 2000],
  [4, 4000],
  [5, 8000],
  [6, 16_000],
  [7, 20_000],
  [60, 20_000],
  [5000, 20_000],
])('the ceiling of the back-off after %i failures is %i ms', (failures, ceilingMs) => {
  expect(backoffCeilingMs(failures)).toBe(ceilingMs);
});

test('the back-off takes any part of its ceiling, and no wait of the service is shortened or lengthened', () => {
  const failures = fc.integer({ min: 1, max: 100 });
  const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(failures, part, (count, share) => {
      const delayMs = retryDelayMs({ failures: count, retryAfterMs: undefined, random: () => share });
      expect(delayMs).toBe(share * backoffCeilingMs(count));
      expect(delayMs).toBeLessThan(LONGEST_BACKOFF_MS);
    }),
  );
  expect(retryDelayMs({ failures: 1, retryAfterMs: 7000, random: () => 0.5 })).toBe(7000);
  expect(retryDelayMs({ failures: 1, retryAfterMs: 1e12, random: () => 0.5 })).toBe(1e12);
});
