// Ownership, 1 of 3: what this run owns. Then read `other-processes.ts`, and `waiting.ts`.
//
// Premise: the engine knows resources, and not the objects that they own. After a rename, or after rules have moved between
// single rules and sets, the engine deletes an old resource whose object belongs to a new one. Rule: this run deletes no object
// that another resource has declared, created or claimed in it, and no two resources declare, create or claim one object
// (docs/design.md, "Ownership"). This file knows keys and calls. It must not know requests, states, or what an object is.
import { isRuleKey, OtherProcesses, OWNED, type Claimed } from './other-processes';

/**
 * One call of the engine about an entry of its state. The call owns what it has named. An id does not identify the entry: two
 * entries may have one id, and a resource that waits for its deletion even has the URN of its successor. So every diff that
 * counts, every update, create and delete is a call of its own. An update takes over what the diff before it has named. A
 * delete is never about an entry that this run keeps, so every owned object belongs to another entry.
 */
export class EngineCall {
  /** Whether the call waits for a handover. No other call then waits for what this one hands over. */
  isWaiting = false;
}

/** By a diff (`changing`, which an option may turn into a replacement, or `unchanged`), an update, or a create. */
type Standing = 'changing' | 'unchanged' | 'updating' | 'created';

/** Asks and tells the other processes of the run. */
export class Ownership {
  private readonly owners = new Map<string, { readonly standing: Standing; readonly call: EngineCall }>();
  /** Objects that this run has deleted, or is about to. */
  private readonly deleted = new Set<string>();
  /** Objects that this run has failed to delete. State still holds them, and they may still disappear. */
  private readonly mayGo = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(private readonly others = new OtherProcesses()) {}

  /** Notes an object that is in state or in an answer to this process. No create with a lost answer can have made it. */
  noteSeen(key: string): void {
    this.seen.add(key);
  }

  hasSeen(key: string): boolean {
    return this.seen.has(key);
  }

  /** Whether a rule may be the one of a lost answer: no resource of the run is known to have it. */
  mayBeLost(key: string): boolean {
    return !this.hasSeen(key) && !this.isOwnedByOther(key);
  }

  /** Returns the object that another resource owns, so that none is noted, and whether the run deletes one of them. */
  declare(
    keys: readonly string[],
    { changes }: { readonly changes: boolean },
  ): { readonly shared?: string; readonly isAnyDeleted: boolean } {
    const shared = keys.find((key) => this.owners.has(key));
    if (shared !== undefined) return { shared, isAnyDeleted: false };
    this.note(keys, changes ? 'changing' : 'unchanged', new EngineCall());
    // This process tells the others before it asks them: if two processes see each other, the one that deletes gives way.
    if (!changes) this.tellKept(keys);
    const deleted = this.deletedInRun();
    return { isAnyDeleted: keys.some((key) => deleted.has(key)) };
  }

  /** Notes that an update has begun. Its resource owns what it keeps from here on, even if the update fails. */
  beginUpdate(keys: readonly string[], call: EngineCall): void {
    this.note(keys, 'updating', call);
    this.tellKept(keys);
  }

  noteCreated(key: string, call: EngineCall): void {
    this.noteClaimed([key], call);
    this.others.tellAfterwards('take', [key]);
  }

  /** Claims live objects, or one that is about to be created: all, or none. */
  claim(keys: readonly string[], call: EngineCall, { areLive } = { areLive: true }): Claimed {
    for (const key of keys) {
      if (this.isOwnedToTheEnd(key, call)) return { outcome: 'owned', key };
      const standing = this.standingOf(key, call);
      if (this.isGoing(key) || this.mayGo.has(key) || standing === 'changing' || standing === 'updating')
        return { outcome: 'busy', key };
    }
    const claimed = this.others.claim(keys, areLive);
    if (claimed.outcome === 'claimed') this.noteClaimed(keys, call);
    return claimed;
  }

  /** Releases objects that are gone, or that turned out not to be the sought ones. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.owners.delete(key);
    this.others.tellAfterwards(
      'release',
      keys.filter((key) => !this.isGoing(key)),
    );
  }

  releaseClaims(keys: readonly string[], call: EngineCall): void {
    this.release(keys.filter((key) => this.owners.get(key)?.call === call));
  }

  /** Whether a diff has named an object, which then is in the state. */
  isDeclared(key: string): boolean {
    return ['unchanged', 'changing'].includes(this.standingOf(key) ?? '');
  }

  /** Forgets an object that a diff has named and that turns out to be gone. An interrupted replacement creates it anew. */
  forgetDeclared(key: string): void {
    if (this.isDeclared(key)) this.release([key]);
  }

  /** Whether a call other than the asking one owns an object for the rest of the run. */
  isOwnedToTheEnd(key: string, asking?: EngineCall): boolean {
    return ['unchanged', 'created'].includes(this.standingOf(key, asking) ?? '');
  }

  isUnchanged(key: string): boolean {
    return this.standingOf(key) === 'unchanged';
  }

  /** Whether a call other than the asking one owns an object. */
  isOwnedByOther(key: string, asking?: EngineCall): boolean {
    return this.isOwnedHere(key, asking) || this.others.haveSaid(OWNED, key);
  }

  /** Other objects that this resource declares may still be missing. */
  isNewlyOwned(key: string, asking: EngineCall): boolean {
    return this.standingOf(key, asking) === 'created' || this.others.haveSaid(['take'], key);
  }

  /** Whether another process has created or claimed an object in this run, or may still send a delete of it. */
  isClaimedElsewhere(key: string): boolean {
    return this.others.haveSaid(['take', 'delete', 'fail-delete'], key);
  }

  /** Asks before each request to delete an object. Returns false if the request must not be sent. */
  beginDelete(key: string, call: EngineCall): boolean {
    this.seen.add(key);
    if (this.isOwnedHere(key, call) || !this.others.beginDelete(key)) return false;
    this.deleted.add(key);
    return true;
  }

  /** Notes that a delete was called off because another resource owns the object. */
  callOffDelete(key: string): void {
    this.deleted.delete(key);
    this.others.tellAfterwards('end-delete', [key]);
  }

  /** Notes that a delete has failed. No resource claims the object in this run, and the next run deletes it. */
  failDelete(key: string): void {
    this.deleted.delete(key);
    this.mayGo.add(key);
    this.others.tellAfterwards('fail-delete', [key]);
  }

  /** Notes that a delete has ended and the object is gone. */
  noteDeleted(key: string): void {
    this.deleted.add(key);
    this.mayGo.delete(key);
    // An update that began meanwhile waits for its turn to write the module anew.
    if (this.standingOf(key) === 'updating') return;
    this.owners.delete(key);
    // A module may be created anew. The service never reuses the id of a rule, and a list may still show a deleted rule.
    if (!isRuleKey(key)) this.others.tellAfterwards('end-delete', [key]);
  }

  /** Whether this process has deleted an object, or is about to. */
  isDeletedHere(key: string): boolean {
    return this.deleted.has(key);
  }

  /** `isDeletedHere` for all processes of the run, and for many objects at once. */
  deletedInRun(): { has(key: string): boolean } {
    const deleting = this.others.deleting();
    return { has: (key) => this.deleted.has(key) || deleting.has(key) };
  }

  private isOwnedHere(key: string, asking?: EngineCall): boolean {
    const standing = this.standingOf(key, asking);
    return standing !== undefined && standing !== 'changing';
  }

  /** How a call other than the asking one came to an object. */
  private standingOf(key: string, asking?: EngineCall): Standing | undefined {
    const noted = this.owners.get(key);
    return noted?.call === asking ? undefined : noted?.standing;
  }

  /** The service never reuses the id of a rule. Once the delete has begun, nothing may change the rule. */
  private isGoing(key: string): boolean {
    return isRuleKey(key) && this.deleted.has(key);
  }

  /** The others already know which rules this process deletes. */
  private tellKept(keys: readonly string[]): void {
    this.others.keep(keys.filter((key) => !this.isGoing(key)));
  }

  private noteClaimed(keys: readonly string[], call: EngineCall): void {
    this.note(keys, 'created', call);
    for (const key of keys) this.deleted.delete(key);
  }

  private note(keys: readonly string[], standing: Standing, call: EngineCall): void {
    for (const key of keys) {
      this.owners.set(key, { standing, call });
      this.seen.add(key);
    }
  }
}
