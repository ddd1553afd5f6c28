// Ownership, 2 of 3: what the other processes of the run own. `run-files.ts` carries what they tell, and `run-members.ts` finds them.
//
// Premise: every explicit provider is a process of its own, and so is each host: one may delete what a resource of another owns.
// Rule: a process that deletes or claims an object tells so before it reads what the others have told. If two processes see each
// other, both give way, and the one that claims tries again. No lock is needed. This file must not know calls of the engine, nor how
// words travel.
import type { RunFiles } from './run-files';

/** Whether an object is a rule: the key of a rule is its id, and that of a module its type and its id. */
export const isRuleKey = (key: string): boolean => !key.includes(' ');

/**
 * What a process tells of an object; its last word counts. `keep`: a resource owns what it owned before this run. `take`: one has
 * created or claimed it. `release`: none owns it any more. `delete`: it is about to be deleted. `end-delete`: no further request to
 * delete it will be sent. `fail-delete`: the same, but one that was sent may have its effect yet.
 */
export type Word = 'keep' | 'take' | 'release' | 'delete' | 'end-delete' | 'fail-delete';

/** The words of a process that owns an object. */
export const OWNED: readonly Word[] = ['keep', 'take'];

/** Whether objects were claimed. `owned`: another resource still owns one. `busy`: another one is about to change or delete it. */
export type Claimed =
  { readonly outcome: 'claimed' } | { readonly outcome: 'owned' | 'busy'; readonly key: string };

/** What the other processes own, and what they are told. Whatever asks or tells throws a UserError if they cannot be reached. */
export class OtherProcesses {
  /** @param problem Why no process of the run can reach another one. */
  constructor(
    private readonly files?: Pick<RunFiles, 'tell' | 'heard'>,
    private readonly problem?: Error,
  ) {}

  /** Tells that a resource still owns objects that it owned before this run. */
  keep(keys: readonly string[]): void {
    this.files?.tell('keep', keys);
  }

  /** Tells what has become of objects. The request has been sent, so if this fails, only the next operation does. */
  tellAfterwards(word: Exclude<Word, 'keep' | 'delete'>, keys: readonly string[]): void {
    try {
      this.files?.tell(word, keys);
    } catch {
      // See above.
    }
  }

  /**
   * Claims objects, unless another process owns one of them or is about to delete it. Of live ones, none may have ended a delete
   * since the last call, as the object may be gone by now.
   */
  claim(keys: readonly string[], areLive: boolean): Claimed {
    if (areLive) this.requireReach();
    this.files?.tell('take', keys);
    const going: readonly Word[] = ['delete', 'fail-delete', ...(areLive ? (['end-delete'] as const) : [])];
    for (const key of keys) {
      const isOwned = this.say(OWNED, key);
      if (!isOwned && !this.say(going, key)) continue;
      // It was seen before the delete ended. After another look it may be claimed.
      for (const words of this.heard()) if (words.get(key) === 'end-delete') words.delete(key);
      this.files?.tell('release', keys);
      return { outcome: isOwned ? 'owned' : 'busy', key };
    }
    return { outcome: 'claimed' };
  }

  /** Whether one of these is the last word of another process on an object. */
  say(words: readonly Word[], key: string): boolean {
    return this.heard().some((said) => words.includes(said.get(key) ?? 'release'));
  }

  /** The objects that other processes are deleting or have deleted, and the modules whose delete they have ended. */
  deleting(): ReadonlySet<string> {
    // A successful delete of a rule never ends: the rule stays in `delete`. One that has ended was not carried out.
    const isGoing = ([key, word]: readonly [string, Word]): boolean =>
      word === 'delete' || (word === 'end-delete' && !isRuleKey(key));
    const going = this.heard().flatMap((words) => [...words].filter(isGoing));
    return new Set(going.map(([key]) => key));
  }

  /** Tells that an object is about to be deleted. False if another process owns it, which forbids the delete. */
  beginDelete(key: string): boolean {
    this.requireReach();
    this.files?.tell('delete', [key]);
    if (!this.say(OWNED, key)) return true;
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
