// What the review asks of Node's `net`, which a browser does not have. A test compares both.
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);
const GROUP = /^[\da-f]{1,4}$/i;
const GROUPS = 8;

export const isIPv4 = (text: string): boolean => IPV4.test(text);

export function isIPv6(text: string): boolean {
  const [address = '', zone, ...more] = text.split('%');
  if (more.length > 0 || (zone !== undefined && !/^[\da-z.:-]+$/i.test(zone))) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const hasTail = last !== undefined && isIPv4(last) && !address.endsWith('::');
  const plain = hasTail ? groups.slice(0, -1) : groups;
  const length = plain.length + (hasTail ? 2 : 0);
  return (
    plain.every((group) => GROUP.test(group)) && (halves.length === 2 ? length < GROUPS : length === GROUPS)
  );
}

export const isIP = (text: string): 0 | 4 | 6 => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);
