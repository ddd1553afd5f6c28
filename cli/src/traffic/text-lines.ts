// Formats whose lines are no JSON. No parser of npm is used: those of the Common Log Format are unmaintained, and make an object
// of strings of each line, which takes several times as long.
import { type Line, type ReadLine, timeOf, utf8, withoutPort } from './request-line';

const CLF_TIME_LENGTH = '10/Oct/2000:13:55:36 -0700'.length;
const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|(.))/g;

/** Servers write `\x22` or `\"` for a quote. */
const unescaped = (agent: string): string =>
  utf8(
    agent.replace(ESCAPE, (_all, hex: string | undefined, other: string | undefined) =>
      hex === undefined ? (other ?? '') : String.fromCharCode(parseInt(hex, 16)),
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

/** The begin and the end of the next quoted text. */
function nextQuoted(line: Line, from: number): readonly [begin: number, end: number] | undefined {
  const open = line.text.indexOf('"', from);
  if (open < 0 || open >= line.end) return undefined;
  const close = endOfQuoted(line, open + 1);
  return close < 0 ? undefined : [open + 1, close];
}

/** The header in a log, in which a dash stands for none. */
const agentIn = ({ text }: Line, [begin, end]: readonly [number, number]): string | null =>
  end - begin === 1 && text[begin] === '-' ? null : text.slice(begin, end);

/** Common and Combined Log Format, with anything behind them: `address ident user [time] "request" status bytes "referer" "agent"`. */
export function commonLogReader(): ReadLine {
  // Most lines have the second of the line before.
  let lastTime = '';
  let lastMs = -1;
  return (line, request) => {
    const { text, begin, end } = line;
    const space = text.indexOf(' ', begin);
    const bracket = text.indexOf('[', space);
    if (space < 0 || bracket < 0 || bracket >= end) return false;
    const first = nextQuoted(line, bracket);
    if (!first) return false;
    if (lastTime === '' || !text.startsWith(lastTime, bracket + 1)) {
      // A slice would keep all of its text in memory.
      lastTime = Buffer.from(text.slice(bracket + 1, bracket + 1 + CLF_TIME_LENGTH), 'latin1').toString(
        'latin1',
      );
      lastMs = timeOf(lastTime);
    }
    const referer = nextQuoted(line, first[1] + 1);
    const agent = referer && nextQuoted(line, referer[1] + 1);
    request.address = text.slice(begin, space);
    request.agent = agent && agentIn(line, agent);
    request.decode = unescaped;
    request.timeMs = lastMs;
    request.requests = 1;
    return true;
  };
}

/** Whether a line may be one of an AWS Application Load Balancer: they begin with the protocol. */
export const isLoadBalancerLine = ({ text, begin }: Line): boolean =>
  PROTOCOLS.some((protocol) => text.startsWith(protocol, begin));
const PROTOCOLS = ['http ', 'https ', 'h2 ', 'grpcs ', 'ws ', 'wss '];

/** `type time elb client:port target:port … "request" "agent"`. */
export const readLoadBalancerLine: ReadLine = (line, request) => {
  const { text, begin, end } = line;
  const [, time, , client] = text.slice(begin, Math.min(end, begin + 400)).split(' ');
  const first = nextQuoted(line, begin);
  const agent = first && nextQuoted(line, first[1] + 1);
  if (client === undefined || !agent) return false;
  request.address = withoutPort(client);
  request.agent = agentIn(line, agent);
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
    const found = value(address);
    if (found === undefined) return false;
    request.address = found;
    const header = value(agent);
    request.agent = header === '-' ? null : header;
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
