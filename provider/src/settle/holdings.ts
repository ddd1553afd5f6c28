import type { Clock } from '../api/clock';
import { UserError } from '../errors/user-error';
import { REGISTRATION_GAP_MS, RunActivity } from './run-activity';
import { Wants } from './wants';

const MOST_OFFER_GAPS = 5;

/** A live object, and the place on the service that only one object can have. */
export interface Claim {
  /** The service's id of the object: a rule, or the module of an edge or route. */
  readonly id: string;
  /** For a rule see `rule/rule.ts`; the place of a module is its id. */
  readonly place: string;
  /** The resource that stands for the object: the id of a set, or the object's own id where the resource is nothing else. */
  readonly holder: string;
}

interface Hold extends Claim {
  /**
   * `unchanged` and `changed` are what diff said; an option may still turn a change into a replacement. `written` is what
   * this run made or wrote, `failed` where it could not finish that: the engine may ask for the create once more.
   */
  readonly since: 'unchanged' | 'changed' | 'written' | 'failed';
}

/** What a set stands for after a diff; worked out only where somebody asks, as a set may be long. */
interface DeclaredSet {
  readonly holder: string;
  readonly kept: () => readonly Claim[];
}

/** What {@link Holdings.leave} needs of the run. */
interface Leaving {
  readonly clock: Clock;
  readonly warn: (line: string) => void;
}

/**
 * Which resources of the program stand for which live objects, as far as this run of the engine knows: from check, which
 * names what is going to be created, from diff, which brings the ids of what is in state, and from the run's own writes.
 *
 * The engine knows resources and not what they stand for. After a rename, or when rules move between single rules and
 * sets, it deletes an old resource whose live object a new one stands for, in this run or, after an interruption, in the
 * next one. So this class is asked before anything is deleted.
 *
 * Diffs count only after the first check: a refresh asks for diffs too, of resources that the program may have dropped.
 */
export class Holdings {
  readonly activity = new RunActivity();
  readonly wants = new Wants(this.activity);
  private readonly holds = new Map<string, Hold>();
  private readonly undecided: DeclaredSet[] = [];
  private readonly sets = new Set<string>();
  private readonly offers = new Map<string, Claim>();
  /** Objects that are gone in this run. */
  private readonly gone = new Set<string>();
  /** Objects of which a request to delete them is under way. */
  private readonly going = new Set<string>();
  /** Objects that were deleted although a resource was still to take them over. */
  private readonly wentFirst = new Set<string>();
  /** How many operations had begun when an object that went first was gone. */
  private begunBefore: number | undefined;

  /**
   * Notes what diff says of a resource that stands for one object and is not replaced.
   *
   * @returns the other resource that stands for the object, if there is one.
   */
  declare(claim: Claim, hasChanges: boolean): string | undefined {
    if (!this.activity.showsProgram) return undefined;
    this.decide();
    const hold = this.holds.get(claim.id);
    if (hold !== undefined && this.isAnother(claim, hold)) return hold.holder;
    this.put({ ...claim, since: hasChanges ? 'changed' : 'unchanged' });
    return undefined;
  }

  /** The same for a set: answers an object that another resource stands for as well. */
  declareSet(set: DeclaredSet): Claim | undefined {
    if (!this.activity.showsProgram) return undefined;
    this.sets.add(set.holder);
    this.undecided.push(set);
    // A set that is alone in its program shares nothing, and a preview of it need not list its rules.
    return this.sets.size > 1 || this.holds.size > 0 ? this.decide() : undefined;
  }

  /** Notes that a resource of this run has made, taken over or written an object. */
  hold(claim: Claim, since: 'written' | 'failed' = 'written'): void {
    this.decide();
    this.put({ ...claim, since });
    if (since === 'written') {
      this.wants.noteFilled(claim.place);
      this.gone.delete(claim.id);
    }
    this.activity.tell();
  }

  /**
   * Whether this run has deleted, for another resource, an object that diff says one keeps: with `--target` both came to
   * hold it, and with few workers the engine names the second one too late.
   */
  isGone(id: string): boolean {
    return this.gone.has(id);
  }

  /** Notes whether a request to delete an object is under way, which nothing can call back. */
  noteGoing(id: string, isUnderWay: boolean): void {
    if (isUnderWay) this.going.add(id);
    else this.going.delete(id);
  }

  /** Whether an object is gone, or may be gone in a moment: a diff that knows of it comes too late to keep it. */
  isGoneOrGoing(id: string): boolean {
    return this.gone.has(id) || this.going.has(id);
  }

  /** The same for what a set keeps, which is worked out only where anything is gone. */
  isAnyGoneOrGoing(kept: () => readonly Claim[]): boolean {
    return this.gone.size + this.going.size > 0 && kept().some(({ id }) => this.isGoneOrGoing(id));
  }

  /** Notes that an object is gone, or that its resource does not stand for it after all. */
  release({ id, holder }: Pick<Claim, 'id' | 'holder'>): void {
    if (this.holds.get(id)?.holder === holder) this.holds.delete(id);
    this.gone.add(id);
    if (holder === id && this.wentFirst.has(id)) this.begunBefore = this.activity.begun;
    this.activity.tell();
  }

  /** Whether diff has said, of another resource, that it stands for an object at a place other than this one. */
  isHeldElsewhere(id: string, place: string): boolean {
    const hold = this.holdOf(id);
    return hold !== undefined && hold.place !== place && !isWritten(hold);
  }

  /** The resource other than this one that stands for an object, if any. */
  otherHolder({ id, holder }: Pick<Claim, 'id' | 'holder'>): string | undefined {
    const hold = this.holdOf(id);
    return hold === undefined || hold.holder === holder ? undefined : hold.holder;
  }

  /** What is known of the resource that stands for an object, whoever asks. */
  holdOf(id: string): Hold | undefined {
    this.decide();
    return this.holds.get(id);
  }

  /**
   * Whether a create would make a second resource for an object. Where the object is gone, what diff has said counts for
   * nothing: an interrupted replacement creates its resource anew, and the program may have been reverted meanwhile.
   */
  isTaken(id: string, isGone = false): boolean {
    const hold = this.holdOf(id);
    if (hold === undefined || hold.since === 'failed') return false;
    return hold.since === 'written' || !isGone;
  }

  /**
   * Whether deleting the object for this resource would remove what another resource stands for. A resource that stands
   * for one object is known by the object's id, and so is any other of its kind: a delete of one that is unchanged, or
   * was written in this run, can only be about another entry of state.
   */
  isProtected({ id, holder }: Pick<Claim, 'id' | 'holder'>): boolean {
    const hold = this.holdOf(id);
    if (hold === undefined) return false;
    return hold.holder === holder ? holder === id && hold.since !== 'changed' : true;
  }

  /** The object at this place that its resource is about to delete, and that may be taken over instead. */
  offerAt(place: string): Claim | undefined {
    return this.offers.get(place);
  }

  /**
   * To be asked before a delete. An object that another resource is going to create anew is offered to that one first, so
   * that it is live all the time.
   *
   * @returns whether the object may be deleted: false where another resource stands for it.
   * @throws UserError where its successor failed, or cannot come any more: the object and its resource stay.
   */
  async leave(claim: Claim, run: Leaving): Promise<boolean> {
    if (this.isProtected(claim)) return false;
    this.offers.set(claim.place, claim);
    try {
      // Whatever else stands for the object may be unchanged, and named a moment later.
      await this.activity.settleRegistrations(run.clock);
      await this.activity.until(
        () => this.isProtected(claim) || !this.wants.isWanted(claim.place),
        run.clock,
      );
    } finally {
      if (this.offers.get(claim.place) === claim) this.offers.delete(claim.place);
    }
    if (this.isProtected(claim)) return false;
    const isStillWanted = this.wants.isWanted(claim.place);
    if (
      this.wants.hasFailedAt(claim.place) ||
      (isStillWanted && (this.activity.hasFailed || this.isRunEnding))
    )
      throw keptForSuccessor(claim);
    if (isStillWanted) {
      this.wentFirst.add(claim.id);
      run.warn(deletedFirst(claim));
    }
    return true;
  }

  /**
   * Whether the engine begins nothing more, as after Ctrl-C: a single object goes before its successor comes only in a
   * replacement, and the other half of that is the next thing that begins.
   */
  private get isRunEnding(): boolean {
    return this.begunBefore === this.activity.begun;
  }

  /**
   * For an operation that wants this place, keeps its own object and so cannot take over the one that is there: lets the
   * resource that gives that one up delete it first.
   *
   * @returns whether the object is gone.
   */
  async clear(place: string, run: Leaving): Promise<boolean> {
    await this.awaitOffer(place, run.clock);
    const offer = this.offers.get(place);
    if (offer === undefined) return false;
    run.warn(deletedBeforeMove(offer));
    this.wants.end(place, 'done');
    const isGone = (): boolean => this.isGone(offer.id);
    await this.activity.waiting(() => this.activity.until(isGone, run.clock));
    return isGone();
  }

  /** Gives a resource that still works the time to offer what it is about to delete. */
  async awaitOffer(place: string, clock: Clock): Promise<void> {
    for (let gap = 0; gap < MOST_OFFER_GAPS; gap += 1) {
      if (this.offers.has(place) || !this.activity.isAnyOtherRunning) return;
      await clock.sleep(REGISTRATION_GAP_MS);
    }
  }

  /** Runs the operation that {@link Wants.add} announced under this key, or place, and notes how it ended. */
  async fulfil<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const done = await this.activity.during(work);
      this.wants.end(key, 'done');
      return done;
    } catch (error) {
      this.wants.end(key, 'failed');
      throw error;
    }
  }

  /**
   * Whether a diff is about another resource than the one that holds the object. The engine may ask for the diff of one
   * resource twice, but not for one that this run has written, and each resource announces its place once: one that is to
   * move has not announced that it keeps the place of before.
   */
  private isAnother({ holder, place }: Claim, hold: Hold): boolean {
    if (hold.holder !== holder || isWritten(hold) || this.wants.isKeptTwice(place)) return true;
    return hold.place !== place && this.wants.isKept(hold.place);
  }

  private put(hold: Hold): void {
    this.holds.set(hold.id, hold);
  }

  /** Takes in what sets have declared; answers an object that two resources stand for. */
  private decide(): Claim | undefined {
    let shared: Claim | undefined;
    for (const { holder, kept } of this.undecided.splice(0)) {
      for (const claim of kept()) {
        const hold = this.holds.get(claim.id);
        if (hold !== undefined && hold.holder !== holder) shared ??= claim;
        else this.put({ ...claim, since: 'unchanged' });
      }
    }
    return shared;
  }
}

const isWritten = ({ since }: Hold): boolean => since === 'written' || since === 'failed';

const keptForSuccessor = ({ id }: Claim): UserError =>
  new UserError(
    `${id} was kept, because the resource that takes it over was not created in this run. Run "pulumi up" again.`,
  );

const deletedBeforeMove = ({ id }: Claim): string =>
  `${id} is deleted before another rule moves to its network, as the service refuses two rules for one network: for a moment ` +
  `nothing takes its place.`;

const deletedFirst = ({ id }: Claim): string =>
  `${id} is deleted before the resource that takes it over can begin, so for a moment nothing takes its place: ` +
  `the engine cannot run both at once (they wait for each other, or --parallel is too small).`;
