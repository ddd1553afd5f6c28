/** Things by a key, in the order of the first of each. */
export function grouped<T, Key = string>(
  things: readonly T[],
  keyOf: (thing: T) => Key,
): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}
