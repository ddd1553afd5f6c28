// IPv4 networks as numbers: nearly all networks of a long list are IPv4, and most of them are compared and never shown.
import { formatAddress } from './address';

/** An IPv4 network, as `cidr.ts` has it. Its text is written on demand, as few texts of a long list are ever read. */
class Ipv4Network {
  readonly family = 4;
  readonly last: number;

  constructor(
    readonly first: number,
    readonly prefixLength: number,
    private written: string | undefined,
  ) {
    this.last = first + 2 ** (32 - prefixLength) - 1;
  }

  get text(): string {
    return (this.written ??= `${formatAddress(4, this.first)}/${this.prefixLength}`);
  }
}

// V8 stores the addresses of all networks in the representation of the first ones. If these were small numbers, it would convert
// every existing network at the first large one, at a microsecond each.
new Ipv4Network(0xffff_ffff, 32, undefined);

/** The IPv4 network that begins at `first`, which must not have host bits. */
export const ipv4NetworkAt = (first: number, prefixLength: number): Ipv4Network =>
  new Ipv4Network(first, prefixLength, undefined);

/** Greater than any prefix length. */
const CODE_STEP = 64;

/** The network that {@link ipv4CodeIn} found, with its text if that is at hand. */
export function ipv4OfCode(code: number, text?: string): Ipv4Network {
  const prefixLength = code % CODE_STEP;
  return new Ipv4Network((code - prefixLength) / CODE_STEP, prefixLength, text);
}

const [ZERO, DOT, SLASH] = [48, 46, 47];

/**
 * A canonical IPv4 network in a part of a text, as one number, by which lists of thousands are compared. The order of the
 * numbers is that of `compareCidrs`.
 */
export function ipv4CodeIn(text: string, start: number, end: number): number | undefined {
  let low = 0;
  let high = 0;
  let position = start;
  for (let part = 0; part < 4; part += 1) {
    let octet = text.charCodeAt(position) - ZERO;
    if (!isDigit(octet)) return undefined;
    position += 1;
    // No digit follows a leading zero.
    for (let digit = text.charCodeAt(position) - ZERO; octet > 0 && isDigit(digit) && octet < 256;) {
      octet = octet * 10 + digit;
      position += 1;
      digit = text.charCodeAt(position) - ZERO;
    }
    if (octet > 255 || text.charCodeAt(position) !== (part < 3 ? DOT : SLASH)) return undefined;
    position += 1;
    if (part < 2) high = high * 256 + octet;
    else low = low * 256 + octet;
  }
  const prefixLength = prefixLengthIn(text, position, end);
  // Whole numbers beyond 31 bits would make the engine compile all of this again.
  const hostMask = prefixLength === undefined ? 0 : hostMaskOfIpv4(prefixLength);
  if (prefixLength === undefined || (low & hostMask) !== 0 || (high & (hostMask >>> 16)) !== 0)
    return undefined;
  return (high + low / 65_536) * (65_536 * CODE_STEP) + prefixLength;
}

const isDigit = (value: number): boolean => value >= 0 && value <= 9;

function prefixLengthIn(text: string, start: number, end: number): number | undefined {
  const leading = text.charCodeAt(start) - ZERO;
  if (!isDigit(leading)) return undefined;
  if (start + 1 === end) return leading;
  const digit = text.charCodeAt(start + 1) - ZERO;
  const length = leading * 10 + digit;
  return start + 2 === end && leading > 0 && isDigit(digit) && length <= 32 ? length : undefined;
}

/** A shift by 32 bits does nothing. */
const hostMaskOfIpv4 = (prefixLength: number): number =>
  prefixLength === 32 ? 0 : 0xffff_ffff >>> prefixLength;
