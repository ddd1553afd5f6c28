// What for: counts the steps of a review, so that no input keeps it busy.
// Must not know: any other room, and the clock.
//
// The author of a preview can make it hard to judge, but must not be able to keep a review from ending. So a review counts its
// steps and gives up at the same step on every machine. A step is about 50 nanoseconds of work.

/** Steps of one review, a few seconds of work. */
const FOR_A_REVIEW = 50_000_000;

/** Steps that are counted together. */
interface Account {
  readonly most: number;
  spent: number;
  /** The steps for searches for a proof, half of all. If a search gives up, one subject is undecided and the others are not. */
  searched: number;
}

/** Outside a review nothing is bounded. */
let account: Account = { most: Infinity, spent: 0, searched: 0 };

class TooComplexError extends Error {
  override readonly name = 'TooComplexError';
}

/**
 * A cache for one review. One that outlived a review would save steps of the next one, which would then end at another step
 * than in a process of its own.
 */
export function memoryOfReview<Key, Value>(): () => Map<Key, Value> {
  const memory = new Map<Key, Value>();
  let owner = account;
  return () => {
    if (owner !== account) memory.clear();
    owner = account;
    return memory;
  };
}

/** Takes steps for necessary work; without enough of them the whole review ends. */
export function spend(steps: number): void {
  account.spent += steps;
  if (account.spent > account.most) throw new TooComplexError('The review takes too many steps.');
}

/** Steps for one search, from those that all searches share. A search that gets none has to give up. */
export class SearchSteps {
  constructor(private own: number) {}

  take(steps: number): boolean {
    if (steps > this.own || account.searched + steps > account.most / 2) return false;
    this.own -= steps;
    account.searched += steps;
    spend(steps);
    return true;
  }
}

/** The result of a bounded piece of work. */
export interface BoundedWork<T> {
  /** Undefined if it takes more steps than a review may, or is nested too deep. */
  readonly result: T | undefined;
  readonly steps: number;
}

/** Does work within the steps of one review. */
export function withinBudget<T>(work: () => T, most = FOR_A_REVIEW): BoundedWork<T> {
  const outer = account;
  const own = { most, spent: 0, searched: 0 };
  account = own;
  try {
    return { result: work(), steps: own.spent };
  } catch (error) {
    // A stack overflow, or an array or text beyond the limits of the language.
    if (!(error instanceof TooComplexError) && !(error instanceof RangeError)) throw error;
    return { result: undefined, steps: own.spent };
  } finally {
    account = outer;
    outer.spent += own.spent;
  }
}
