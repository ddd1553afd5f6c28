/** More edits are not tried out one by one: all of them are named then. */
const MAX_TRIED = 100;

/**
 * The edits of which none can be left out without losing what all of them prevent together; none at all if all of them do
 * not prevent it. The first ones are the first to be left out.
 */
export function leastEdit<Edit>(
  edits: readonly Edit[],
  prevents: (edits: readonly Edit[]) => boolean,
): readonly Edit[] {
  if (!prevents(edits)) return [];
  if (edits.length > MAX_TRIED) return edits;
  return edits.reduce<readonly Edit[]>((left, edit) => {
    const others = left.filter((other) => other !== edit);
    return prevents(others) ? others : left;
  }, edits);
}
