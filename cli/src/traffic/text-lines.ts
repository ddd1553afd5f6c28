// Formats whose lines are no JSON. No parser of npm is used: those of the Common Log Format are unmaintained, and make an object
// of strings of each line, which takes several times as long.
import { isIP } from 'node:net';
import { type Line, type ReadLine, timeOf, utf8, withoutPort } from './request-line';

const CLF_TIME_LENGTH = '10/Oct/2000:13:55:36 -0700'.length;
const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|(.))/g;

/** Servers write `\x22` or `\"` for a quote; Apache, `\t` for a tab, the one control character that a header may hold. */
const unescaped = (agent: string): string =>
  utf8(
    agent.replace(ESCAPE, (_all, hex: string | undefined, other: string | undefined) =>
      hex === undefined ? (other?.replace('t', '\t') ?? '') : String.fromCharCode(parseInt(hex, 16)),
    ),
  );

/** Where the quoted text ends that begins there: at a quote that is not escaped; -1 if the line has none. */
function endOfQuoted({ text, end }: Line, begin: number): number {
  for (let at = text.indexOf('"', begin); at >= 0 && at < end; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

const BACKSLASH = 92;

/** Where the next quoted text begins; -1 if the line has none. */
function beginOfQuoted({ text, end }: Line, from: number): number {
  const open = text.indexOf('"', from);
  return open < 0 || open >= end ? -1 : open + 1;
}

/** Where the quoted text behind another one is: nothing is made for each line, as there are millions. */
function quotedAfter(line: Line, begin: number): number {
  const end = begin < 0 ? -1 : endOfQuoted(line, begin);
  return end < 0 ? -1 : beginOfQuoted(line, end + 1);
}

/** The header that begins there; null if it is absent or empty, and undefined if the line has none. */
function agentAt(line: Line, begin: number): string | null | undefined {
  const end = begin < 0 ? -1 : endOfQuoted(line, begin);
  if (end < 0) return undefined;
  const isNone = end === begin || (end - begin === 1 && line.text.charCodeAt(begin) === DASH);
  return isNone ? null : line.text.slice(begin, end);
}

const DASH = 45;

/**
 * Common and Combined Log Format, with anything behind them: `address ident user [time] "request" status bytes "referer" "agent"`.
 * The client may be in another column before the request, counted from 1; without its number, no other may hold an address.
 */
export function commonLogReader(column: number | undefined): ReadLine {
  // Most lines have the second of the line before.
  let lastTime = '';
  let lastMs = -1;
  return (line, request) => {
    const { text, begin, end } = line;
    const space = text.indexOf(' ', begin);
    const opening = text.indexOf('[', space);
    if (space < 0 || opening < 0 || opening >= end) return false;
    const first = beginOfQuoted(line, opening);
    if (first < 0 || endOfQuoted(line, first) < 0) return false;
    // An address of IPv6 may be in brackets, too.
    const bracket = text.lastIndexOf('[', first);
    if (lastTime === '' || !text.startsWith(lastTime, bracket + 1)) {
      // A slice would keep all of its text in memory.
      lastTime = Buffer.from(text.slice(bracket + 1, bracket + 1 + CLF_TIME_LENGTH), 'latin1').toString(
        'latin1',
      );
      lastMs = timeOf(lastTime);
    }
    const isTimeAlone = opening === bracket && first - bracket === CLF_TIME_LENGTH + 4;
    if (column !== undefined) {
      request.address = withoutPort(text.slice(begin, first).split(/ +/)[column - 1] ?? '');
    } else {
      request.address = text.slice(begin, space);
      request.isAmbiguous =
        !(isTimeAlone && text.startsWith(' - - [', space)) &&
        isAddress(request.address) &&
        text.slice(space, first).split(AROUND_ADDRESSES).some(isAddress);
      if (request.isAmbiguous) return false;
    }
    request.agent = agentAt(line, quotedAfter(line, quotedAfter(line, first)));
    request.decode = unescaped;
    request.timeMs = lastMs;
    request.requests = 1;
    return true;
  };
}

/** What formats put around an address, such as quotes, brackets or a name and an equals sign. */
const AROUND_ADDRESSES = /: |[^\dA-Fa-f:.]+/;

const isAddress = (text: string): boolean => isIP(withoutPort(text)) !== 0;

/** Whether a line may be one of an AWS Application Load Balancer: they begin with the protocol. */
export const isLoadBalancerLine = ({ text, begin }: Line): boolean =>
  text.charCodeAt(begin) >= LETTER_G && PROTOCOLS.some((protocol) => text.startsWith(protocol, begin));
/** All protocols begin behind the digits and letters of addresses. */
const LETTER_G = 103;
const PROTOCOLS = ['http ', 'https ', 'h2 ', 'grpcs ', 'ws ', 'wss '];

/** `type time elb client:port target:port … "request" "agent"`. */
export const readLoadBalancerLine: ReadLine = (line, request) => {
  const { text, begin, end } = line;
  const [, time, , client] = text.slice(begin, Math.min(end, begin + 400)).split(' ');
  const agent = agentAt(line, quotedAfter(line, beginOfQuoted(line, begin)));
  if (client === undefined || agent === undefined) return false;
  // The port is always there, and behind IPv6 without brackets it would be read as a part of the address.
  request.address = withoutPort(client.replace(/:\d+$/, ''));
  request.agent = agent;
  request.decode = unescaped;
  request.timeMs = timeOf(time);
  request.requests = 1;
  return true;
};

/** Extended log files, as CloudFront writes them: tabs between the columns that `#Fields:` names. */
export function extendedLogReader(header: string): ReadLine {
  const columns = header.trim().split(/\s+/).slice(1);
  const [address, agent, date, time] = ['c-ip', 'cs(User-Agent)', 'date', 'time'].map((name) =>
    columns.indexOf(name),
  );
  return ({ text, begin, end }, request) => {
    const values = text.slice(begin, end).split('\t');
    const value = (at = -1) => values[at];
    const clientAddress = value(address);
    if (clientAddress === undefined) return false;
    request.address = clientAddress;
    const header = value(agent);
    request.agent = header === '-' || header === '' ? null : header;
    request.decode = percentDecoded;
    request.timeMs = timeOf(`${value(date) ?? ''}T${value(time) ?? ''}Z`);
    request.requests = 1;
    return true;
  };
}

/** CloudFront encodes spaces and other characters as in an address; what is no such encoding is as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(utf8(text));
  } catch {
    return utf8(text);
  }
}

const PLAIN = /^\s*(?:(\d+)\s+)?([0-9A-Fa-f:.]+)(?:[\s,;]+(\d+))?\s*$/;

/** An address alone, or with a number of requests before it, as from `uniq -c`, or behind it. */
export const readPlainLine: ReadLine = ({ text, begin, end }, request) => {
  const [, before, address, behind] = PLAIN.exec(text.slice(begin, end)) ?? [];
  if (address === undefined) return false;
  request.address = address;
  request.agent = undefined;
  request.timeMs = -1;
  request.requests = Number(before ?? behind ?? '1');
  return Number.isSafeInteger(request.requests) && request.requests > 0;
};
