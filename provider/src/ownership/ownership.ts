// Who owns which live object, as far as one run of the engine shows it. This room knows keys and owners, and nothing of
// resources, requests or state. The rule that it keeps is in docs/design.md ("Ownership").
import { idsIn, isRuleKey, ruleIdOf, ruleKey } from './object-key';
import { NO_OTHER_PROCESSES, type OtherProcesses, type Taking } from './other-processes';

/**
 * Why an object is owned: what diff said (`changing`, `unchanged`), an update that has begun, or a create that made or took it.
 * `changing` keeps nothing yet, as an option may turn the change into a replacement. `failed` is a create that could not finish,
 * and that the engine may ask for once more.
 */
type Standing = 'changing' | 'unchanged' | 'updating' | 'created' | 'failed';

/** What diff answered. */
interface Outcome {
  readonly changes: boolean;
  readonly replaces: readonly string[];
}

/**
 * Who owns which live object. The engine knows resources and not what they own: after a rename, or when rules move between
 * single rules and sets, it deletes an old resource whose object belongs to a new one. So this is asked before anything is
 * deleted or taken over.
 *
 * A resource that owns one object is known by that object, a set by its own id.
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
   * Takes in what a diff that counts says of a resource that owns one object.
   *
   * @returns `gone` where this run has deleted the object, as it belonged to another entry of state, too; `shared` where another
   * resource owns it already.
   */
  declare(key: string, { changes, replaces }: Outcome): 'declared' | 'shared' | 'gone' {
    // What is kept of the object is another resource's: two entries of state may share it after a run that was interrupted.
    if (replaces.length > 0) return 'declared';
    const standing = this.standingOf(key);
    if (standing !== undefined) return 'shared';
    if (this.gone.has(key)) return 'gone';
    this.objects.set(key, { standing: changes ? 'changing' : 'unchanged' });
    if (!changes) this.others.keep([key]);
    // Told before it is asked: of two that see each other, the one that deletes gives way.
    if (!this.others.going().has(key)) return 'declared';
    this.withdraw([key]);
    return 'gone';
  }

  /**
   * For a set of rules.
   *
   * @param idList The ids, one a line, of its rules that stay or change in place.
   * @returns the id of a rule that is shared; `isAnyGone` where a rule is gone.
   */
  declareSet(
    set: string,
    idList: () => string,
    { changes, replaces }: Outcome,
  ): { readonly shared?: string; readonly isAnyGone: boolean } {
    const before = this.sets.get(set);
    if (replaces.length > 0) {
      if (before?.standing === 'unchanged') this.others.keepSet(set, '');
      this.sets.delete(set);
      return { isAnyGone: false };
    }
    const owned = new OwnedRules(changes ? 'changing' : 'unchanged', idList);
    // A set that is alone in its program shares nothing, and a preview of it need not list its rules.
    if (this.objects.size + this.sets.size > 0) {
      const isShared = (key: string): boolean =>
        before?.has(key) === true || this.standingOf(key, set) !== undefined;
      const shared = [...owned.keys()].find(isShared);
      if (shared !== undefined) return { shared: ruleIdOf(shared), isAnyGone: false };
    }
    const isAnyGone = this.gone.size > 0 && [...owned.keys()].some((key) => this.gone.has(key));
    this.sets.set(set, owned);
    if (!changes && !isAnyGone) this.others.keepSet(set, idList());
    return { isAnyGone: isAnyGone || [...this.others.going()].some((key) => owned.has(key)) };
  }

  /** Notes that an update has begun of a resource that owns one object: it goes on owning it, also if the update fails. */
  beginUpdate(key: string): void {
    this.objects.set(key, { standing: 'updating' });
    this.others.keep([key]);
  }

  /** For a set: its rules that stay or change in place. */
  beginSetUpdate(set: string, idList: string): void {
    this.sets.set(set, new OwnedRules('updating', () => idList));
    this.others.keepSet(set, idList);
  }

  /** Notes that a create has made an object. */
  noteCreated(key: string, set?: string): void {
    this.own([key], set);
    this.others.noteTaken([key]);
  }

  /** Notes that a create could not finish what it has made or taken. */
  noteFailed(key: string): void {
    this.objects.set(key, { standing: 'failed' });
  }

  /**
   * Decides that a resource takes over live objects: all of them, or none.
   *
   * @param set The set that takes them; without it each object is taken by a resource of its own.
   */
  take(keys: readonly string[], set?: string): Taking {
    return this.claim(keys, set, () => this.others.take(keys));
  }

  /** For a resource that is about to create its object, which is not live. */
  make(key: string): Taking {
    return this.claim([key], undefined, () => this.others.make(key));
  }

  private claim(keys: readonly string[], set: string | undefined, tell: () => Taking): Taking {
    for (const key of keys) {
      if (this.isDeclared(key, set)) return { outcome: 'declared', key };
      const standing = this.standingOf(key, set);
      // The id of a rule is never used again: a delete that has begun is not to be overtaken by a change.
      const isGoing = isRuleKey(key) && this.gone.has(key);
      if (isGoing || standing === 'changing' || standing === 'updating') return { outcome: 'busy', key };
    }
    const taking = tell();
    if (taking.outcome === 'taken') this.own(keys, set);
    return taking;
  }

  /** Gives back what was taken and could not be used. */
  withdraw(keys: readonly string[]): void {
    for (const key of keys) this.objects.delete(key);
    this.others.release(keys);
  }

  /** Whether another resource owns an object, and goes on doing so. */
  isDeclared(key: string, set?: string): boolean {
    const standing = this.standingOf(key, set);
    return standing === 'unchanged' || standing === 'created';
  }

  /** Gives up what diff has said of an object that turns out to be gone: an interrupted replacement creates it anew. */
  forgetDeclared(key: string): void {
    if (this.objects.get(key)?.standing === 'unchanged') this.withdraw([key]);
  }

  /**
   * Whether a resource other than the one that asks owns an object. Resources that own one object cannot be told from each
   * other: whoever asks, an object that is kept stays.
   */
  isKeptFrom(key: string, set?: string): boolean {
    return this.isKeptHere(key, set) || this.others.isKept(key);
  }

  /** Whether that resource has come to own it in this run, so that what it is to hold beside it may still be missing. */
  isNewlyOwned(key: string, set: string): boolean {
    return this.standingOf(key, set) === 'created' || this.others.isTaken(key);
  }

  /** Asked before each request to delete an object: whether it may be sent. */
  beginDelete(key: string, set?: string): boolean {
    if (this.isKeptHere(key, set) || !this.others.beginDelete(key)) return false;
    this.gone.add(key);
    return true;
  }

  /** Notes that an object that was to be deleted may still be there. */
  endDelete(key: string): void {
    this.gone.delete(key);
    this.others.endDelete(key);
  }

  /** Notes that an object is gone. */
  noteGone(key: string): void {
    this.gone.add(key);
    this.objects.delete(key);
    // A module may be made anew. The id of a rule is never used again, and a list may still show what is gone.
    if (!isRuleKey(key)) this.others.endDelete(key);
  }

  /** Whether this process has deleted an object, or is about to. */
  isGone(key: string): boolean {
    return this.gone.has(key);
  }

  /** The same for all processes of the run, asked of many objects at once. */
  goneInRun(): { has(key: string): boolean } {
    const going = this.others.going();
    return { has: (key) => this.gone.has(key) || going.has(key) };
  }

  /** Whether another process has come to own an object in this run, or may still send a delete of it. */
  isClaimedElsewhere(key: string): boolean {
    return this.others.isClaimed(key);
  }

  private isKeptHere(key: string, set: string | undefined): boolean {
    const standing = this.standingOf(key, set);
    return standing !== undefined && standing !== 'changing';
  }

  /** How an object is owned by any resource but this set. */
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

/** The rules that a set owns, read from the text of its state only when somebody asks: a set may be long. */
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
