// Which resource owns which live object, in this process and in the others of a run: keys and their owners, without requests and
// state. The rule is in docs/design.md ("Ownership").
import { isRuleKey, OtherProcesses, OWNED, type Taking } from './other-processes';

/**
 * One call of the engine about an entry of its state. An id does not say which entry asks: two entries may have one id, and a
 * resource that waits for its deletion has even the URN of its successor. So every diff that counts, update, create and delete
 * is an owner of its own. An update takes over what the diff before it has named. A delete is never about an entry that this
 * run keeps, so whatever has an owner belongs to another entry.
 */
export class Owner {
  /** Whether it waits for others to give something up: then nobody waits for what it gives up itself. */
  isWaiting = false;
}

/**
 * How an owner came to an object: by a diff (`changing`, `unchanged`), by an update that has begun, or by a create that made or
 * took it. With `changing` it does not own the object yet, as an option may turn the change into a replacement.
 */
type Standing = 'changing' | 'unchanged' | 'updating' | 'created';

/** The result of naming objects by a diff. */
interface Declared {
  /** An object that another resource owns already; then none of them is noted. */
  readonly shared?: string;
  /** Whether this run has deleted one of them, or is about to, as another entry of state owned it, too. */
  readonly isAnyDeleted: boolean;
}

/**
 * Which resource owns which live object. The engine knows resources and not what they own: after a rename, or when rules move
 * between single rules and sets, it deletes an old resource whose object belongs to a new one. So this class is asked before
 * anything is deleted or taken over.
 */
export class Ownership {
  private readonly owners = new Map<string, { readonly standing: Standing; readonly owner: Owner }>();
  /** Objects that this run has deleted, or is about to. */
  private readonly deleted = new Set<string>();
  /** Objects that this run has failed to delete: they are still in the state of the resource that was to delete them, and may go yet. */
  private readonly mayGo = new Set<string>();

  constructor(private readonly others = new OtherProcesses()) {}

  /** Notes the objects that a resource keeps by a diff that counts. One that replaces the resource keeps none. */
  declare(keys: readonly string[], { changes }: { readonly changes: boolean }): Declared {
    const shared = keys.find((key) => this.owners.has(key));
    if (shared !== undefined) return { shared, isAnyDeleted: false };
    this.note(keys, changes ? 'changing' : 'unchanged', new Owner());
    // The others are told before they are asked: if two processes see each other, the one that deletes gives way.
    if (!changes) this.tellKept(keys);
    const deleted = this.deletedInRun();
    return { isAnyDeleted: keys.some((key) => deleted.has(key)) };
  }

  /** Notes that an update has begun: its resource owns what it keeps from here on, even if the update fails. */
  beginUpdate(keys: readonly string[], owner: Owner): void {
    this.note(keys, 'updating', owner);
    this.tellKept(keys);
  }

  /** Notes that a create has made an object. */
  noteCreated(key: string, owner: Owner): void {
    this.noteTaken([key], owner);
    this.others.tellAfterwards('take', [key]);
  }

  /** Takes over live objects, or one that is about to be created: all of them, or none. */
  take(keys: readonly string[], owner: Owner, { areLive } = { areLive: true }): Taking {
    for (const key of keys) {
      if (this.isOwnedToTheEnd(key, owner)) return { outcome: 'owned', key };
      const standing = this.standingOf(key, owner);
      if (this.isGoing(key) || this.mayGo.has(key) || standing === 'changing' || standing === 'updating')
        return { outcome: 'busy', key };
    }
    const taking = this.others.take(keys, areLive);
    if (taking.outcome === 'taken') this.noteTaken(keys, owner);
    return taking;
  }

  /** Gives up objects that are of no use: they are gone, or what was taken turned out to be something else. */
  withdraw(keys: readonly string[]): void {
    for (const key of keys) this.owners.delete(key);
    this.others.tellAfterwards(
      'release',
      keys.filter((key) => !this.isGoing(key)),
    );
  }

  /** Gives up those of these objects that a call has taken. */
  giveUp(keys: readonly string[], owner: Owner): void {
    this.withdraw(keys.filter((key) => this.owners.get(key)?.owner === owner));
  }

  /** Whether anyone but the one that asks owns an object for the rest of the run. */
  isOwnedToTheEnd(key: string, asking?: Owner): boolean {
    const standing = this.standingOf(key, asking);
    return standing === 'unchanged' || standing === 'created';
  }

  /** Whether a diff has named an object and found no change. */
  isUnchanged(key: string): boolean {
    return this.owners.get(key)?.standing === 'unchanged';
  }

  /** Forgets the owner that a diff has named for an object that turns out to be gone: an interrupted replacement creates it anew. */
  forgetDeclared(key: string): void {
    if (this.isUnchanged(key) || this.standingOf(key, undefined) === 'changing') this.withdraw([key]);
  }

  /** Whether anyone but the one that asks owns an object. */
  isOwnedByOther(key: string, asking?: Owner): boolean {
    return this.isOwnedHere(key, asking) || this.others.isSaid(OWNED, key);
  }

  /** Whether another resource has created or taken over the object in this run, so that other objects it declares may be missing yet. */
  isNewlyOwned(key: string, asking: Owner): boolean {
    return this.standingOf(key, asking) === 'created' || this.others.isSaid(['take'], key);
  }

  /** Asked before each request to delete an object. False if the request must not be sent. */
  beginDelete(key: string, owner: Owner): boolean {
    if (this.isOwnedHere(key, owner) || !this.others.beginDelete(key)) return false;
    this.deleted.add(key);
    return true;
  }

  /** Notes that a delete has been called off, as another resource owns the object. */
  callOffDelete(key: string): void {
    this.deleted.delete(key);
    this.others.tellAfterwards('end-delete', [key]);
  }

  /** Notes that a delete has failed. Nobody takes the object in this run: the next one deletes it. */
  failDelete(key: string): void {
    this.deleted.delete(key);
    this.mayGo.add(key);
    this.others.tellAfterwards('fail-delete', [key]);
  }

  /** Notes that a delete has ended: there is no such object any more. */
  noteDeleted(key: string): void {
    this.deleted.add(key);
    this.mayGo.delete(key);
    this.owners.delete(key);
    // A module may be created anew. The id of a rule is never used again, and a list may still show a rule that is gone.
    if (!isRuleKey(key)) this.others.tellAfterwards('end-delete', [key]);
  }

  /** Whether this process has deleted an object, or is about to. */
  isDeletedHere(key: string): boolean {
    return this.deleted.has(key);
  }

  /** `isDeletedHere` for all processes of the run, to be asked of many objects at once. */
  deletedInRun(): { has(key: string): boolean } {
    const deleting = this.others.deleting();
    return { has: (key) => this.deleted.has(key) || deleting.has(key) };
  }

  /** Whether another process has created or taken over an object in this run, or may still send a delete of it. */
  isClaimedElsewhere(key: string): boolean {
    return this.others.isSaid(['take', 'delete', 'fail-delete'], key);
  }

  private isOwnedHere(key: string, asking: Owner | undefined): boolean {
    const standing = this.standingOf(key, asking);
    return standing !== undefined && standing !== 'changing';
  }

  /** How anyone but the one that asks came to an object. */
  private standingOf(key: string, asking: Owner | undefined): Standing | undefined {
    const noted = this.owners.get(key);
    return noted?.owner === asking ? undefined : noted?.standing;
  }

  /** The id of a rule is never used again, so once its delete has begun, nothing may change the rule. */
  private isGoing(key: string): boolean {
    return isRuleKey(key) && this.deleted.has(key);
  }

  /** The others know already which rules this process deletes. */
  private tellKept(keys: readonly string[]): void {
    this.others.keep(keys.filter((key) => !this.isGoing(key)));
  }

  private noteTaken(keys: readonly string[], owner: Owner): void {
    this.note(keys, 'created', owner);
    for (const key of keys) this.deleted.delete(key);
  }

  private note(keys: readonly string[], standing: Standing, owner: Owner): void {
    for (const key of keys) this.owners.set(key, { standing, owner });
  }
}
