import { echo } from './failure';

/** A time at which a rule ends, in canonical text, or why a text is none. */
export type UntilParse =
  { readonly ok: true; readonly until: string } | { readonly ok: false; readonly reason: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Reads a time of RFC 3339, or a date: a rule that ends on a date is in force until the end of that day, UTC. Equal times have
 * equal texts: UTC, a fraction only if there is one, and midnight as the date of the day that it ends.
 */
export function parseUntil(text: string): UntilParse {
  const atMs = endOf(text);
  if (atMs !== undefined) return { ok: true, until: untilAt(atMs) };
  const meant = readingOf(text);
  const expected =
    'expected a date such as 2026-12-31 (to the end of that day, UTC) or a time such as 2026-12-31T17:00:00Z';
  const advice = meant === undefined ? expected : `did you mean ${meant}?`;
  return { ok: false, reason: `${echo(text)} ${problemOf(text)}: ${advice}` };
}

/** When a rule has ended (milliseconds since the epoch), by its canonical text. */
export const endMs = (until: string): number => endOf(until) ?? Number.POSITIVE_INFINITY;

/** Whether a rule with this end has ended by then. */
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

const NO_OFFSET = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/;

function problemOf(text: string): string {
  if (text.trim() === '') return 'is empty';
  if (NO_OFFSET.test(text)) return 'does not say in which time zone';
  if (DATE.test(text) || TIME.test(text)) return 'is not in the calendar';
  return 'is not a time in the form of RFC 3339';
}

/** The text that was probably meant; undefined if that cannot be known. */
function readingOf(text: string): string | undefined {
  const trimmed = text.trim();
  const candidate =
    lastDayOfMonth(trimmed) ??
    trimmed
      .replace(/^(\d{4})[/.](\d\d)[/.](\d\d)/, '$1-$2-$3')
      .replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, '$1T')
      .replace(/T(\d\d:\d\d)(?!:)/i, 'T$1:00')
      .replace(/(\d) ?UTC$/i, '$1Z')
      .replace(/:60(?=\.|Z|[+-])/i, ':59')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
      .replace(/(T\d\d:\d\d:\d\d(?:\.\d+)?)$/i, '$1Z');
  const atMs = candidate === text ? undefined : endOf(candidate);
  return atMs === undefined ? undefined : untilAt(atMs);
}

/** The 31st of a shorter month. */
function lastDayOfMonth(text: string): string | undefined {
  const [, year, month, day = ''] = DATE.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12 || Number(day) > 31) return undefined;
  if (Number(day) < 28 || startOfDay(text) !== undefined) return undefined;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  return last.toISOString().slice(0, DATE_LENGTH);
}
