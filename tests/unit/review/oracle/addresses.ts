import type { CidrSet } from '../../../../review/src/access/cidr-set';

const valueOf = (ip: string): number =>
  ip.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);

/** Behind an odd number of its boundaries an address is in a set. */
export const holds = (set: CidrSet, ip: string): boolean =>
  set[4].filter((boundary) => boundary <= valueOf(ip)).length % 2 === 1;
