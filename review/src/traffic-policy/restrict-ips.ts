import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from '../access/cidr-set';
import { cidrSetOf, complement, emptyCidrSet, isEmptyCidrSet, sameCidrSet, union } from '../access/cidr-set';
import { asObject } from '../preview/json-reading';
import { withMappedIpv4 } from './client-address';

const KNOWN_KEYS = ['enforce', 'allow', 'deny'];

/**
 * The addresses that a `restrict-ips` action refuses: those on the deny list and, with an allow list, those not on it.
 * Undefined if its config contains more than networks, such as references to policies, or if it is not known which addresses a
 * network means.
 */
export function refusedByRestriction(config: unknown): CidrSet | undefined {
  const settings = asObject(config ?? {});
  if (!settings || Object.keys(settings).some((key) => !KNOWN_KEYS.includes(key))) return undefined;
  const { enforce = true } = settings;
  if (enforce === false) return emptyCidrSet;
  const [allow, deny] = [networksOf(settings['allow']), networksOf(settings['deny'])];
  if (enforce !== true || !allow || !deny) return undefined;
  // It is not known whether an empty allow list refuses everybody or nobody, or what a restriction without networks does.
  if (allow.length === 0 && (deny.length === 0 || 'allow' in settings)) return undefined;
  const lists = { allow: cidrSetOf(allow), deny: cidrSetOf(deny) };
  const refused = refusedBy(lists);
  const withIpv4 = { allow: withMappedIpv4(lists.allow), deny: withMappedIpv4(lists.deny) };
  return sameCidrSet(refused, refusedBy(withIpv4)) ? refused : undefined;
}

function refusedBy({ allow, deny }: Readonly<Record<'allow' | 'deny', CidrSet>>): CidrSet {
  return isEmptyCidrSet(allow) ? deny : union(complement(allow), deny);
}

function networksOf(value: unknown): Cidr[] | undefined {
  const texts: unknown = value ?? [];
  if (!Array.isArray(texts)) return undefined;
  const networks: Cidr[] = [];
  for (const text of texts as unknown[]) {
    const parsed = typeof text === 'string' ? parseCidr(text) : undefined;
    if (!parsed?.ok) return undefined;
    networks.push(parsed.cidr);
  }
  return networks;
}
