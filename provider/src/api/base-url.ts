import { RequestError } from './errors';
import { isSafeId } from '../values/identifiers';
import { isVisibleAscii } from '../values/printable';
import { isLoopback, withoutSlashesAtEnd } from '../values/service-address';

/** The checked address of the service, without a slash at its end. */
export interface BaseUrl {
  readonly href: string;
  readonly origin: string;
  /** `''`, or the path that precedes all request paths: `/api`. */
  readonly pathPrefix: string;
}

const tryParse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

function refuse(problem: string): never {
  throw new RequestError(`The base URL ${problem}`);
}

/** Checks a base URL. Throws a RequestError that says what is wrong and never repeats user info. */
export function parseBaseUrl(text: string): BaseUrl {
  // The URL parser drops tabs and line ends and turns backslashes into slashes, so the text must not contain any.
  if (!isVisibleAscii(text) || text.includes('\\'))
    refuse('contains spaces, backslashes or other characters that do not belong in a URL');
  const url = tryParse(text) ?? refuse('is not a URL such as https://api.example.com');
  if (url.username !== '' || url.password !== '') refuse('must not contain a user name or password');
  if (/[?#]/.test(text)) refuse('must not have a query or fragment');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    refuse(
      'must start with https:// (http:// is allowed only for a loopback address such as http://127.0.0.1:4010, not for ' +
        '"localhost", which the machine resolves)',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('must start with https://');
  const pathPrefix = withoutSlashesAtEnd(url.pathname);
  return { href: url.origin + pathPrefix, origin: url.origin, pathPrefix };
}

/** Whether a URL is at the origin of the base URL and at or below its path, without user info. */
export const isBelow = (base: BaseUrl, url: URL): boolean =>
  url.origin === base.origin &&
  url.username === '' &&
  url.password === '' &&
  url.pathname.startsWith(`${base.pathPrefix}/`);

/** The URL of a target (path and query below the base URL). Throws if it would lead anywhere else. */
export function resolveTarget(base: BaseUrl, target: string): URL {
  const url = tryParse(base.href + target);
  if (url === undefined || !target.startsWith('/') || !isBelow(base, url)) {
    throw new RequestError('A request would have gone outside the base URL');
  }
  return url;
}

/** An identifier as part of a path. */
export function safe(id: string): string {
  if (isSafeId(id)) return id;
  throw new RequestError('An identifier must be 1 to 128 letters, digits, _ or -');
}

/** Checks a proxy setting; the message never repeats it, as it may hold a password. */
export function parseProxy(text: string): URL {
  const url = tryParse(text);
  const isProxy =
    url !== undefined && /^https?:$/.test(url.protocol) && url.pathname.length <= 1 && url.search === '';
  if (isProxy) return url;
  throw new RequestError('The proxy is not a URL such as http://proxy.example.com:3128');
}
