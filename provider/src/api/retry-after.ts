// The three date forms of HTTP. `Date.parse` alone takes nearly anything for a date, `-5` for one.
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

// About 300 years: longer waits say the same, and their end would not fit a date.
const longestWaitMs = 1e13;

/** A date of HTTP as epoch milliseconds; undefined for anything else. */
export const parseHttpDate = (text: string): number | undefined => {
  if (!httpDates.some((form) => form.test(text))) return undefined;
  const epochMs = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(epochMs) ? undefined : epochMs;
};

/**
 * The wait that a Retry-After header asks for, in milliseconds. Undefined where it asks for none that could be kept:
 * absent, empty, zero, negative, in the past, or not understood. The caller then backs off, so that no header
 * makes a hot loop. `serverNowMs` is the time on the clock of the service.
 */
export const parseRetryAfter = (header: string | undefined, serverNowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  const date = parseHttpDate(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : date === undefined ? 0 : date - serverNowMs;
  return waitMs > 0 ? Math.min(waitMs, longestWaitMs) : undefined;
};
