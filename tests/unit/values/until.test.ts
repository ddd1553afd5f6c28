import { endMs, hasEnded, parseUntil } from '../../../provider/src/values/until';

const untilOf = (text: string): string => {
  const parsed = parseUntil(text);
  return parsed.ok ? parsed.until : parsed.reason;
};

test.each([
  ['2026-12-31', '2026-12-31'],
  ['2027-01-01T00:00:00Z', '2026-12-31'],
  ['2027-01-01T02:00:00+02:00', '2026-12-31'],
  ['2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
  ['2026-12-31t17:00:00z', '2026-12-31T17:00:00Z'],
  ['2026-12-31T17:00:00.000+01:00', '2026-12-31T16:00:00Z'],
  ['2026-12-31T17:00:00.25Z', '2026-12-31T17:00:00.250Z'],
  ['2026-12-31T17:00:00.1234567Z', '2026-12-31T17:00:00.123Z'],
  ['2028-02-29', '2028-02-29'],
  ['9999-12-30', '9999-12-30'],
])('equal times have equal texts: %s: %s', (text, until) => {
  expect(untilOf(text)).toBe(until);
  expect(untilOf(until)).toBe(until);
});

test('a date ends with its day, UTC, and an end is the first moment without the rule', () => {
  const midnight = Date.UTC(2027, 0, 1);
  expect(endMs('2026-12-31')).toBe(midnight);
  expect(hasEnded('2026-12-31', midnight - 1)).toBe(false);
  expect(hasEnded('2026-12-31', midnight)).toBe(true);
  expect(hasEnded(undefined, midnight)).toBe(false);
});

test.each([
  '2026-02-30',
  '2026-12-31T23:59:60Z',
  '2026-12-31T24:00:00Z',
  '2026-12-31T17:00:00',
  '2026-12-31 17:00',
  '2026/12/31',
  '2026-12-31T17:00Z',
  '2026-12-31T17:00:00+0100',
  '',
  'tomorrow',
  '2026-13-01',
  '0000-01-01',
])('%j is not a date or time', (text) => {
  const reason = expect.stringContaining(`${JSON.stringify(text)} is not a date or time: expected`) as string;
  expect(parseUntil(text)).toEqual({ ok: false, reason });
});
