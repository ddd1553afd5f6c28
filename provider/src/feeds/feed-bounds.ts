import { UserError } from '../errors/user-error';
import type { Family } from '../values/address';
import { type Cidr, overlaps } from '../values/cidr';
import { ipv4InIpv6, specialNetworks } from '../values/special-networks';

export interface FeedBounds {
  /** The smallest share of the locked networks, and of their addresses in each family, that must remain. */
  readonly atLeast: number;
  /** How many times as many networks and addresses as locked there may be. */
  readonly atMost: number;
  /** The shortest prefix that a network may have. */
  readonly widest: Readonly<Record<Family, number>>;
  /** Whether networks may hold addresses that are not on the public internet. */
  readonly isSpecialAllowed: boolean;
  /** Of names alone: how many addresses they may have together. It takes the place of `atLeast` and `atMost`. */
  readonly mostAddresses?: number;
}

/** A third fewer and twice as many: single steps of publishers have changed as much as a fifth. */
export const DEFAULT_BOUNDS: FeedBounds = {
  atLeast: 2 / 3,
  atMost: 2,
  widest: { 4: 8, 6: 16 },
  isSpecialAllowed: false,
};

/** The bounds of names, which have single addresses on the public internet. */
export const boundsOfNames = (mostAddresses: number): FeedBounds => ({
  ...DEFAULT_BOUNDS,
  widest: { 4: 32, 6: 128 },
  mostAddresses,
});

/** Networks that no publisher lists, and more addresses than names may have. @throws UserError that names the first one. */
export function refuseOddNetworks(networks: readonly Cidr[], bounds: FeedBounds): void {
  const { widest, isSpecialAllowed, mostAddresses } = bounds;
  if (networks.length === 0) throw new UserError('it contains no networks');
  if (mostAddresses !== undefined && networks.length > mostAddresses)
    throw new UserError(`it has ${networks.length} addresses, and "mostAddresses" allows ${mostAddresses}`);
  const wide = networks.find(({ family, prefixLength }) => prefixLength < widest[family]);
  if (wide !== undefined) {
    const remedy =
      mostAddresses === undefined ? `; if intended, declare "bounds.widestIpv${wide.family}"` : '';
    throw new UserError(`${wide.text} is wider than /${widest[wide.family]}${remedy}`);
  }
  const isSpecial = (network: Cidr): boolean =>
    [...specialNetworks(), ...ipv4InIpv6()].some((special) => overlaps(special, network));
  const special = isSpecialAllowed ? undefined : networks.find(isSpecial);
  if (special !== undefined) {
    const remedy =
      mostAddresses === undefined
        ? 'if intended, declare "bounds.specialPurpose"'
        : 'a name needs addresses on the public internet';
    throw new UserError(
      `${special.text} holds special-purpose addresses, never used on the public internet; ${remedy}`,
    );
  }
}
