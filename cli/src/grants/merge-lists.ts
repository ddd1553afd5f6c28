import { entryText, type ListEntry, type ListFile } from 'pulumi-edge-policy/internal/lists/list-file';

/** One entry of one list, as it shall be; without an entry, it shall not be there. */
export interface Edit {
  readonly list: string;
  readonly network: string;
  readonly entry?: ListEntry | undefined;
}

/** A file after an edit. */
export function withEdit(file: ListFile, { list, network, entry }: Edit): ListFile {
  const { action = 'allow', entries = [] } = file.lists.get(list) ?? {};
  const edited = new Map([...entries].filter(([text]) => text !== network));
  if (entry) edited.set(network, entry);
  return { ...file, lists: new Map([...file.lists, [list, { action, entries: edited }]]) };
}

/** What only a person can decide: an entry that both sides have changed, or whether a list allows or denies. */
export interface Conflict extends Pick<Edit, 'list'> {
  /** Absent if it is about what the list does. */
  readonly network?: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two versions of a file, entry by entry: what only one side has changed, or both alike, is as that side has it. What a list
 * does is never merged, as it would change the meaning of entries that one side has added.
 */
export function mergeLists(
  base: ListFile,
  ours: ListFile,
  theirs: ListFile,
): { readonly merged: ListFile; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const empty = [...theirs.lists].map(
    ([list, { action }]) => [list, { action, entries: new Map() }] as const,
  );
  let merged: ListFile = { ...ours, lists: new Map([...empty, ...ours.lists]) };
  for (const list of new Set([...base.lists.keys(), ...theirs.lists.keys()])) {
    const [before, mine, other] = [base, ours, theirs].map(({ lists }) => lists.get(list));
    if (mine && other && mine.action !== other.action)
      conflicts.push({ list, ours: mine.action, theirs: other.action });
    for (const network of new Set([before, other].flatMap((side) => [...(side?.entries.keys() ?? [])]))) {
      const entries = [before, mine, other].map((side) => side?.entries.get(network));
      const [was = '', own = '', its = ''] = entries.map((entry) => (entry ? entryText(entry) : 'removed'));
      if (its === was || its === own) continue;
      if (own !== was) conflicts.push({ list, network, ours: own, theirs: its });
      // Until a person decides, the entry is there: "revoke" finds it.
      if (own === was || !entries[1]) merged = withEdit(merged, { list, network, entry: entries[2] });
    }
  }
  return { merged, conflicts };
}
