import type { JournalMode } from './journal';
import type { TlsOptions } from './server';
import type { Switches } from './switches';

/** Everything `start` can be told; all of it optional. */
export interface EmulatorOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** `127.0.0.1` unless given. */
  readonly host?: string;
  /** Account names by API key, several keys may open one account; `{ 'test-key': 'default' }` unless given. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** Where the service lives on its host, such as `/api`; at the root unless given. */
  readonly basePath?: string;
  /** Name of the version header; `Service-Version` unless given. */
  readonly versionHeader?: string;
  /** Keeps the state in this file across restarts; in memory only unless given. */
  readonly dataFile?: string;
  /** Serves the control plane under `/__emulator/`, to anyone who can connect; off unless given. */
  readonly control?: boolean;
  readonly switches?: Partial<Switches>;
  /** Short for the switch of the same name. */
  readonly parents?: Switches['parents'];
  readonly tls?: TlsOptions;
  /** Milliseconds since the epoch: creation times, windows, list lag, the Date header. `Date.now` unless given. */
  readonly clock?: () => number;
  /** `full` unless given. */
  readonly journal?: JournalMode;
  /** Journal entries kept; 50,000 unless given. */
  readonly journalLimit?: number;
}
