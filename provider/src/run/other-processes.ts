// Ownership, 2 of 3: what the other processes of the run own. `run-files.ts` carries what they tell, and `run-members.ts` finds
// them. Premise: every explicit provider and every host is a process of its own. One may delete what a resource of another
// owns. Rule: a process that deletes or claims an object tells the others before it reads what they have told. If two see each
// other, both give way, and the one that claims retries. No lock is needed. This file must not know calls of the engine, nor
// how words travel.
import type { RunFiles, Word } from './run-files';

/** The key of a rule is its id. The key of a module is its type and its id. */
export const isRuleKey = (key: string): boolean => !key.includes(' ');

export const OWNED: readonly Word[] = ['keep', 'take'];

/** `owned`: another resource still owns an object. `busy`: one is about to change or delete it. */
export type Claimed =
  { readonly outcome: 'claimed' } | { readonly outcome: 'owned' | 'busy'; readonly key: string };

/** What the other processes own, and what this one tells them. Asking and telling throw a UserError if they cannot be reached. */
export class OtherProcesses {
  /** @param problem Why no process of the run can reach another one. */
  constructor(
    private readonly files?: Pick<RunFiles, 'tell' | 'heard'>,
    private readonly problem?: Error,
  ) {}

  /** Tells the others that a resource still owns what it owned before this run. */
  keep(keys: readonly string[]): void {
    this.files?.tell('keep', keys);
  }

  /** Tells the others what has become of objects. The request has been sent, so a failure surfaces only at the next operation. */
  tellAfterwards(word: Exclude<Word, 'keep' | 'delete'>, keys: readonly string[]): void {
    try {
      this.files?.tell(word, keys);
    } catch {
      // The next operation reports it.
    }
  }

  /** Live objects cannot be claimed either if a delete of one has ended since the last call. */
  claim(keys: readonly string[], areLive: boolean): Claimed {
    if (areLive) this.requireReach();
    this.files?.tell('take', keys);
    const going: readonly Word[] = ['delete', 'fail-delete', ...(areLive ? (['end-delete'] as const) : [])];
    for (const key of keys) {
      const isOwned = this.haveSaid(OWNED, key);
      if (!isOwned && !this.haveSaid(going, key)) continue;
      // The object was seen before the delete ended. After another look it may be claimed.
      for (const words of this.heard()) if (words.get(key) === 'end-delete') words.delete(key);
      this.files?.tell('release', keys);
      return { outcome: isOwned ? 'owned' : 'busy', key };
    }
    return { outcome: 'claimed' };
  }

  /** Whether the last word of another process on an object is one of these. */
  haveSaid(words: readonly Word[], key: string): boolean {
    return this.heard().some((said) => words.includes(said.get(key) ?? 'release'));
  }

  /** The objects that other processes are deleting or have deleted, and the modules whose delete they have ended. */
  deleting(): ReadonlySet<string> {
    // A rule whose delete succeeded stays in `delete`. If its delete has ended, the service did not carry it out.
    const isGoing = ([key, word]: readonly [string, Word]): boolean =>
      word === 'delete' || (word === 'end-delete' && !isRuleKey(key));
    const going = this.heard().flatMap((words) => [...words].filter(isGoing));
    return new Set(going.map(([key]) => key));
  }

  /** Says that an object is about to be deleted. Returns false if another process owns it: then it must stay. */
  beginDelete(key: string): boolean {
    this.requireReach();
    this.files?.tell('delete', [key]);
    if (!this.haveSaid(OWNED, key)) return true;
    this.files?.tell('end-delete', [key]);
    return false;
  }

  private heard(): readonly Map<string, Word>[] {
    return this.files?.heard() ?? [];
  }

  private requireReach(): void {
    if (this.problem !== undefined) throw this.problem;
  }
}
