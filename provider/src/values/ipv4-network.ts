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

const OCTET = '(0|[1-9][0-9]{0,2})';
const CANONICAL = new RegExp(String.raw`^${OCTET}\.${OCTET}\.${OCTET}\.${OCTET}/([0-9]|[12][0-9]|3[0-2])$`);

/** A canonical IPv4 network with its prefix length; undefined for any other text. */
export function canonicalIpv4(text: string): Ipv4Network | undefined {
  const parts = CANONICAL.exec(text);
  if (parts === null) return undefined;
  let first = 0;
  for (let part = 1; part <= 4; part += 1) {
    const octet = Number(parts[part]);
    if (octet > 255) return undefined;
    first = first * 256 + octet;
  }
  const prefixLength = Number(parts[5]);
  return first % 2 ** (32 - prefixLength) === 0 ? new Ipv4Network(first, prefixLength, text) : undefined;
}
