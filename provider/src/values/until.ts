import { echo } from './failure';

/** A time at which a rule ends, in canonical text, or why a text is none. */
export type UntilParse =
  { readonly ok: true; readonly until: string } | { readonly ok: false; readonly reason: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * A time of RFC 3339, or a date, whose rule is in force until the end of that day, UTC. Equal times have equal texts: UTC, a
 * fraction only if there is one, and midnight as the date of the day that it ends.
 */
export function parseUntil(text: string): UntilParse {
  const atMs = endOf(text);
  if (atMs !== undefined) return { ok: true, until: untilAt(atMs) };
  return {
    ok: false,
    reason:
      `${echo(text)} is not a date or time: expected a date such as 2026-12-31 (to the end of that day, UTC) or a time of RFC 3339 ` +
      `with its zone, such as 2026-12-31T17:00:00Z`,
  };
}

/** When a rule has ended (milliseconds since the epoch), by its canonical text. */
export const endMs = (until: string): number => endOf(until) ?? Number.POSITIVE_INFINITY;

export const hasEnded = (until: string | undefined, nowMs: number): boolean =>
  until !== undefined && endMs(until) <= nowMs;

/** A moment as the canonical text of an end. */
export function untilAt(atMs: number): string {
  const isMidnight = atMs % DAY_MS === 0;
  const text = new Date(isMidnight ? atMs - DAY_MS : atMs).toISOString();
  return isMidnight ? text.slice(0, DATE_LENGTH) : text.replace('.000Z', 'Z');
}

const DATE_LENGTH = '2026-12-31'.length;

function endOf(text: string): number | undefined {
  if (DATE.test(text)) {
    const startMs = startOfDay(text);
    return startMs === undefined ? undefined : startMs + DAY_MS;
  }
  const parts = TIME.exec(text);
  if (parts === null) return undefined;
  const [, date = '', time = '', fraction = '', offset = ''] = parts;
  if (startOfDay(date) === undefined) return undefined;
  const milliseconds = fraction === '' ? '' : `.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const atMs = Date.parse(`${date}T${time}${milliseconds}${offset.toUpperCase()}`);
  // RFC 3339 has no hour 24, and there is no text for a year beyond four digits.
  if (Number.isNaN(atMs) || time.startsWith('24') || atMs < FIRST_MS || atMs > LAST_MS) return undefined;
  return atMs;
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Midnight at the beginning of a day; undefined for a day that no calendar has, which `Date` would move to the next month. */
function startOfDay(date: string): number | undefined {
  const atMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(atMs) || atMs < FIRST_MS) return undefined;
  return new Date(atMs).toISOString().startsWith(date) ? atMs : undefined;
}
