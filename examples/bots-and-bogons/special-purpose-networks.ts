/** A network that RFC 6890 and its successors set aside: traffic from the internet never comes from there. */
export interface SpecialPurposeNetwork {
  readonly cidr: string;
  readonly purpose: string;
}

/** The special-purpose address registries (RFC 6890) without the globally reachable entries. */
export const specialPurposeNetworks: readonly SpecialPurposeNetwork[] = [
  { cidr: '0.0.0.0/8', purpose: 'this-network' },
  { cidr: '10.0.0.0/8', purpose: 'private-use-10' },
  { cidr: '100.64.0.0/10', purpose: 'shared-address-space' },
  { cidr: '127.0.0.0/8', purpose: 'loopback' },
  { cidr: '169.254.0.0/16', purpose: 'link-local' },
  { cidr: '172.16.0.0/12', purpose: 'private-use-172' },
  { cidr: '192.0.0.0/24', purpose: 'ietf-protocol-assignments' },
  { cidr: '192.0.2.0/24', purpose: 'documentation-1' },
  { cidr: '192.168.0.0/16', purpose: 'private-use-192' },
  { cidr: '198.18.0.0/15', purpose: 'benchmarking' },
  { cidr: '198.51.100.0/24', purpose: 'documentation-2' },
  { cidr: '203.0.113.0/24', purpose: 'documentation-3' },
  { cidr: '240.0.0.0/4', purpose: 'reserved' },
  { cidr: '::1/128', purpose: 'loopback-v6' },
  { cidr: '::ffff:0:0/96', purpose: 'ipv4-mapped' },
  { cidr: '100::/64', purpose: 'discard-only' },
  { cidr: '2001:db8::/32', purpose: 'documentation-v6' },
  { cidr: 'fc00::/7', purpose: 'unique-local' },
  { cidr: 'fe80::/10', purpose: 'link-local-v6' },
];
