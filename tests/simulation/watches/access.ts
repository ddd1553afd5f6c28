import type { networks } from '../../support/random-program/program';

/** One address for every way in which the networks of the programs are nested, as a bit. */
const insides: Readonly<Record<(typeof networks)[number], number>> = {
  '10.0.0.0/8': 0b1111,
  '10.1.0.0/16': 0b1110,
  '10.1.2.0/24': 0b1100,
  '10.1.2.3/32': 0b1000,
  '192.0.2.0/24': 0b1_0000,
  '198.51.100.0/24': 0b10_0000,
  '2001:db8::/32': 0b1100_0000,
  '2001:db8:1::/48': 0b1000_0000,
  '203.0.113.0/24': 0b11_0000_0000,
  '203.0.113.0/25': 0b10_0000_0000,
};

const masks = new Map<string, number>(Object.entries(insides));

/** The addresses that a policy lets in, as bits: those that match an allow and no deny. */
export function letIn(rules: Iterable<{ readonly cidr: string; readonly action: string }>): number {
  let allowed = 0;
  let denied = 0;
  for (const { cidr, action } of rules) {
    const mask = masks.get(cidr) ?? 0;
    if (action === 'allow') allowed |= mask;
    else denied |= mask;
  }
  return allowed & ~denied;
}
