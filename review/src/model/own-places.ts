import type { Origin } from './declarations';
import { known, type Known } from './known';

/**
 * Places for resources whose own is hidden, each as if it had one to itself. A name is no id: resources of another type, or under
 * another parent, may share it, and then they have their URNs.
 */
export function ownPlaces(
  declared: readonly { readonly origin: Origin }[],
  noun: 'policy' | 'edge' | 'route',
): (origin: Origin) => Known<string> {
  const urns = new Map<string, string>();
  const shared = new Set<string>();
  for (const { origin } of declared) {
    if ((urns.get(origin.name) ?? origin.urn) !== origin.urn) shared.add(origin.name);
    urns.set(origin.name, origin.urn);
  }
  const hasOwnName = (name: string): boolean => !shared.has(name) && !name.startsWith('urn:');
  return ({ name, urn }) => known(`${HIDDEN} ${noun} of ${hasOwnName(name) ? name : urn}`);
}

const HIDDEN = 'the hidden';

/** Whether a place is such a one: it has the name of its resource, which a change can give to another one. */
export const isOwnPlace = (place: string): boolean => place.startsWith(`${HIDDEN} `);
