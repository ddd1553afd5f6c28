// What for: what this run owns and has seen, and how an open outcome is closed: looking up, waiting, comparing.
// Must not know: `rule-set`, `resources` and `hosts`.
import type { ApiClient } from '../api/client';
import { systemClock } from '../api/clock';
import type { PartialFailure } from '../errors/partial-failure';
import type { UserError } from '../errors/user-error';
import type { ImportDeclared } from '../errors/words';
import { Ownership } from './ownership';
import type { OtherProcesses } from './other-processes';
import { Patience } from './patience';

/** The context of an operation. */
export interface RunContext {
  readonly client: ApiClient;
  readonly ledger: ProcessLedger;
  /** Prints one line among the diagnostics of the run. */
  readonly warn: (line: string) => void;
  /** How messages say to import an object, which differs between the hosts. */
  readonly importDeclared: ImportDeclared;
  /** Which account of which service the settings name, as far as that can be known; see `settings/account.ts`. */
  readonly account: {
    readonly mark: string;
    readonly isKnown: boolean;
    readonly wrongSettings: readonly string[];
    isElsewhere(mark: string): boolean;
  };
}

/**
 * What one run of the engine has seen and done, which is the life of the host's process. It distinguishes the object of a lost
 * answer from one that existed before.
 */
export class ProcessLedger {
  private readonly knownRules = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();
  readonly ownership: Ownership;
  /** The failures of creates whose rules may exist, by what was asked for. */
  readonly openCreates = new Map<string, UserError>();
  /** What calls of the engine have left that failed in part, by their arguments. */
  readonly partialFailures = new Map<string, PartialFailure>();
  readonly patience = new Patience();

  /**
   * @param startedAtMs The time of day at which the process began. It alone decides which rules have ended, as a run must not
   * change its mind half-way.
   */
  constructor(
    others?: OtherProcesses,
    readonly startedAtMs = systemClock.epochMs(),
  ) {
    this.ownership = new Ownership(others);
  }

  /** Notes a rule that is in state, or in an answer to this process: it cannot be the object of a lost answer. */
  noteRule(id: string): void {
    this.knownRules.add(id);
  }

  knowsRule(id: string): boolean {
    return this.knownRules.has(id);
  }

  /** Whether a rule may be the object of a lost answer, as no resource of the run is known to have it. */
  mayBeLost(id: string): boolean {
    return !this.knowsRule(id) && !this.ownership.isOwnedByOther(id);
  }

  /** Whether work on the object is running or waits for its turn. */
  isBusy(key: string): boolean {
    return this.queues.has(key);
  }

  /** Runs work with the same key one after another, so that each run sees what the previous one has left. */
  async oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.queues.get(key) ?? Promise.resolve();
    const current = previous.then(work, work);
    this.queues.set(key, current);
    try {
      return await current;
    } finally {
      if (this.queues.get(key) === current) this.queues.delete(key);
    }
  }
}
