import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from '../access/cidr-set';
import { complement, emptyCidrSet, isEmptyCidrSet, sameCidrSet, union } from '../access/cidr-set';
import { asObject } from '../preview/json-reading';
import { networksNamed, withMappedIpv4 } from './client-address';

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
  return Array.isArray(texts) ? networksNamed(texts, networkOf) : undefined;
}

/** An address stands for itself. */
function networkOf(text: string): Cidr | undefined {
  const parsed = parseCidr(text);
  return parsed.ok ? parsed.cidr : undefined;
}
