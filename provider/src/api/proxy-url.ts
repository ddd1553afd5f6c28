import { RequestError } from './errors';

/** Checks a proxy setting; the message never repeats it, as it may hold a password. */
export function parseProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname.length > 1 ||
    url.search !== ''
  ) {
    throw new RequestError('The proxy is not a URL such as http://proxy.example.com:3128');
  }
  return url;
}
