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
  let latest: { key: string; group: T[] } | undefined;
  for (const declaration of declarations) {
    const key = valueOf(keyOf(declaration));
    if (key === undefined) continue;
    // The rules of one policy mostly come in a row.
    if (latest?.key !== key) {
      latest = { key, group: groups.get(key) ?? [] };
      groups.set(key, latest.group);
    }
    latest.group.push(declaration);
  }
  return groups;
}
