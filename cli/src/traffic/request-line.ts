/** What a line says of a request. It is one object for all lines, as there are millions. */
export interface RequestLine {
  address: string;
  /** Null: the client sent none, or an empty one. Undefined: the line does not say. */
  agent: string | null | undefined;
  /** Undoes the escapes of the format; it is only asked for a text that has not been seen before. */
  decode: (agent: string) => string;
  /** In milliseconds since the epoch; -1 if the line does not say. */
  timeMs: number;
  requests: number;
  /** The line names several addresses that could be the client, so it is not readable. */
  isAmbiguous: boolean;
}

/** A line of a text: where it begins, and the first character behind it. */
export interface Line {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

/** Reads a line of a format into the request; false if it cannot. Texts hold bytes (Latin-1), as that is the fastest. */
export type ReadLine = (line: Line, request: RequestLine) => boolean;

export const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

export const withoutPort = (address: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

/**
 * A time, or -1: a number of seconds, milliseconds, microseconds or nanoseconds, `10/Oct/2000:13:55:36 -0700`, or what RFC 3339
 * allows. NaN if it has one of these forms and names no moment, such as `31/Feb`: then nobody knows what its line is.
 */
export function timeOf(value: unknown): number {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const unit = UNITS_PER_SECOND.find((perSecond) => Number(text) < MOST_SECONDS * perSecond);
    return unit === undefined ? -1 : Math.round((Number(text) / unit) * 1_000);
  }
  const [, day = '', monthName = '', year = '', clf = '', offset = ''] = CLF_TIME.exec(text) ?? [];
  const month = String(MONTHS.indexOf(monthName.toLowerCase()) + 1).padStart(2, '0');
  const written =
    day === '' ? text.toUpperCase().replace(' ', 'T') : `${year}-${month}-${day}T${clf}${offset}`;
  const [, date = '', time = '', zone = ''] = RFC_3339_TIME.exec(written) ?? [];
  if (date === '') return -1;
  // Date.parse takes the 31st of February for a day in March.
  const asUtc = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(`${date}T${time.slice(0, 8)}`))
    return NaN;
  const ms = Date.parse(`${date}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(ms) || ms >= 0 ? ms : -1;
}

const CLF_TIME = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{4})$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const RFC_3339_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)$/;
/** As seconds, this is the year 5138. */
const MOST_SECONDS = 1e11;
const UNITS_PER_SECOND = [1, 1e3, 1e6, 1e9];
