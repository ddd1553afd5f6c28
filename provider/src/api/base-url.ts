import { RequestError } from './errors';
import { ID_CHARACTERS, isSafeId } from '../values/decoding';
import { addressProblem, withoutSlashesAtEnd } from '../values/service-address';

/** Without a slash at its end. */
export interface BaseUrl {
  readonly href: string;
  readonly origin: string;
  /** `''`, or the path that precedes all request paths: `/api`. */
  readonly pathPrefix: string;
}

/** @throws RequestError with the problem, which never repeats user info. */
export function parseBaseUrl(text: string): BaseUrl {
  const problem =
    addressProblem(text) ?? (/[?#]/.test(text) ? 'must not have a query or fragment' : undefined);
  if (problem !== undefined) throw new RequestError(problem);
  const { origin, pathname } = new URL(text);
  const pathPrefix = withoutSlashesAtEnd(pathname);
  return { href: origin + pathPrefix, origin, pathPrefix };
}

/** An identifier as part of a path. */
export function safe(id: string): string {
  if (isSafeId(id)) return id;
  throw new RequestError(`An identifier must be 1 to 128 ${ID_CHARACTERS}`);
}

/** Checks a proxy setting; the message never repeats it, as it may hold a password. */
export function parseProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname.length <= 1 && url.search === '')
    return url;
  throw new RequestError('is not a URL such as http://proxy.example.com:3128');
}
