// Ownership, 1 of 3: what this run owns. Then read `other-processes.ts`, and `waiting.ts`.
//
// Premise: the engine knows resources and not what they own. After a rename, or when rules move between single rules and sets, it
// deletes an old resource whose object belongs to a new one. Rule: so nothing is deleted that another resource has declared, made
// or taken in this run, and nothing is declared, made or taken twice (docs/design.md, "Ownership"). This file knows keys and calls,
// and must not know requests, states, and what an object is.
import { isRuleKey, OtherProcesses, OWNED, type Claimed } from './other-processes';

/**
 * One call of the engine about an entry of its state, which owns what it has named. An id does not say which entry asks: two
 * entries may have one id, and a resource that waits for its deletion has even the URN of its successor. So every diff that
 * counts, update, create and delete is a call of its own; an update takes over what the diff before it has named. A delete is
 * never about an entry that this run keeps, so whatever is owned belongs to another entry.
 */
export class EngineCall {
  /** Whether it waits for others to hand something over: then nobody waits for what it hands over itself. */
  isWaiting = false;
}

/**
 * How a call came to an object: by a diff (`changing`, `unchanged`), by an update that has begun, or by a create that made or
 * claimed it. With `changing` it does not own the object yet, as an option may turn the change into a replacement.
 */
type Standing = 'changing' | 'unchanged' | 'updating' | 'created';

/** Which call owns which live object, in this process. It asks and tells the other processes of the run. */
export class Ownership {
  private readonly owners = new Map<string, { readonly standing: Standing; readonly call: EngineCall }>();
  /** Objects that this run has deleted, or is about to. */
  private readonly deleted = new Set<string>();
  /** Objects that this run has failed to delete: they are still in the state of the resource that was to delete them, and may go yet. */
  private readonly mayGo = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(private readonly others = new OtherProcesses()) {}

  /** Notes an object that is in state, or in an answer to this process: it cannot be what a create has made whose answer was lost. */
  noteSeen(key: string): void {
    this.seen.add(key);
  }

  hasSeen(key: string): boolean {
    return this.seen.has(key);
  }

  /** Whether a rule may be that of a lost answer, as no resource of the run is known to have it. */
  mayBeLost(key: string): boolean {
    return !this.hasSeen(key) && !this.isOwnedByOther(key);
  }

  /**
   * Notes the objects that a resource keeps by a diff that counts. One that replaces the resource keeps none. Returns the object
   * that another resource owns already (then none is noted), and whether this run has deleted one of them, or is about to.
   */
  declare(
    keys: readonly string[],
    { changes }: { readonly changes: boolean },
  ): { readonly shared?: string; readonly isAnyDeleted: boolean } {
    const shared = keys.find((key) => this.owners.has(key));
    if (shared !== undefined) return { shared, isAnyDeleted: false };
    this.note(keys, changes ? 'changing' : 'unchanged', new EngineCall());
    // The others are told before they are asked: if two processes see each other, the one that deletes gives way.
    if (!changes) this.tellKept(keys);
    const deleted = this.deletedInRun();
    return { isAnyDeleted: keys.some((key) => deleted.has(key)) };
  }

  /** Notes that an update has begun: its resource owns what it keeps from here on, even if the update fails. */
  beginUpdate(keys: readonly string[], call: EngineCall): void {
    this.note(keys, 'updating', call);
    this.tellKept(keys);
  }

  /** Notes that a create has made an object. */
  noteCreated(key: string, call: EngineCall): void {
    this.noteClaimed([key], call);
    this.others.tellAfterwards('take', [key]);
  }

  /** Claims live objects, or one that is about to be created: all of them, or none. */
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

  /** Releases objects that are of no use: they are gone, or what was claimed turned out to be something else. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.owners.delete(key);
    this.others.tellAfterwards(
      'release',
      keys.filter((key) => !this.isGoing(key)),
    );
  }

  /** Releases those of these objects that a call has claimed. */
  releaseClaims(keys: readonly string[], call: EngineCall): void {
    this.release(keys.filter((key) => this.owners.get(key)?.call === call));
  }

  /** Forgets that a diff has named an object which turns out to be gone: an interrupted replacement creates it anew. */
  forgetDeclared(key: string): void {
    if (['unchanged', 'changing'].includes(this.standingOf(key) ?? '')) this.release([key]);
  }

  /** Whether anyone but the one that asks owns an object for the rest of the run. */
  isOwnedToTheEnd(key: string, asking?: EngineCall): boolean {
    return ['unchanged', 'created'].includes(this.standingOf(key, asking) ?? '');
  }

  /** Whether a diff has named an object and found no change. */
  isUnchanged(key: string): boolean {
    return this.standingOf(key) === 'unchanged';
  }

  /** Whether anyone but the one that asks owns an object. */
  isOwnedByOther(key: string, asking?: EngineCall): boolean {
    return this.isOwnedHere(key, asking) || this.others.say(OWNED, key);
  }

  /** Whether another resource has created or claimed the object in this run, so that other objects it declares may be missing yet. */
  isNewlyOwned(key: string, asking: EngineCall): boolean {
    return this.standingOf(key, asking) === 'created' || this.others.say(['take'], key);
  }

  /** Whether another process has created or claimed an object in this run, or may still send a delete of it. */
  isClaimedElsewhere(key: string): boolean {
    return this.others.say(['take', 'delete', 'fail-delete'], key);
  }

  /** Asked before each request to delete an object. False if the request must not be sent. */
  beginDelete(key: string, call: EngineCall): boolean {
    this.seen.add(key);
    if (this.isOwnedHere(key, call) || !this.others.beginDelete(key)) return false;
    this.deleted.add(key);
    return true;
  }

  /** Notes that a delete has been called off, as another resource owns the object. */
  callOffDelete(key: string): void {
    this.deleted.delete(key);
    this.others.tellAfterwards('end-delete', [key]);
  }

  /** Notes that a delete has failed. Nobody claims the object in this run: the next one deletes it. */
  failDelete(key: string): void {
    this.deleted.delete(key);
    this.mayGo.add(key);
    this.others.tellAfterwards('fail-delete', [key]);
  }

  /** Notes that a delete has ended: there is no such object any more. */
  noteDeleted(key: string): void {
    this.deleted.add(key);
    this.mayGo.delete(key);
    // An update that has begun meanwhile waits for its turn to write the module anew.
    if (this.standingOf(key) === 'updating') return;
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

  private isOwnedHere(key: string, asking?: EngineCall): boolean {
    const standing = this.standingOf(key, asking);
    return standing !== undefined && standing !== 'changing';
  }

  /** How anyone but the one that asks came to an object. */
  private standingOf(key: string, asking?: EngineCall): Standing | undefined {
    const noted = this.owners.get(key);
    return noted?.call === asking ? undefined : noted?.standing;
  }

  /** The id of a rule is never used again, so once its delete has begun, nothing may change the rule. */
  private isGoing(key: string): boolean {
    return isRuleKey(key) && this.deleted.has(key);
  }

  /** The others know already which rules this process deletes. */
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
