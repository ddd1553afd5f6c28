// What for: networks, policy documents, patterns, times: parse, canonical form, equality; pure.
// Must not know: any other folder: neither fields nor requests nor Pulumi.
import { addressBits, formatAddress, parseAddress, type Address, type Family } from './address';
import { echo } from './failure';

// IPv4 networks as numbers, which are faster than the large integers of IPv6. Nearly all networks of a long list are IPv4.

const network = (first: number, prefixLength: number, text: string): Ipv4Cidr => ({
  text,
  family: 4,
  prefixLength,
  first,
  last: first + 2 ** (32 - prefixLength) - 1,
});

// V8 stores the addresses of all networks in the representation of the first ones. If these were small numbers, it would convert
// every existing network at the first large one, at a microsecond each.
network(0xffff_ffff, 32, '255.255.255.255/32');

/** The IPv4 network that begins at `first`, which must not have host bits. */
export const ipv4NetworkAt = (first: number, prefixLength: number): Ipv4Cidr =>
  network(first, prefixLength, `${formatAddress(4, first)}/${prefixLength}`);

const OCTET = '(0|[1-9][0-9]{0,2})';
const CANONICAL = new RegExp(String.raw`^${OCTET}\.${OCTET}\.${OCTET}\.${OCTET}/([0-9]|[12][0-9]|3[0-2])$`);

/** A canonical IPv4 network with its prefix length; undefined for any other text. */
function canonicalIpv4(text: string): Ipv4Cidr | undefined {
  const parts = CANONICAL.exec(text);
  if (parts === null) return undefined;
  let first = 0;
  for (let part = 1; part <= 4; part += 1) {
    const octet = Number(parts[part]);
    if (octet > 255) return undefined;
    first = first * 256 + octet;
  }
  const prefixLength = Number(parts[5]);
  return first % 2 ** (32 - prefixLength) === 0 ? network(first, prefixLength, text) : undefined;
}

/** A network: every address from `first` to `last`. */
export type Cidr = Ipv4Cidr | Ipv6Cidr;

interface Network<AddressFamily extends Family, Value> {
  /** Canonical text: no host bits, always with the prefix length, IPv6 in RFC 5952 form. */
  readonly text: string;
  readonly family: AddressFamily;
  readonly prefixLength: number;
  readonly first: Value;
  readonly last: Value;
}

type Ipv4Cidr = Network<4, number>;

type Ipv6Cidr = Network<6, bigint>;

type CidrParse = { readonly ok: true; readonly cidr: Cidr } | CidrRefusal;

interface CidrRefusal {
  readonly ok: false;
  /** A sentence that names the text and the suggestions, if any, the narrowest first. */
  readonly reason: string;
  /** Canonical networks that may have been meant, the likeliest first. */
  readonly suggestions: readonly string[];
}

/** A bare address is a network of one. A text with two readings is refused, with the readings as suggestions. */
export function parseCidr(text: string): CidrParse {
  // Nearly all networks of a long list are of this form, and the strict reading takes some twenty times as long.
  const cidr = canonicalIpv4(text);
  return cidr === undefined ? parseStrictly(text) : { ok: true, cidr };
}

function parseStrictly(text: string): CidrParse {
  const trimmed = text.trim();
  if (trimmed === '') return refuse(text, 'is empty: expected an address or range such as 192.0.2.0/24');
  if (trimmed !== text) return refuse(text, 'has spaces around it', readingsOf(trimmed));

  const [addressText = '', prefixText, ...rest] = text.split('/');
  if (rest.length > 0) return refuse(text, 'has more than one slash');
  const address = parseAddress(addressText);
  if ('reason' in address) return refuse(text, address.reason);
  const prefixLength = readPrefixLength(prefixText, address.family);
  if (prefixLength === undefined) return refusePrefix(text, address);
  if (isIpv4Mapped(address)) return refuseIpv4Mapped(text, address, prefixLength);

  if ((address.value & hostMask(address.family, prefixLength)) === 0n) {
    return { ok: true, cidr: networkFrom(address, prefixLength) };
  }
  const network = networkAt(address.family, address.value, prefixLength);
  const suggestions = [network.text, `${address.text}/${addressBits(address.family)}`];
  return refuse(text, `has bits set after its first ${prefixLength}`, suggestions);
}

/** The network that a text names, if it does. */
export function networkIn(text: string): Cidr | undefined {
  const parsed = parseCidr(text);
  return parsed.ok ? parsed.cidr : undefined;
}

/** The canonical text of a network; any other text is returned as it is. */
export const canonicalCidr = (text: string): string => networkIn(text)?.text ?? text;

export const isCidr = (text: string): boolean => parseCidr(text).ok;

/** Whether two texts mean the same network; texts that are not networks must be identical. */
export function sameCidr(a: string, b: string): boolean {
  return a === b || canonicalCidr(a) === canonicalCidr(b);
}

/** Sort order: IPv4 before IPv6, then by first address, then the wider network first. */
export function compareCidrs(a: Cidr, b: Cidr): number {
  if (a.family !== b.family) return a.family - b.family;
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.prefixLength - b.prefixLength;
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export const sizeOfCidr = ({ family, prefixLength }: Cidr): bigint =>
  1n << BigInt(addressBits(family) - prefixLength);

/** The network of a given length that an address lies in. */
export function networkAt(family: Family, value: bigint, prefixLength: number): Cidr {
  const first = value & ~hostMask(family, prefixLength);
  return networkFrom({ family, value: first, text: formatAddress(family, first) }, prefixLength);
}

function networkFrom({ family, value, text }: Address, prefixLength: number): Cidr {
  if (family === 4) return ipv4NetworkAt(Number(value), prefixLength);
  const last = value | hostMask(family, prefixLength);
  return { text: `${text}/${prefixLength}`, family, prefixLength, first: value, last };
}

const hostMask = (family: Family, prefixLength: number): bigint =>
  (1n << BigInt(addressBits(family) - prefixLength)) - 1n;

const CANONICAL_PREFIX = /^(?:0|[1-9]\d{0,2})$/;

function readPrefixLength(text: string | undefined, family: Family): number | undefined {
  if (text === undefined) return addressBits(family);
  if (!CANONICAL_PREFIX.test(text) || Number(text) > addressBits(family)) return undefined;
  return Number(text);
}

function refusePrefix(text: string, { family }: Address): CidrRefusal {
  return refuse(text, `must have a whole number from 0 to ${addressBits(family)} after the slash`);
}

const isIpv4Mapped = (address: Address): boolean => address.family === 6 && address.value >> 32n === 0xffffn;

// Software disagrees on whether ::ffff:192.0.2.1 is an IPv4 or an IPv6 address. In an access policy that is the difference
// between open and shut.
function refuseIpv4Mapped(text: string, address: Address, prefixLength: number): CidrRefusal {
  const ipv4 = formatAddress(4, address.value & 0xffffffffn);
  const suggestions =
    prefixLength >= 96
      ? readingsOf(`${ipv4}/${prefixLength - 96}`)
      : [networkAt(6, address.value, prefixLength).text, `${ipv4}/32`];
  return refuse(text, 'is an IPv4 address in IPv6 notation', suggestions);
}

/** The networks that a corrected text can mean: the text itself, or what its own refusal suggests. */
function readingsOf(text: string): readonly string[] {
  const parsed = parseCidr(text);
  return parsed.ok ? [parsed.cidr.text] : parsed.suggestions;
}

/** The narrowest first, each with its size: whoever takes the first one opens no more than was meant. */
function choiceOf(suggestions: readonly string[]): readonly string[] {
  const networks = suggestions.map(parseCidr).flatMap((parsed) => (parsed.ok ? [parsed.cidr] : []));
  if (networks.length < 2) return suggestions;
  return networks
    .toSorted((one, other) => Number(sizeOfCidr(one) - sizeOfCidr(other)))
    .map((network) => `${network.text} (${addressesIn(network)})`);
}

function addressesIn({ family, prefixLength }: Cidr): string {
  const bits = addressBits(family) - prefixLength;
  if (bits === 0) return '1 address';
  return `${family === 4 ? (2 ** bits).toLocaleString('en-US') : `2^${bits}`} addresses`;
}

function refuse(text: string, problem: string, suggestions: readonly string[] = []): CidrRefusal {
  const hint = suggestions.length === 0 ? '' : `: did you mean ${choiceOf(suggestions).join(' or ')}?`;
  return { ok: false, reason: `${echo(text)} ${problem}${hint}`, suggestions };
}
