// What the processes of one run of the engine tell each other. Every explicit provider is a process of its own, and so is each
// host: one may delete what a resource of another owns. A process that deletes or takes an object tells so before it reads what
// the others have told. If two processes see each other, both give way, and the one that takes tries again. No lock is needed.

/** Whether an object is a rule: the key of a rule is its id, and that of a module its type and its id. */
export const isRuleKey = (key: string): boolean => !key.includes(' ');

/**
 * What a process tells of an object; its last word counts. `keep`: a resource owns what it owned before this run. `take`: one has
 * created it or taken it over. `release`: none owns it any more. `delete`: it is about to be deleted. `end-delete`: no further request
 * to delete it will be sent. `fail-delete`: the same, but one that was sent may have its effect yet.
 */
export type Tell = 'keep' | 'take' | 'release' | 'delete' | 'end-delete' | 'fail-delete';

/** The words of a process that owns an object. */
export const OWNED: readonly Tell[] = ['keep', 'take'];

/** How a process reaches the others of its run. Both methods throw a UserError if they fail. */
export interface Channel {
  tell(tell: Tell, keys: readonly string[]): void;
  /** The last word of each other process on each object. */
  heard(): readonly Map<string, Tell>[];
  /** Why no process of the run can reach another one. */
  readonly problem?: Error;
}

/** Whether live objects may be taken over, and if not, why. */
export type Taking =
  | { readonly outcome: 'taken' }
  /** `owned`: another resource still owns it. `busy`: another one is about to change or delete it. */
  | { readonly outcome: 'owned' | 'busy'; readonly key: string };

/** What the other processes of the run own, and what they are told. */
export class OtherProcesses {
  constructor(private readonly channel: Channel = { tell: () => undefined, heard: () => [] }) {}

  /**
   * Tells that a resource still owns objects that it owned before this run.
   *
   * @throws UserError if the others cannot be reached.
   */
  keep(keys: readonly string[]): void {
    this.channel.tell('keep', keys);
  }

  /**
   * Tells what has become of objects. The request has been sent, so the operation must not fail any more: the next one does, if
   * the others cannot be reached.
   */
  tellAfterwards(tell: Exclude<Tell, 'keep' | 'delete'>, keys: readonly string[]): void {
    try {
      this.channel.tell(tell, keys);
    } catch {
      // See above.
    }
  }

  /**
   * Tells that a resource takes objects, unless another process owns one of them or is about to delete it. Of live ones, none may
   * have ended a delete since the last call, as the object may be gone by now.
   *
   * @throws UserError if live objects are to be taken over, and the others cannot be reached.
   */
  take(keys: readonly string[], areLive: boolean): Taking {
    if (areLive) this.requireReach();
    this.channel.tell('take', keys);
    for (const key of keys) {
      const isOwned = this.isSaid(OWNED, key);
      if (
        !isOwned &&
        !this.isSaid(areLive ? ['delete', 'fail-delete', 'end-delete'] : ['delete', 'fail-delete'], key)
      )
        continue;
      // It was seen before the delete ended. After another look it may be taken.
      for (const words of this.channel.heard()) if (words.get(key) === 'end-delete') words.delete(key);
      this.channel.tell('release', keys);
      return { outcome: isOwned ? 'owned' : 'busy', key };
    }
    return { outcome: 'taken' };
  }

  /** Whether one of these is the last word of another process on an object. */
  isSaid(words: readonly Tell[], key: string): boolean {
    return this.channel.heard().some((said) => words.includes(said.get(key) ?? 'release'));
  }

  /** The objects that other processes are deleting or have deleted, and the modules whose delete they have ended. */
  deleting(): ReadonlySet<string> {
    // A successful delete of a rule never ends: the rule stays in `delete`. One that has ended was not carried out.
    const isGoing = (key: string, word: Tell): boolean =>
      word === 'delete' || (word === 'end-delete' && !isRuleKey(key));
    const all = this.channel.heard().flatMap((words) => [...words]);
    return new Set(all.filter(([key, word]) => isGoing(key, word)).map(([key]) => key));
  }

  /**
   * Tells that an object is about to be deleted. False if another process owns it, which forbids the delete.
   *
   * @throws UserError if the others cannot be reached.
   */
  beginDelete(key: string): boolean {
    this.requireReach();
    this.channel.tell('delete', [key]);
    if (!this.isSaid(OWNED, key)) return true;
    this.channel.tell('end-delete', [key]);
    return false;
  }

  private requireReach(): void {
    if (this.channel.problem !== undefined) throw this.channel.problem;
  }
}
