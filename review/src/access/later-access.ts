import { unionAll } from './cidr-set';
import { type AddressBounds, type BoundedChange, isSurelyEmpty } from './bounds';
import type { AddressAccess, LaterAccess } from './subject-access';
import type { Moment } from './timeline';

/** So many moments are told one by one; those that follow count as one, as nobody reads a thousand dates. */
const MOST_MOMENTS = 10;

/** What begins after the apply: gains, losses, and a policy that lets nobody in any more. */
export function laterAccess(
  access: AddressAccess,
  moments: readonly Moment[],
  at: (atMs: number) => BoundedChange,
): LaterAccess[] {
  const telling = moments.filter(
    ({ gained, lost, isShut }) => isShut || !isSurelyEmpty(gained) || !isSurelyEmpty(lost),
  );
  const alone = telling.length <= MOST_MOMENTS ? telling : telling.slice(0, MOST_MOMENTS - 1);
  const rest = telling.slice(alone.length);
  return [...alone.map((moment) => [moment]), ...(rest.length === 0 ? [] : [rest])].map((group) => {
    const [atMs = 0, lastMs = atMs] = [group[0]?.atMs, group.at(-1)?.atMs];
    return {
      ...access,
      ...at(lastMs),
      gained: together(group.map(({ gained }) => gained)),
      lost: together(group.map(({ lost }) => lost)),
      begins: { atMs, lastMs },
    };
  });
}

const together = (all: readonly AddressBounds[]): AddressBounds => ({
  surely: unionAll(all.map(({ surely }) => surely)),
  possibly: unionAll(all.map(({ possibly }) => possibly)),
});
