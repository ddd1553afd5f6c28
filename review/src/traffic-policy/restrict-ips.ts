import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, emptyCidrSet, subtract, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import { everything } from '../access/public-space';
import { asObject } from '../preview/json-reading';

const KNOWN_KEYS = ['enforce', 'allow', 'deny'];

/**
 * The addresses that a `restrict-ips` action refuses: those on the deny list and, with an allow list, those not on it.
 * Undefined if its config contains more than networks, such as references to policies.
 */
export function refusedByRestriction(config: unknown): CidrSet | undefined {
  const settings = asObject(config ?? {});
  if (!settings || Object.keys(settings).some((key) => !KNOWN_KEYS.includes(key))) return undefined;
  const { enforce = true } = settings;
  if (enforce === false) return emptyCidrSet;
  const [allow, deny] = [networksOf(settings['allow']), networksOf(settings['deny'])];
  // It is not known whether empty lists refuse everybody or nobody.
  if (enforce !== true || !allow || !deny || allow.length + deny.length === 0) return undefined;
  const notAllowed = allow.length === 0 ? emptyCidrSet : subtract(everything, cidrSetOf(allow));
  return union(notAllowed, cidrSetOf(deny));
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
