import type { PlannedItem, PlannedValue } from './planned-items';

/** Whether some items match the reviewed ones. */
export interface ItemComparison {
  readonly isSame: boolean;
  /** Items with a part that was unknown and is known now. */
  readonly nowKnown: readonly PlannedItem[];
  /** Whether something is secret on both sides, so that it may differ. */
  readonly isPartlySecret: boolean;
}

/**
 * Compares items with the reviewed ones, in any order. An item with an unknown part matches any item with the same known parts;
 * a list that was unknown as a whole matches any number of items of its subject.
 */
export function compareItems(reviewed: readonly PlannedItem[], now: readonly PlannedItem[]): ItemComparison {
  const { unmatched, extra, secrets } = matchEqual(reviewed, now);
  const nowKnown: PlannedItem[] = [];
  if (!unmatched.every((item) => Object.values(item).some(isUnknown)))
    return { isSame: false, nowKnown, isPartlySecret: secrets };
  const open = new Set(unmatched);
  const whole = unmatched.filter(isUnknownAsAWhole);
  for (const item of extra) {
    const exact = [...open].find((earlier) => !whole.includes(earlier) && canHaveBecome(earlier, item));
    const match = exact ?? whole.find((earlier) => canHaveBecome(earlier, item));
    if (!match) return { isSame: false, nowKnown: [], isPartlySecret: secrets };
    if (exact) open.delete(exact);
    nowKnown.push(item);
  }
  const isSame = [...open].every((earlier) => whole.includes(earlier));
  return { isSame, nowKnown, isPartlySecret: secrets };
}

function matchEqual(reviewed: readonly PlannedItem[], now: readonly PlannedItem[]) {
  const waiting = new Map<string, PlannedItem[]>();
  for (const item of reviewed) {
    const key = JSON.stringify(item);
    const group = waiting.get(key);
    if (group) group.push(item);
    else waiting.set(key, [item]);
  }
  let secrets = false;
  const extra = now.filter((item) => {
    const isThere = waiting.get(JSON.stringify(item))?.pop() !== undefined;
    secrets ||= isThere && Object.values(item).some((value) => isHidden(value) && value.hidden !== 'unknown');
    return !isThere;
  });
  return { unmatched: [...waiting.values()].flat(), extra, secrets };
}

const isHidden = (value: PlannedValue): value is Exclude<PlannedValue, string> => typeof value !== 'string';

const isUnknown = (value: PlannedValue | undefined): boolean =>
  value !== undefined && isHidden(value) && value.hidden === 'unknown';

/** A set with unknown rules appears as one rule of which only the policy is known, an unknown list of patterns as one entry. */
const isUnknownAsAWhole = ({ cidr, action, patterns }: PlannedItem): boolean =>
  (isUnknown(cidr) && isUnknown(action)) || isUnknown(patterns);

function canHaveBecome(earlier: PlannedItem, item: PlannedItem): boolean {
  if (isUnknown(earlier['patterns'])) {
    const { list, pattern } = item;
    return (
      list === earlier['list'] &&
      typeof pattern === 'string' &&
      isSameOrUnknown(earlier.subject, item.subject)
    );
  }
  const names = Object.keys(earlier);
  if (names.length !== Object.keys(item).length || !names.some((name) => isUnknown(earlier[name])))
    return false;
  return names.every((name) => {
    const [before, now] = [earlier[name], item[name]];
    return before !== undefined && now !== undefined && isSameOrUnknown(before, now);
  });
}

const isSameOrUnknown = (before: PlannedValue, now: PlannedValue): boolean =>
  (isUnknown(before) && !isHidden(now)) || JSON.stringify(before) === JSON.stringify(now);
