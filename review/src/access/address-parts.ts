import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from './cidr-set';

/** A network that claims something until a time. */
export interface Claim {
  readonly cidr: Cidr;
  /** What it claims, as an index. */
  readonly slot: number;
  readonly untilMs: number;
}

/** Addresses, the one at `end` excluded, over which the same networks lie. */
export interface AddressPart {
  readonly family: Family;
  readonly begin: bigint;
  readonly end: bigint;
  /** Until when something is claimed for them, by slot: the latest end of the networks over them. */
  readonly untilMs: readonly number[];
}

/** All addresses, in parts: as networks are nested or disjoint, those over an address are a stack in sorted order. */
export const addressParts = (claims: readonly Claim[], slots: number): AddressPart[] =>
  ([4, 6] as const).flatMap((family) =>
    partsOfFamily(
      claims.filter(({ cidr }) => cidr.family === family),
      { family, unclaimed: Array.from({ length: slots }, () => Number.NEGATIVE_INFINITY) },
    ),
  );

function partsOfFamily(
  claims: readonly Claim[],
  { family, unclaimed }: { readonly family: Family; readonly unclaimed: readonly number[] },
): AddressPart[] {
  const parts: AddressPart[] = [];
  const around = [{ end: 1n << BigInt(addressBits(family)), untilMs: unclaimed }];
  let begin = 0n;
  const goTo = (end: bigint): void => {
    const untilMs = around.at(-1)?.untilMs ?? unclaimed;
    if (end > begin) parts.push({ family, begin, end, untilMs });
    begin = end;
  };
  const leaveUpTo = (address: bigint): void => {
    for (let top = around.at(-1); top && top.end <= address; top = around.at(-1)) {
      goTo(top.end);
      around.pop();
    }
  };
  for (const { cidr, slot, untilMs } of [...claims].sort((a, b) => compareCidrs(a.cidr, b.cidr))) {
    leaveUpTo(BigInt(cidr.first));
    goTo(BigInt(cidr.first));
    const claimed = [...(around.at(-1)?.untilMs ?? unclaimed)];
    claimed[slot] = Math.max(claimed[slot] ?? untilMs, untilMs);
    around.push({ end: BigInt(cidr.last) + 1n, untilMs: claimed });
  }
  leaveUpTo(1n << BigInt(addressBits(family)));
  return parts;
}

export class GrowingSet implements CidrSet {
  readonly 4: number[] = [];
  readonly 6: bigint[] = [];

  add({ family, begin, end }: AddressPart): void {
    if (family === 6) extend(this[6], begin, end);
    else extend(this[4], Number(begin), Number(end));
  }
}

function extend<Address extends bigint | number>(boundaries: Address[], begin: Address, end: Address): void {
  if (boundaries.at(-1) === begin) boundaries.pop();
  else boundaries.push(begin);
  boundaries.push(end);
}
