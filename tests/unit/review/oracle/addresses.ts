// The small space of the oracles: all addresses of a /28, the networks in it, and who gets in, decided address by address.
import fc from 'fast-check';
import type { BoundedChange } from '../../../../review/src/access/bounds';
import type { CidrSet } from '../../../../review/src/access/cidr-set';
import { IP_MODELS, type IpModel } from '../../../../review/src/access/evaluation-model';
import { type AddressAccess, isProvedUnchanged } from '../../../../review/src/access/subject-access';

const FIRST = 64;
export const ADDRESSES = Array.from({ length: 16 }, (_, index) => `198.18.7.${FIRST + index}`);

/** A network of the space, with one of the lengths. */
export const networkOf = (...lengths: readonly number[]): fc.Arbitrary<string> =>
  fc.record({ offset: fc.nat(15), length: fc.constantFrom(...lengths) }).map(({ offset, length }) => {
    const size = 2 ** (32 - length);
    return `198.18.7.${FIRST + Math.floor(offset / size) * size}/${length}`;
  });
export const network = networkOf(28, 29, 30, 31, 32);

const valueOf = (ip: string): number =>
  ip.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);

/** Behind an odd number of its boundaries an address is in a set. */
export function holds(set: CidrSet, ip: string): boolean {
  const value = valueOf(ip);
  return set[4].filter((boundary) => boundary <= value).length % 2 === 1;
}

export const assumed: fc.Arbitrary<IpModel> = fc.constantFrom(...IP_MODELS);

/** Random tests ask about the same few texts again and again. */
export function remembered<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? of(text);
    known.set(text, value);
    return value;
  };
}

/** An address of either family as the text of its bits, where the review counts with numbers. */
const bitsOf = remembered((ip) => {
  const [separator, radix, width] = ip.includes(':') ? ([':', 16, 16] as const) : (['.', 10, 8] as const);
  const [head = [], tail] = ip.split('::').map((half) => half.split(separator).filter((part) => part !== ''));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  return [...head, ...zeros, ...(tail ?? [])]
    .map((part) => parseInt(part, radix).toString(2).padStart(width, '0'))
    .join('');
});

/** What the addresses of a network begin with, in bits, and how many bits they have. */
const prefixOf = remembered((network): { readonly prefix: string; readonly width: number } => {
  const [base = '', length] = network.split('/');
  const bits = bitsOf(base);
  return { prefix: bits.slice(0, Number(length ?? bits.length)), width: bits.length };
});

export function isInNetwork(ip: string, network: string): boolean {
  const { prefix, width } = prefixOf(network);
  const bits = bitsOf(ip);
  return bits.length === width && bits.startsWith(prefix);
}

/** The actions of the rules that match an address. */
export const actionsFor = (
  rules: readonly { readonly cidr: string; readonly action: string }[],
  ip: string,
): string[] => rules.filter(({ cidr }) => isInNetwork(ip, cidr)).map(({ action }) => action);

/** The models once more, as a decision about one address: what the sets are held against. */
const decide: Readonly<Record<IpModel, (isAllowed: boolean, isDenied: boolean) => boolean>> = {
  'deny-wins': (isAllowed, isDenied) => isAllowed && !isDenied,
  'block-list': (_isAllowed, isDenied) => !isDenied,
  'allow-wins': (isAllowed) => isAllowed,
  'allow-overrides': (isAllowed, isDenied) => isAllowed || !isDenied,
};

/** Whether an address gets in that rules with these actions match. */
export const getsIn = (actions: readonly string[], model: IpModel = 'deny-wins'): boolean =>
  decide[model](actions.includes('allow'), actions.includes('deny'));

/** Whether an address gets in before and after a change. */
export type Admission = readonly [before: boolean, after: boolean];

const FACTS: Readonly<Record<keyof BoundedChange, (outcome: Admission) => boolean>> = {
  before: ([old]) => old,
  after: ([, now]) => now,
  gained: ([old, now]) => now && !old,
  lost: ([old, now]) => old && !now,
};

/**
 * What is wrong with the bounds for an address that can turn out in these ways: what is sure holds in all of them, and what is
 * not possible in none. Exact bounds say no less than that.
 */
export function wrongAt(
  ip: string,
  access: AddressAccess,
  { outcomes, isExact }: { readonly outcomes: readonly Admission[]; readonly isExact: boolean },
): string[] {
  const wrong = Object.entries(FACTS).flatMap(([key, fact]) => {
    const { surely, possibly } = access[key as keyof BoundedChange];
    const [isSure, isPossible] = [holds(surely, ip), holds(possibly, ip)];
    const [always, ever] = [outcomes.every(fact), outcomes.some(fact)];
    const isRight = isExact
      ? isSure === always && isPossible === ever
      : (!isSure || always) && (!ever || isPossible);
    return isRight ? [] : [`${key} ${ip}`];
  });
  const moves = outcomes.some(([old, now]) => old !== now);
  return moves && isProvedUnchanged(access) ? [...wrong, `${ip} moves`] : wrong;
}
