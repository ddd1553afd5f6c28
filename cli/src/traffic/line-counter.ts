import { isObject, type JsonObject } from 'pulumi-edge-policy/internal/values/decoding';
import type { ClientCounter } from './client-counter';
import { type Line, type ReadLine, type RequestLine, timeOf, utf8, withoutPort } from './request-line';
import {
  commonLogReader,
  extendedLogReader,
  isLoadBalancerLine,
  readLoadBalancerLine,
  readPlainLine,
  percentDecoded,
} from './text-lines';
import { columnOf, type FieldNames } from './traffic-options';

/** The names that servers give, the first one that a line has counts. A header that a proxy passes on is none of them. */
const KNOWN: Readonly<Record<keyof FieldNames, readonly string[]>> = {
  address: [
    'remote_addr', // nginx
    'request.client_ip', // Caddy: the client as trusted proxies say
    'request.remote_ip',
    'downstream_remote_address', // Envoy
    'c-ip', // CloudFront
    'client_ip', // AWS ALB, by the names of its documentation
    'client',
  ],
  agent: ['http_user_agent', 'request.headers.User-Agent', 'user_agent', 'cs(User-Agent)'],
  time: ['time_iso8601', 'time_local', 'msec', 'ts', 'start_time', 'timestamp', 'time'],
  count: [],
};

function jsonReader(given: FieldNames): ReadLine {
  const paths = (field: keyof FieldNames) =>
    (given[field] === undefined || columnOf(given) !== undefined ? KNOWN[field] : [given[field]]).map(
      (name) => ({ name, steps: name.split('.') }),
    );
  const [address, agent, time, count] = [paths('address'), paths('agent'), paths('time'), paths('count')];
  return ({ text, begin, end }, request) => {
    const object = parsed(utf8(text.slice(begin, end)));
    const clientAddress = object && first(object, address)?.value;
    if (!object || typeof clientAddress !== 'string') return false;
    const header = first(object, agent);
    const requests = first(object, count)?.value ?? 1;
    request.address = withoutPort(clientAddress);
    request.agent = header && textOf(header.value);
    request.decode = header?.name === 'cs(User-Agent)' ? percentDecoded : asItIs;
    request.timeMs = timeIn(object, first(object, time)?.value);
    request.requests = Number(requests);
    return Number.isSafeInteger(request.requests) && request.requests > 0;
  };
}

const asItIs = (text: string): string => text;

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Member {
  readonly name: string;
  readonly value: unknown;
}

interface Path {
  readonly name: string;
  readonly steps: readonly string[];
}

/** The first member that is there. Without any, an object of headers that lacks one says that there was none. */
function first(object: JsonObject, paths: readonly Path[]): Member | undefined {
  const members = paths.flatMap(({ name, steps }): Member[] => {
    if (Object.hasOwn(object, name)) return [{ name, value: object[name] }];
    let parent: unknown = steps.length > 1 ? object : undefined;
    for (const step of steps.slice(0, -1)) parent = isObject(parent) ? parent[step] : undefined;
    return isObject(parent) ? [{ name, value: parent[steps.at(-1) ?? name] }] : [];
  });
  return members.find(({ value }) => value !== undefined) ?? members[0];
}

/** A header as a text or, as Caddy has it, a list of them; null if it is absent or empty; undefined if it is anything else. */
function textOf(value: unknown): string | null | undefined {
  const header: unknown = Array.isArray(value) ? value[0] : value;
  if (header === undefined || header === null || header === '-' || header === '') return null;
  return typeof header === 'string' ? header : undefined;
}

/** CloudFront writes date and time apart. */
const timeIn = ({ date }: JsonObject, time: unknown): number =>
  typeof date === 'string' && typeof time === 'string' ? timeOf(`${date}T${time}Z`) : timeOf(time);

/** Longer lines are not read: no server writes them, and they must not fill the memory. */
const LONGEST_LINE = 256 * 1024;

/** In UTF-8, as editors on Windows write it before the first line. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

const [OPENING_BRACE, HASH] = ['{', '#'].map((text) => text.charCodeAt(0));

/** Reads the lines of a file, in whatever formats they are, and counts their clients. */
export class LineCounter {
  lines = 0;
  unreadable = 0;
  ambiguous = 0;
  firstUnreadable: number | undefined;

  private number = 0;
  private rest = '';
  private isTooLong = false;
  private readonly readJson: ReadLine;
  private readonly readCommonLog: ReadLine;
  private readExtendedLog: ReadLine | undefined;
  private readonly request: RequestLine = {
    ...{ address: '', agent: undefined, timeMs: -1, requests: 1, isAmbiguous: false },
    decode: asItIs,
  };

  constructor(
    private readonly clients: ClientCounter,
    fields: FieldNames = {},
  ) {
    this.readJson = jsonReader(fields);
    this.readCommonLog = commonLogReader(columnOf(fields));
  }

  add(chunk: Buffer): void {
    const text = this.rest + chunk.toString('latin1');
    let begin = this.number === 0 && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    let [feed, carriage] = [text.indexOf('\n'), text.indexOf('\r')];
    for (;;) {
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed);
      const end = isCarriage ? carriage : feed;
      // What follows a carriage return decides whether it ends the line alone.
      if (end < 0 || (isCarriage && end === text.length - 1)) break;
      this.line(text, begin, end);
      begin = end + (isCarriage && feed === end + 1 ? 2 : 1);
      if (feed >= 0 && feed < begin) feed = text.indexOf('\n', begin);
      if (isCarriage) carriage = text.indexOf('\r', begin);
    }
    this.rest = text.slice(begin);
    if (this.rest.length <= LONGEST_LINE) return;
    this.rest = '';
    this.isTooLong = true;
  }

  /** Reads what is left, if the last line has no end. */
  end(): void {
    const rest = this.rest.endsWith('\r') ? this.rest.slice(0, -1) : this.rest;
    if (rest !== '' || this.isTooLong) this.line(rest, 0, rest.length);
  }

  private line(text: string, begin: number, end: number): void {
    this.number += 1;
    if (this.isTooLong) {
      this.isTooLong = false;
      this.count(false);
    } else if (end > begin) this.content({ text, begin, end });
  }

  private content(line: Line): void {
    const first = line.text.charCodeAt(line.begin);
    // Comments, and the head of an extended log file.
    if (first === HASH) {
      const comment = line.text.slice(line.begin, line.end);
      if (comment.startsWith('#Fields:')) this.readExtendedLog = extendedLogReader(comment);
      return;
    }
    this.request.isAmbiguous = false;
    const isRead = this.readerOf(line, first)(line, this.request) && !Number.isNaN(this.request.timeMs);
    this.count(isRead && this.clients.add(this.request));
  }

  private readerOf(line: Line, first: number): ReadLine {
    if (first === OPENING_BRACE) return this.readJson;
    if (this.readExtendedLog) return this.readExtendedLog;
    if (isLoadBalancerLine(line)) return readLoadBalancerLine;
    const bracket = line.text.indexOf('[', line.begin);
    return bracket >= 0 && bracket < line.end ? this.readCommonLog : readPlainLine;
  }

  private count(isReadable: boolean): void {
    this.lines += 1;
    if (isReadable) return;
    this.unreadable += 1;
    if (this.request.isAmbiguous) this.ambiguous += 1;
    this.firstUnreadable ??= this.number;
  }
}
