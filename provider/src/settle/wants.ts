import type { RunActivity } from './run-activity';

/** What an operation announces: the places at which it is going to create objects. */
interface Want {
  readonly has: (place: string) => boolean;
  isOver: boolean;
}

/**
 * What the operations of a run are going to create, and what resources in state keep: check announces it, diff corrects it, and
 * each operation says when it has ended.
 */
export class Wants {
  private readonly byKey = new Map<string, Want>();
  private readonly ofSets: Want[] = [];
  private readonly failed: Want[] = [];
  private readonly kept = new Map<string, number>();
  /** Places at which this run has made or taken over an object. */
  private readonly filled = new Set<string>();

  constructor(private readonly activity: Pick<RunActivity, 'tell'>) {}

  /**
   * Notes a place, or the key of a set, that a resource in state keeps: it creates itself anew there if it is replaced.
   *
   * @returns whether another resource is going to create its object there.
   */
  noteKept(key: string): boolean {
    this.kept.set(key, (this.kept.get(key) ?? 0) + 1);
    return this.byKey.has(key);
  }

  /** Notes that a resource is going to create an object at this place. */
  add(place: string): void {
    if (this.kept.has(place)) return;
    this.byKey.set(place, { has: (other) => other === place, isOver: false });
  }

  /** The same for a set; `places` are worked out when somebody asks. `key` is what the operation will be known by. */
  addMany(key: string, places: () => ReadonlySet<string>): void {
    // Asked about once more, the set replaces itself: it wants from nobody what it keeps.
    if (!this.kept.has(key) && !this.byKey.has(key)) this.correct(key, places);
  }

  /** The same once diff has told what is live of the set: after a failure that is less than its inputs say. */
  correct(key: string, places: () => ReadonlySet<string>): void {
    const earlier = this.byKey.get(key);
    if (earlier !== undefined) earlier.isOver = true;
    let known: ReadonlySet<string> | undefined;
    const want: Want = { has: (place) => (known ??= places()).has(place), isOver: false };
    this.byKey.set(key, want);
    this.ofSets.push(want);
  }

  /** Notes that what was announced under this key, or place, has been done, need not be done, or has failed. */
  end(key: string, how: 'done' | 'failed'): void {
    const want = this.byKey.get(key);
    if (want === undefined) return;
    want.isOver = true;
    this.byKey.delete(key);
    if (how === 'failed') this.failed.push(want);
    this.activity.tell();
  }

  /** Whether an operation that is still to come, or still runs, creates an object at this place. */
  isWanted(place: string): boolean {
    if (this.byKey.has(place)) return true;
    // A set that has filled this place may still wait for others, and they for the object that was there before.
    return !this.filled.has(place) && this.ofSets.some((want) => !want.isOver && want.has(place));
  }

  /** Whether another resource is, or was, to create an object at this place in this run, and has not done so. */
  isSpokenFor(place: string): boolean {
    return this.isWanted(place) || this.hasFailedAt(place);
  }

  /** Whether an operation that was to create an object at this place has failed. */
  hasFailedAt(place: string): boolean {
    return this.failed.some((want) => want.has(place));
  }

  /** Whether a resource in state keeps this place. */
  isKept(place: string): boolean {
    return this.kept.has(place);
  }

  /** Whether two resources in state keep this place. */
  isKeptTwice(place: string): boolean {
    return (this.kept.get(place) ?? 0) > 1;
  }

  /** Notes that this run has made or taken over an object at this place. */
  noteFilled(place: string): void {
    this.filled.add(place);
  }
}
