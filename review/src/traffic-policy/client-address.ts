import { addressBits, parseAddress } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type CidrSet,
  cidrSetOf,
  complement,
  covers,
  emptyCidrSet,
  isEmptyCidrSet,
  sameCidrSet,
  touches,
  union,
  networkIn,
} from '../access/cidr-set';
import { MAPPED_IPV4 } from '../model/read-rules';
import type { Expression } from './cel';
import { allOf, anyOf, type Formula, whenIs } from './formula';
import { asObject } from '../preview/json-reading';

/** RFC 1918 and RFC 4193: how this package reads `isPrivateIp`. Loopback and link-local addresses are not included. */
const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

const isClientAddress = (node: Expression): boolean =>
  node.op === '.' && node.args[1] === 'client_ip' && node.args[0].op === 'id' && node.args[0].args === 'conn';

/** The addresses for which a test of the client's address holds (for `!=`: does not hold); undefined for any other test. */
export function addressTest(node: Expression): CidrSet | undefined {
  if (node.op === '==' || node.op === '!=') {
    const [left, right] = node.args;
    const literal = isClientAddress(left) ? right : isClientAddress(right) ? left : undefined;
    return literal && addressesNamed([literal]);
  }
  if (node.op === 'in') {
    const [needle, list] = node.args;
    return isClientAddress(needle) && list.op === 'list' ? addressesNamed(list.args) : undefined;
  }
  return node.op === 'call' ? addressCall(node.args) : undefined;
}

function addressCall([name, [address, argument, ...others]]: readonly [string, readonly Expression[]]):
  CidrSet | undefined {
  if (!address || !isClientAddress(address) || others.length > 0) return undefined;
  if (name === 'isPrivateIp' && !argument) return networksNamed(PRIVATE_NETWORKS);
  const isOfOne = name === 'inCidrRange' && argument?.op === 'value';
  const isOfMany = name === 'inCidrRanges' && argument?.op === 'list';
  const networks = isOfOne ? [argument] : isOfMany ? argument.args : undefined;
  return networks && networksNamed(networks.map((item) => (item.op === 'value' ? item.args : undefined)));
}

/** The address is compared as a text, so one that is not in canonical form never matches. */
function addressesNamed(literals: readonly Expression[]): CidrSet | undefined {
  const networks: Cidr[] = [];
  for (const literal of literals) {
    if (literal.op !== 'value' || typeof literal.args !== 'string') return undefined;
    const address = parseAddress(literal.args);
    if ('reason' in address || address.text !== literal.args) continue;
    // It is not known whether the service writes such an address in this form or as IPv4.
    if (address.family === 6 && address.value >> 32n === 0xffffn) return undefined;
    networks.push(networkAt(address.family, address.value, addressBits(address.family)));
  }
  return cidrSetOf(networks);
}

/** The addresses of networks; undefined if one of them cannot be read. */
function networksNamed(
  texts: readonly unknown[],
  read: (text: string) => Cidr | undefined = networkNamed,
): CidrSet | undefined {
  const networks: Cidr[] = [];
  for (const text of texts) {
    const network = typeof text === 'string' ? read(text) : undefined;
    if (!network) return undefined;
    networks.push(network);
  }
  return cidrSetOf(networks);
}

/** A network with two possible readings, or none, leaves the test open: it may be false, or an error. */
const networkNamed = (text: string): Cidr | undefined => (text.includes('/') ? networkIn(text) : undefined);

const IPV4 = networkAt(4, 0n, 0);
const allIpv4 = cidrSetOf([IPV4]);

/** The set with all of IPv4, if networks of IPv6 in it contain that of mapped addresses: it is not known which of the two is meant. */
const withMappedIpv4 = (set: CidrSet): CidrSet =>
  touches(set, MAPPED_IPV4) && !covers(set, IPV4) ? union(set, allIpv4) : set;

/** Holds for the clients in a set of networks. Whether IPv4 counts as mapped is one variable everywhere. */
export function whenIn(set: CidrSet): Formula {
  const inSet: Formula = { kind: 'addresses', set };
  if (withMappedIpv4(set) === set) return inSet;
  return anyOf([
    inSet,
    allOf([{ kind: 'addresses', set: allIpv4 }, whenIs('IPv4 in ::ffff:0:0/96', 'true')]),
  ]);
}

const KNOWN_KEYS = ['enforce', 'allow', 'deny'];

/** The denied addresses and, with an allow list, all others; undefined if the config has more than networks, or an unclear one. */
export function refusedByRestriction(config: unknown): CidrSet | undefined {
  const settings = asObject(config ?? {});
  if (!settings || Object.keys(settings).some((key) => !KNOWN_KEYS.includes(key))) return undefined;
  const { enforce = true } = settings;
  if (enforce === false) return emptyCidrSet;
  const [allow, deny] = [addressesIn(settings['allow']), addressesIn(settings['deny'])];
  if (enforce !== true || !allow || !deny) return undefined;
  // It is not known whether an empty allow list refuses everybody or nobody, or what a restriction without networks does.
  if (isEmptyCidrSet(allow) && (isEmptyCidrSet(deny) || 'allow' in settings)) return undefined;
  const refused = refusedBy(allow, deny);
  const withIpv4 = refusedBy(withMappedIpv4(allow), withMappedIpv4(deny));
  return sameCidrSet(refused, withIpv4) ? refused : undefined;
}

const refusedBy = (allow: CidrSet, deny: CidrSet): CidrSet =>
  isEmptyCidrSet(allow) ? deny : union(complement(allow), deny);

function addressesIn(list: unknown): CidrSet | undefined {
  const texts: unknown = list ?? [];
  return Array.isArray(texts) ? networksNamed(texts, networkIn) : undefined;
}
