import { isIP } from 'node:net';
import { isVisibleAscii } from '../values/printable';

/** Why a document must not be fetched from an address; undefined if it may. Never repeats the address. */
export function urlProblem(text: string): string | undefined {
  if (!isVisibleAscii(text) || text.includes('\\') || !URL.canParse(text))
    return '"url" must be an address such as https://lists.example.com/networks.txt';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') return '"url" must not hold a user name or password';
  if (hash !== '') return '"url" must not have a fragment';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return '"url" must begin with https://';
}

// Only an address that cannot leave the machine may be used without encryption.
const isLoopback = (hostname: string): boolean =>
  hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
