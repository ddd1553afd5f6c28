import type { networks } from '../../support/random-program/program';

/** One address for every way in which the networks of the programs are nested. */
const insides: Readonly<Record<(typeof networks)[number], readonly number[]>> = {
  '10.0.0.0/8': [0, 1, 2, 3],
  '10.1.0.0/16': [1, 2, 3],
  '10.1.2.0/24': [2, 3],
  '10.1.2.3/32': [3],
  '192.0.2.0/24': [4],
  '198.51.100.0/24': [5],
  '2001:db8::/32': [6, 7],
  '2001:db8:1::/48': [7],
  '203.0.113.0/24': [8, 9],
  '203.0.113.0/25': [9],
};

const masks = new Map<string, number>(
  Object.entries(insides).map(([network, probes]) => [
    network,
    probes.reduce((mask, probe) => mask | (1 << probe), 0),
  ]),
);

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
