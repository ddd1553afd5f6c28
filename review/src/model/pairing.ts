import type { Known } from './known';
import { valueOf } from './known';
import { compareText } from './resource-change';

/** The declarations of one object of the service on both sides. More than one on a side is a conflict. */
export interface Pairing<T> {
  readonly key: string;
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** Brings the declarations of both sides together by the object they are for; hidden keys are left out. */
export function pairByKey<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (declaration: T) => Known<string>,
): Pairing<T>[] {
  const [left, right] = [groupByKey(before, keyOf), groupByKey(after, keyOf)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort(compareText)
    .map((key) => ({ key, before: left.get(key) ?? [], after: right.get(key) ?? [] }));
}

/** Groups declarations by the object they are for; hidden keys are left out. */
export function groupByKey<T>(
  declarations: readonly T[],
  keyOf: (declaration: T) => Known<string>,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  let latest: Known<string> | undefined;
  let group: T[] | undefined;
  for (const declaration of declarations) {
    const key = keyOf(declaration);
    // The rules of one policy mostly come in a row, and those of one resource share its key.
    if (key !== latest && (!latest || !key.isKnown || valueOf(latest) !== key.value)) {
      group = key.isKnown ? (groups.get(key.value) ?? []) : undefined;
      if (group && key.isKnown) groups.set(key.value, group);
    }
    latest = key;
    group?.push(declaration);
  }
  return groups;
}
