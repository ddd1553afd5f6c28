import type { Clock } from '../api/clock';
import { UserError } from '../errors/user-error';

/** Registrations that belong together arrive within this time of each other. */
const REGISTRATION_GAP_MS = 100;
const MOST_REGISTRATION_GAPS = 10;
const MOST_OFFER_GAPS = 5;

/** A run in which nothing happens for so long waits for itself: the engine has no free worker, or begins nothing more. */
const IDLE_MS = 2_000;

/** A live object, and the place on the service that only one object can have. */
export interface Standing {
  /** The service's id of the object: a rule, or the module of an edge or route. */
  readonly id: string;
  /** For a rule see `rule/rule.ts`; the place of a module is its id. */
  readonly place: string;
  /** The resource that stands for the object: the id of a set, or the object's own id where the resource is nothing else. */
  readonly holder: string;
}

interface Hold extends Standing {
  /**
   * `unchanged` and `changed` are what diff said; an option may still turn a change into a replacement. `written` is what
   * this run made or wrote, `failed` where it could not finish that: the engine may ask for the create once more.
   */
  readonly since: 'unchanged' | 'changed' | 'written' | 'failed';
}

/** What a set stands for after a diff; worked out only where somebody asks, as a set may be long. */
interface DeclaredSet {
  readonly holder: string;
  readonly kept: () => readonly Standing[];
}

/** What an operation announces: the places at which it is going to create objects. */
interface Want {
  readonly has: (place: string) => boolean;
  isOver: boolean;
}

/** What {@link Holdings.leave} needs of the run. */
interface Leaving {
  readonly clock: Clock;
  readonly warn: (line: string) => void;
}

/**
 * Which resources of the program stand for which live objects, as this run of the engine has been told: by check, which
 * names what is going to be created, by diff, which brings the ids of what is in state, and by the run's own writes.
 *
 * The engine knows resources and not what they stand for. After a rename, or when rules move between single rules and
 * sets, it deletes an old resource whose live object a new one stands for, in this run or, after an interruption, in the
 * next one. So this class is asked before anything is deleted.
 *
 * Diffs count only after the first check: a refresh asks for diffs too, of resources that the program may have dropped.
 */
export class Holdings {
  private readonly holds = new Map<string, Hold>();
  private readonly undecided: DeclaredSet[] = [];
  private readonly sets = new Set<string>();
  private readonly wants = new Map<string, Want>();
  private readonly setWants: Want[] = [];
  private readonly failedWants: Want[] = [];
  private readonly offers = new Map<string, Standing>();
  private readonly listeners = new Set<() => void>();
  private readonly standing = new Map<string, number>();
  /** Objects that are gone in this run. */
  private readonly gone = new Set<string>();
  /** Places at which this run has made or taken over an object. */
  private readonly filled = new Set<string>();
  /** Objects that were deleted although a resource was still to take them over. */
  private readonly wentFirst = new Set<string>();
  private begun = 0;
  /** How many operations had begun when an object that went first was gone. */
  private begunBefore: number | undefined;
  private checks = 0;
  /** How many checks there were when no more came for a while. */
  private settledChecks = 0;
  private running = 0;
  private events = 0;
  private hasFailed = false;

  /** Notes that the engine shows the program: from now on diffs are about what it declares. */
  noteCheck(): void {
    this.checks += 1;
    this.events += 1;
  }

  /**
   * Notes a place, or the key of a set, that a resource in state keeps: it creates itself anew there if it is replaced.
   *
   * @returns whether another resource is going to create its object there.
   */
  stay(key: string): boolean {
    this.standing.set(key, (this.standing.get(key) ?? 0) + 1);
    return this.wants.has(key);
  }

  /** Notes that a resource is going to create an object at this place. */
  want(place: string): void {
    if (this.standing.has(place)) return;
    this.wants.set(place, { has: (other) => other === place, isOver: false });
  }

  /** The same for a set; `places` are worked out when somebody asks. `key` is what the operation will be known by. */
  wantMany(key: string, places: () => ReadonlySet<string>): void {
    // Asked about once more, the set replaces itself: what it keeps it does not want from anybody.
    if (!this.standing.has(key) && !this.wants.has(key)) this.correctWant(key, places);
  }

  /** The same once diff has told what is live of the set: after a failure that is less than its inputs say. */
  correctWant(key: string, places: () => ReadonlySet<string>): void {
    const earlier = this.wants.get(key);
    if (earlier !== undefined) earlier.isOver = true;
    let known: ReadonlySet<string> | undefined;
    const want: Want = { has: (place) => (known ??= places()).has(place), isOver: false };
    this.wants.set(key, want);
    this.setWants.push(want);
  }

  /** Notes that what was announced under this key, or place, has been done, need not be done, or has failed. */
  endWant(key: string, how: 'done' | 'failed'): void {
    const want = this.wants.get(key);
    if (want === undefined) return;
    want.isOver = true;
    this.wants.delete(key);
    if (how === 'failed') this.failedWants.push(want);
    this.tell();
  }

  /** Whether an operation that is still to come, or still runs, creates an object at this place. */
  isWanted(place: string): boolean {
    if (this.wants.has(place)) return true;
    // A set that has filled this place may still wait for others, and they for the object that was there before.
    return !this.filled.has(place) && this.setWants.some((want) => !want.isOver && want.has(place));
  }

  /** Whether another resource is, or was, to create an object at this place in this run, and has not done so. */
  isSpokenFor(place: string): boolean {
    return this.isWanted(place) || this.hasFailedAt(place);
  }

  /**
   * Notes what diff says of a resource that stands for one object and is not replaced.
   *
   * @returns the other resource that stands for the object, if there is one.
   */
  declare(standing: Standing, hasChanges: boolean): string | undefined {
    if (this.checks === 0) return undefined;
    this.decide();
    const hold = this.holds.get(standing.id);
    if (hold !== undefined && this.isAnother(standing, hold)) return hold.holder;
    this.put({ ...standing, since: hasChanges ? 'changed' : 'unchanged' });
    return undefined;
  }

  /** The same for a set: answers an object that another resource stands for as well. */
  declareSet(set: DeclaredSet): Standing | undefined {
    if (this.checks === 0) return undefined;
    this.sets.add(set.holder);
    this.undecided.push(set);
    // A set that is alone in its program shares nothing, and a preview of it need not list its rules.
    return this.sets.size > 1 || this.holds.size > 0 ? this.decide() : undefined;
  }

  /** Notes that a resource of this run has made, taken over or written an object. */
  hold(standing: Standing, since: 'written' | 'failed' = 'written'): void {
    this.decide();
    this.put({ ...standing, since });
    if (since === 'written') {
      this.filled.add(standing.place);
      this.gone.delete(standing.id);
    }
    this.tell();
  }

  /**
   * Whether this run has deleted, for another resource, an object that diff says one keeps: with `--target` both came to
   * hold it, and with few workers the engine names the second one too late.
   */
  isAnyGone(kept: () => readonly Pick<Standing, 'id'>[]): boolean {
    return this.gone.size > 0 && kept().some(({ id }) => this.gone.has(id));
  }

  /** Notes that an object is gone, or that its resource does not stand for it after all. */
  release({ id, holder }: Pick<Standing, 'id' | 'holder'>): void {
    if (this.holds.get(id)?.holder === holder) this.holds.delete(id);
    this.gone.add(id);
    if (holder === id && this.wentFirst.has(id)) this.begunBefore = this.begun;
    this.tell();
  }

  /** The resource other than this one that stands for an object, if any. */
  otherHolder({ id, holder }: Pick<Standing, 'id' | 'holder'>): string | undefined {
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
   * nothing: an interrupted replacement creates its resource anew, and the program may have gone back meanwhile.
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
  isProtected({ id, holder }: Pick<Standing, 'id' | 'holder'>): boolean {
    const hold = this.holdOf(id);
    if (hold === undefined) return false;
    return hold.holder === holder ? holder === id && hold.since !== 'changed' : true;
  }

  /** The object at this place that its resource is about to delete, and that may be taken over instead. */
  offerAt(place: string): Standing | undefined {
    return this.offers.get(place);
  }

  /**
   * To be asked before a delete. An object that another resource is going to create anew is offered to that one first, so
   * that it is live all the time.
   *
   * @returns whether the object may be deleted: false where another resource stands for it.
   * @throws UserError where its successor failed, or cannot come any more: the object and its resource stay.
   */
  async leave(standing: Standing, run: Leaving): Promise<boolean> {
    if (this.isProtected(standing)) return false;
    this.offers.set(standing.place, standing);
    try {
      // Whatever else stands for the object may be unchanged, and named a moment later.
      await this.settleRegistrations(run.clock);
      await this.until(() => this.isProtected(standing) || !this.isWanted(standing.place), run.clock);
    } finally {
      if (this.offers.get(standing.place) === standing) this.offers.delete(standing.place);
    }
    if (this.isProtected(standing)) return false;
    const isStillWanted = this.isWanted(standing.place);
    if (this.hasFailedAt(standing.place) || (isStillWanted && (this.hasFailed || this.isRunEnding)))
      throw keptForSuccessor(standing);
    if (isStillWanted) {
      this.wentFirst.add(standing.id);
      run.warn(deletedFirst(standing));
    }
    return true;
  }

  /**
   * Whether the engine begins nothing more, as after Ctrl-C: a single object goes before its successor comes only in a
   * replacement, and the other half of that is the next thing that begins.
   */
  private get isRunEnding(): boolean {
    return this.begunBefore === this.begun;
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
    this.endWant(place, 'done');
    const isGone = (): boolean => this.gone.has(offer.id);
    await this.waiting(() => this.until(isGone, run.clock));
    return isGone();
  }

  /** Gives a resource that still works the time to offer what it is about to delete. */
  async awaitOffer(place: string, clock: Clock): Promise<void> {
    for (let gap = 0; gap < MOST_OFFER_GAPS; gap += 1) {
      if (this.offers.has(place) || this.running <= 1) return;
      await clock.sleep(REGISTRATION_GAP_MS);
    }
  }

  /** Waits until the registrations that arrive together have been seen. */
  async settleRegistrations(clock: Clock): Promise<void> {
    for (let gap = 0; gap < MOST_REGISTRATION_GAPS; gap += 1) {
      const before = this.checks;
      if (before === this.settledChecks) return;
      await clock.sleep(REGISTRATION_GAP_MS);
      if (this.checks === before) this.settledChecks = before;
    }
  }

  /** Notes that an operation fails, before its end: whoever waits for a successor is not to go first any more. */
  noteFailure(): void {
    this.hasFailed = true;
    this.tell();
  }

  /** Runs an operation of a resource, so that one that waits in {@link leave} knows whether anything goes on. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begun += 1;
    this.running += 1;
    this.events += 1;
    try {
      return await work();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.running -= 1;
      this.tell();
    }
  }

  /** Runs the part of an operation in which it only waits for others. */
  async waiting<T>(work: () => Promise<T>): Promise<T> {
    this.running -= 1;
    try {
      return await work();
    } finally {
      this.running += 1;
      this.tell();
    }
  }

  /** Runs the operation that {@link want} announced under this key, or place, and notes how it ended. */
  async fulfil<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const done = await this.during(work);
      this.endWant(key, 'done');
      return done;
    } catch (error) {
      this.endWant(key, 'failed');
      throw error;
    }
  }

  /** Waits until this is so, or until the run waits for itself. */
  private async until(isSo: () => boolean, clock: Clock): Promise<void> {
    while (!isSo()) {
      const eventsBefore = this.events;
      await this.nextEvent(clock);
      // The first of several that wait for each other goes on, which is an event for the others.
      if (this.events === eventsBefore && this.running <= 0) return;
    }
  }

  /** Waits for the next thing that happens, but not for ever. */
  private async nextEvent(clock: Clock): Promise<void> {
    const happened = new AbortController();
    const listener = (): void => {
      happened.abort(somethingHappened);
    };
    this.listeners.add(listener);
    try {
      await clock.sleep(IDLE_MS, happened.signal);
    } catch {
      // Something happened: the sleep was only stopped.
    } finally {
      this.listeners.delete(listener);
    }
  }

  /**
   * Whether a diff is about another resource than the one that holds the object. The engine may ask for the diff of one
   * resource twice, but not for one that this run has written, and each resource announces its place once.
   */
  private isAnother({ holder, place }: Standing, hold: Hold): boolean {
    return hold.holder !== holder || isWritten(hold) || (this.standing.get(place) ?? 0) > 1;
  }

  private hasFailedAt(place: string): boolean {
    return this.failedWants.some((want) => want.has(place));
  }

  private tell(): void {
    this.events += 1;
    for (const listener of [...this.listeners]) listener();
  }

  private put(hold: Hold): void {
    this.holds.set(hold.id, hold);
  }

  /** Takes in what sets have declared; answers an object that two resources stand for. */
  private decide(): Standing | undefined {
    let shared: Standing | undefined;
    for (const { holder, kept } of this.undecided.splice(0)) {
      for (const standing of kept()) {
        const hold = this.holds.get(standing.id);
        if (hold !== undefined && hold.holder !== holder) shared ??= standing;
        else this.put({ ...standing, since: 'unchanged' });
      }
    }
    return shared;
  }
}

// One reason for all: an error for each costs more than the sleep that it ends.
const somethingHappened = new Error('something happened');

const isWritten = ({ since }: Hold): boolean => since === 'written' || since === 'failed';

const keptForSuccessor = ({ id }: Standing): UserError =>
  new UserError(
    `${id} was kept, as the resource that is to take it over was not created in this run. Run "pulumi up" again.`,
  );

const deletedBeforeMove = ({ id }: Standing): string =>
  `${id} is deleted before another rule moves to its network, as the service refuses two rules for one: for a moment ` +
  `nothing stands in its place.`;

const deletedFirst = ({ id }: Standing): string =>
  `${id} is deleted before the resource that is to take it over can begin, so for a moment nothing stands in its place: ` +
  `the engine does not run both at once (they wait for each other, or --parallel is too small).`;
