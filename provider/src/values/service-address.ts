import { isVisibleAscii } from './printable';

/** The one spelling for comparison: lower case, no default port, no last slash, nothing encoded needlessly. */
export function serviceAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, plainly);
  return withoutSlashesAtEnd(url.href);
}

// A regular expression for this would take quadratic time on a text with many slashes elsewhere.
export function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

/** RFC 3986, 6.2.2: an unreserved character means the same encoded and plain, and the case of the digits does not count. */
function plainly(code: string): string {
  const character = String.fromCharCode(parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : code.toUpperCase();
}

/**
 * Undefined if a request may go there. Without encryption, only an address that cannot leave the machine is allowed:
 * `localhost` can resolve to anything. Never repeats the address.
 */
export function addressProblem(text: string): string | undefined {
  // The URL parser drops tabs and line ends and turns backslashes into slashes, so the text must not contain any.
  if (!isVisibleAscii(text) || text.includes('\\'))
    return 'contains spaces, backslashes or other characters that do not belong in a URL';
  if (!URL.canParse(text)) return 'is not a URL such as https://api.example.com';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  const isLoopback = hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return undefined;
  return (
    'must start with https:// (http:// is allowed only for a loopback address such as http://127.0.0.1:4010, not for ' +
    '"localhost", which the machine resolves)'
  );
}
