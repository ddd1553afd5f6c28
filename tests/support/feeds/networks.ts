import { formatAddress } from '../../../provider/src/values/address';

/** How many networks a document has, and the fewest that hold the same addresses. */
export interface Amount {
  readonly networks: number;
  readonly aggregated: number;
}

/** Blocks of this length, each followed by as much free space, so that no two of them join. */
const BLOCK = {
  4: { start: 20n << 24n, length: 22, bits: 32 },
  6: { start: 0x2a00_1450n << 96n, length: 48, bits: 128 },
};

/** Public networks in canonical order, a tenth of them IPv6, with given numbers before and after aggregation. */
export const networksOf = ({ networks, aggregated }: Amount, offset = 0): string[] => {
  const ipv6Blocks = Math.floor(aggregated / 10);
  const ipv4Blocks = aggregated - ipv6Blocks;
  return Array.from({ length: aggregated }, (_, index) => {
    const pieces = Math.floor(networks / aggregated) + (index < networks % aggregated ? 1 : 0);
    return index < ipv4Blocks
      ? blockOf(4, index + offset, pieces)
      : blockOf(6, index - ipv4Blocks + offset, pieces);
  }).flat();
};

const blockOf = (family: 4 | 6, index: number, pieces: number): string[] => {
  const { start, length, bits } = BLOCK[family];
  return split({ family, first: start + (BigInt(index) << BigInt(bits - length + 1)), length, bits }, pieces);
};

type Block = Readonly<{ family: 4 | 6; first: bigint; length: number; bits: number }>;

const split = ({ family, first, length, bits }: Block, pieces: number): string[] => {
  if (pieces === 1) return [`${formatAddress(family, first)}/${length}`];
  const left = { family, first, length: length + 1, bits };
  const right = { ...left, first: first + (1n << BigInt(bits - length - 1)) };
  return [...split(left, Math.ceil(pieces / 2)), ...split(right, Math.floor(pieces / 2))];
};
