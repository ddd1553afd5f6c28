// What for: which resource owns which live object, in this process and in the others of a run.
// Must not know: `resources`, `rule`, requests and state: it knows keys and their owners.
//
// The rule is in docs/design.md ("Ownership").
import { idsIn, isRuleKey, ruleIdOf, ruleKey } from './object-key';
import { NO_OTHER_PROCESSES, type OtherProcesses, type Taking } from './other-processes';

/**
 * How a resource came to an object: by a diff (`changing`, `unchanged`), by an update that has begun, or by a create that made or
 * took it. With `changing` it does not own the object yet, as an option may turn the change into a replacement. `failed` is a
 * create that could not finish, and that the engine may repeat.
 */
type Standing = 'changing' | 'unchanged' | 'updating' | 'created' | 'failed';

/** The answer of diff. */
interface Outcome {
  readonly changes: boolean;
  readonly replaces: readonly string[];
}

/**
 * Which resource owns which live object. The engine knows resources and not what they own: after a rename, or when rules move
 * between single rules and sets, it deletes an old resource whose object belongs to a new one. So this class is asked before
 * anything is deleted or taken over.
 *
 * A resource that owns one object is identified by that object's key, a set by its own id.
 */
export class Ownership {
  private readonly objects = new Map<
    string,
    { readonly standing: Standing; readonly set?: string | undefined }
  >();
  private readonly sets = new Map<string, OwnedRules>();
  /** Objects that this run has deleted, or is about to. */
  private readonly gone = new Set<string>();

  constructor(private readonly others: OtherProcesses = NO_OTHER_PROCESSES) {}

  /**
   * Notes the result of a diff that counts, for a resource that owns one object.
   *
   * @returns `shared` if another resource owns the object already; `gone` if this run has deleted it, as another entry of state
   * owned it, too.
   */
  declare(key: string, { changes, replaces }: Outcome): 'declared' | 'shared' | 'gone' {
    // Any owner that is noted is another resource: two entries of state may share an object after an interrupted run.
    if (replaces.length > 0) return 'declared';
    const standing = this.standingOf(key);
    if (standing !== undefined) return 'shared';
    if (this.gone.has(key)) return 'gone';
    this.objects.set(key, { standing: changes ? 'changing' : 'unchanged' });
    if (!changes) this.others.own([key]);
    // The others are told before they are asked: if two processes see each other, the one that deletes gives way.
    if (!this.others.deleting().has(key)) return 'declared';
    this.withdraw([key]);
    return 'gone';
  }

  /**
   * `declare` for a set of rules.
   *
   * @param idList The ids, one a line, of its rules that stay or change in place.
   * @returns the id of a rule that is shared, if any; `isAnyGone` if a rule is gone.
   */
  declareSet(
    set: string,
    idList: () => string,
    { changes, replaces }: Outcome,
  ): { readonly shared?: string; readonly isAnyGone: boolean } {
    const before = this.sets.get(set);
    if (replaces.length > 0) {
      if (before?.standing === 'unchanged') this.others.ownSet(set, '');
      this.sets.delete(set);
      return { isAnyGone: false };
    }
    const owned = new OwnedRules(changes ? 'changing' : 'unchanged', idList);
    // A set that is alone in its program shares nothing, so its ids need not be read.
    if (this.objects.size + this.sets.size > 0) {
      const isShared = (key: string): boolean =>
        before?.has(key) === true || this.standingOf(key, set) !== undefined;
      const shared = [...owned.keys()].find(isShared);
      if (shared !== undefined) return { shared: ruleIdOf(shared), isAnyGone: false };
    }
    const isAnyGone = this.gone.size > 0 && [...owned.keys()].some((key) => this.gone.has(key));
    this.sets.set(set, owned);
    if (!changes && !isAnyGone) this.others.ownSet(set, idList());
    return { isAnyGone: isAnyGone || [...this.others.deleting()].some((key) => owned.has(key)) };
  }

  /** Notes that the update of a resource with one object has begun: the resource owns it from here on, even if the update fails. */
  beginUpdate(key: string): void {
    this.objects.set(key, { standing: 'updating' });
    this.others.own([key]);
  }

  /** `beginUpdate` for a set, with the ids of its rules that stay or change in place. */
  beginSetUpdate(set: string, idList: string): void {
    this.sets.set(set, new OwnedRules('updating', () => idList));
    this.others.ownSet(set, idList);
  }

  /** Notes that a create has made an object. */
  noteCreated(key: string, set?: string): void {
    this.own([key], set);
    this.others.noteTaken([key]);
  }

  /** Notes that a create could not finish the object that it has made or taken. */
  noteFailed(key: string): void {
    this.objects.set(key, { standing: 'failed' });
  }

  /**
   * Takes over live objects for a resource: all of them, or none.
   *
   * @param set The set that takes them; without it, each object becomes the only one of its resource.
   */
  take(keys: readonly string[], set?: string): Taking {
    return this.claim(keys, set, () => this.others.take(keys));
  }

  /** `take` for a resource that is about to create its object, which is not live. */
  make(key: string): Taking {
    return this.claim([key], undefined, () => this.others.make(key));
  }

  private claim(keys: readonly string[], set: string | undefined, tell: () => Taking): Taking {
    for (const key of keys) {
      if (this.isDeclared(key, set)) return { outcome: 'declared', key };
      const standing = this.standingOf(key, set);
      // The id of a rule is never used again, so once its delete has begun, nothing may change the rule.
      const isGoing = isRuleKey(key) && this.gone.has(key);
      if (isGoing || standing === 'changing' || standing === 'updating') return { outcome: 'busy', key };
    }
    const taking = tell();
    if (taking.outcome === 'taken') this.own(keys, set);
    return taking;
  }

  /** Gives up objects that were taken and turned out to be of no use. */
  withdraw(keys: readonly string[]): void {
    for (const key of keys) this.objects.delete(key);
    this.others.release(keys);
  }

  /** Whether another resource owns an object for the rest of the run. */
  isDeclared(key: string, set?: string): boolean {
    const standing = this.standingOf(key, set);
    return standing === 'unchanged' || standing === 'created';
  }

  /** Whether another entry of state has the object, too, and the diff of that one has found no change. */
  isUnchanged(key: string): boolean {
    return this.objects.get(key)?.standing === 'unchanged';
  }

  /** Forgets the owner that a diff has named for an object that turns out to be gone: an interrupted replacement creates it anew. */
  forgetDeclared(key: string): void {
    if (this.isUnchanged(key)) this.withdraw([key]);
  }

  /**
   * Whether another resource than the one that asks owns an object. Resources with one object cannot be told from each other, so
   * without `set` any owner counts.
   */
  isOwnedByOther(key: string, set?: string): boolean {
    return this.isOwnedHere(key, set) || this.others.isOwned(key);
  }

  /** Whether another resource has created or taken over the object in this run, so that other objects it declares may be missing yet. */
  isNewlyOwned(key: string, set: string): boolean {
    return this.standingOf(key, set) === 'created' || this.others.isNewlyOwned(key);
  }

  /** Asked before each request to delete an object. False if the request must not be sent. */
  beginDelete(key: string, set?: string): boolean {
    if (this.isOwnedHere(key, set) || !this.others.beginDelete(key)) return false;
    this.gone.add(key);
    return true;
  }

  /** Notes that a delete has ended and the object may still be live. */
  endDelete(key: string): void {
    this.gone.delete(key);
    this.others.endDelete(key);
  }

  /** Notes that an object is gone. */
  noteGone(key: string): void {
    this.gone.add(key);
    this.objects.delete(key);
    // A module may be created anew. The id of a rule is never used again, and a list may still show a rule that is gone.
    if (!isRuleKey(key)) this.others.endDelete(key);
  }

  /** Whether this process has deleted an object, or is about to. */
  isGone(key: string): boolean {
    return this.gone.has(key);
  }

  /** `isGone` for all processes of the run, to be asked of many objects at once. */
  goneInRun(): { has(key: string): boolean } {
    const deleting = this.others.deleting();
    return { has: (key) => this.gone.has(key) || deleting.has(key) };
  }

  /** Whether another process has created or taken over an object in this run, or may still send a delete of it. */
  isClaimedElsewhere(key: string): boolean {
    return this.others.isClaimed(key);
  }

  private isOwnedHere(key: string, set: string | undefined): boolean {
    const standing = this.standingOf(key, set);
    return standing !== undefined && standing !== 'changing';
  }

  /** How a resource other than this set came to an object. */
  private standingOf(key: string, exceptSet?: string): Standing | undefined {
    const object = this.objects.get(key);
    if (object !== undefined && (object.set === undefined || object.set !== exceptSet))
      return object.standing;
    if (!isRuleKey(key)) return undefined;
    for (const [set, owned] of this.sets) if (set !== exceptSet && owned.has(key)) return owned.standing;
    return undefined;
  }

  private own(keys: readonly string[], set: string | undefined): void {
    for (const key of keys) {
      this.objects.set(key, { standing: 'created', set });
      this.gone.delete(key);
    }
  }
}

/** The rules that a set owns. The list of ids is parsed on first use, as a set may be long. */
class OwnedRules {
  private known: ReadonlySet<string> | undefined;

  constructor(
    readonly standing: Standing,
    private readonly idList: () => string,
  ) {}

  keys(): ReadonlySet<string> {
    return (this.known ??= new Set(idsIn(this.idList()).map(ruleKey)));
  }

  has(key: string): boolean {
    return this.keys().has(key);
  }
}
