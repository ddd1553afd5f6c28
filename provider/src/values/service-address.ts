/**
 * The address of a service in the one spelling by which addresses are compared: scheme and host in lower case, no default port, no
 * slash at the end, and no character of the path encoded that need not be. A text that is no URL stays as it is.
 */
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
 * Whether the host of a parsed URL is an address that cannot leave the machine: only such a one may be used without encryption. A
 * name such as `localhost` can resolve to anything.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
