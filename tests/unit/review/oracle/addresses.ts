// The small space of the oracles: all addresses of a /28, and the networks in it.
import fc from 'fast-check';
import type { CidrSet } from '../../../../review/src/access/cidr-set';
import { IP_MODELS, type IpModel } from '../../../../review/src/access/evaluation-model';

const FIRST = 64;
export const ADDRESSES = Array.from({ length: 16 }, (_, index) => `198.18.7.${FIRST + index}`);

/** A network of the space, with one of the lengths. */
export const networkOf = (...lengths: readonly number[]): fc.Arbitrary<string> =>
  fc.record({ offset: fc.nat(15), length: fc.constantFrom(...lengths) }).map(({ offset, length }) => {
    const size = 2 ** (32 - length);
    return `198.18.7.${FIRST + Math.floor(offset / size) * size}/${length}`;
  });
export const network = networkOf(28, 29, 30, 31, 32);

/** The rule twice, each for one half of its network. */
export function halves<Rule extends { readonly cidr: string }>(rule: Rule): Rule[] {
  const [base = '', length = '32'] = rule.cidr.split('/');
  if (length === '32') return [rule];
  const last = Number(base.split('.')[3]);
  return [last, last + 2 ** (31 - Number(length))].map((octet) => ({
    ...{ ...rule, cidr: `198.18.7.${octet}/${Number(length) + 1}` },
  }));
}

const valueOf = (ip: string): number =>
  ip.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);

/** Behind an odd number of its boundaries an address is in a set. */
export const holds = (set: CidrSet, ip: string): boolean =>
  set[4].filter((boundary) => boundary <= valueOf(ip)).length % 2 === 1;

export const assumed: fc.Arbitrary<IpModel> = fc.constantFrom(...IP_MODELS);

/** The models once more, as a decision about one address: what the sets are held against. */
export const decide: Readonly<Record<IpModel, (isAllowed: boolean, isDenied: boolean) => boolean>> = {
  'deny-wins': (isAllowed, isDenied) => isAllowed && !isDenied,
  'block-list': (_isAllowed, isDenied) => !isDenied,
  'allow-wins': (isAllowed) => isAllowed,
  'allow-overrides': (isAllowed, isDenied) => isAllowed || !isDenied,
};
