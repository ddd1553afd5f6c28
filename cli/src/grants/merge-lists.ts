import { entryText, type ListEntry, type ListFile } from 'pulumi-edge-policy/internal/lists/list-file';

/** An entry that both sides of a merge have changed, each in its own way; a side may have removed it. */
export interface Conflict {
  readonly list: string;
  readonly network: string;
  readonly ours: ListEntry | undefined;
  readonly theirs: ListEntry | undefined;
}

/** Merges two versions of a file, entry by entry: what only one side has changed, or both alike, is as that side has it. */
export function mergeLists(
  base: ListFile,
  ours: ListFile,
  theirs: ListFile,
): { readonly merged: ListFile; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const names = new Set([...ours.lists.keys(), ...theirs.lists.keys()]);
  const lists = [...names].map((list) => {
    const [before, mine, other] = [base, ours, theirs].map(({ lists: own }) => own.get(list));
    const networks = new Set([...(mine?.entries.keys() ?? []), ...(other?.entries.keys() ?? [])]);
    const entries = [...networks].flatMap((network): [string, ListEntry][] => {
      const sides = [before, mine, other].map((side) => side?.entries.get(network));
      const [, one, another] = sides;
      const [old, left, right] = sides.map((entry) => entry && entryText(entry));
      const isOpen = left !== old && right !== old && left !== right;
      if (isOpen) conflicts.push({ list, network, ours: one, theirs: another });
      const merged = isOpen ? (one ?? another) : left === old ? another : one;
      return merged ? [[network, merged]] : [];
    });
    // A list that both have stays what ours says, unless only theirs has changed it.
    const isTheirs = mine === undefined || (other !== undefined && mine.action === before?.action);
    const action = (isTheirs ? other : mine)?.action ?? 'allow';
    return [list, { action, entries: new Map(entries) }] as const;
  });
  return { merged: { schema: ours.schema, lists: new Map(lists) }, conflicts };
}
