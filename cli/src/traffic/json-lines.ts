import { type ReadLine, timeOf, utf8, withoutPort } from './request-line';
import { percentDecoded } from './text-lines';
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

/** One JSON object a line. */
export function jsonReader(given: FieldNames): ReadLine {
  const paths = (field: keyof FieldNames) =>
    (given[field] === undefined || columnOf(given) !== undefined ? KNOWN[field] : [given[field]]).map(
      (name) => ({
        name,
        steps: name.split('.'),
      }),
    );
  const [address, agent, time, count] = [paths('address'), paths('agent'), paths('time'), paths('count')];
  return ({ text, begin, end }, request) => {
    const object = parsed(utf8(text.slice(begin, end)));
    const found = object && first(object, address)?.value;
    if (!object || typeof found !== 'string') return false;
    const header = first(object, agent);
    const requests = first(object, count)?.value ?? 1;
    request.address = withoutPort(found);
    request.agent = header && textOf(header.value);
    request.decode = header?.name === 'cs(User-Agent)' ? percentDecoded : asItIs;
    request.timeMs = timeIn(object, first(object, time)?.value);
    request.requests = Number(requests);
    return Number.isSafeInteger(request.requests) && request.requests > 0;
  };
}

type Members = Readonly<Record<string, unknown>>;

const asItIs = (text: string): string => text;

function parsed(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Member {
  readonly name: string;
  readonly value: unknown;
}

interface Path {
  readonly name: string;
  readonly steps: readonly string[];
}

/** The first member that is there. Without any, an object of headers that lacks one says that there was none. */
function first(object: Members, paths: readonly Path[]): Member | undefined {
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
const timeIn = ({ date }: Members, time: unknown): number =>
  typeof date === 'string' && typeof time === 'string' ? timeOf(`${date}T${time}Z`) : timeOf(time);
