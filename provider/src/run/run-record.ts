// What for: what this run owns (`ownership.ts`) and has seen, and how an open create is closed: waiting, looking up.
// Must not know: `rule-set`, `resources` and `hosts`.
import type { ApiClient } from '../api/client';
import { systemClock } from '../api/clock';
import type { PartialFailure } from '../errors/partial-failure';
import type { UserError } from '../errors/user-error';
import type { ImportDeclared } from '../errors/words';
import { Ownership } from './ownership';
import type { OtherProcesses } from './other-processes';
import { Waiting } from './waiting';

export interface RunContext {
  readonly client: ApiClient;
  readonly record: RunRecord;
  /** Prints one line among the diagnostics of the run. */
  readonly warn: (line: string) => void;
  /** How messages say to import an object. The hosts differ in this. */
  readonly importDeclared: ImportDeclared;
  /** The account and the service that the settings name, as far as they can be known; see `settings/account.ts`. */
  readonly account: {
    readonly mark: string;
    readonly isKnown: boolean;
    readonly shownAddress: string | undefined;
    readonly wrongSettings: readonly string[];
    isElsewhere(mark: string): boolean;
  };
}

/** What one run of the engine has seen and done. It lives as long as the host's process. */
export class RunRecord {
  readonly ownership: Ownership;
  readonly waiting = new Waiting();
  /** The failures of creates whose rules may exist, by what was asked for. */
  readonly openCreates = new Map<string, UserError>();
  /** What partly failed calls of the engine have left, by their arguments. */
  readonly partialFailures = new Map<string, PartialFailure>();
  /** Whether a failed create has named the less likely ways out. */
  hasNamedWaysOut = false;

  /** @param startedAtMs When the process began. It alone decides which rules have ended, so the answer stays the same throughout a run. */
  constructor(
    others?: OtherProcesses,
    readonly startedAtMs = systemClock.epochMs(),
  ) {
    this.ownership = new Ownership(others);
  }
}
