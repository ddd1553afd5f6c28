import type { JournalMode } from './journal';
import type { TlsOptions } from './server';
import type { Switches } from './switches';

/** The options of `start`, all optional. */
export interface EmulatorOptions {
  /** By default 0, which takes a free port. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. */
  readonly host?: string;
  /** Account names by API key, of which several may open one account; defaults to `{ 'test-key': 'default' }`. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** The path of the service on its host, such as `/api`; by default the root. */
  readonly basePath?: string;
  /** Name of the version header; defaults to `Service-Version`. */
  readonly versionHeader?: string;
  /** Keeps the state in this file across restarts; by default it is in memory only. */
  readonly dataFile?: string;
  /** Serves the control plane under `/__emulator/`, to anyone who can connect; off by default. */
  readonly control?: boolean;
  readonly switches?: Partial<Switches>;
  /** Short for the switch of the same name. */
  readonly parents?: Switches['parents'];
  readonly tls?: TlsOptions;
  /** Milliseconds since the epoch, for creation times, windows, list lag and the Date header. Defaults to `Date.now`. */
  readonly clock?: () => number;
  /** Defaults to `full`. */
  readonly journal?: JournalMode;
  /** How many journal entries are kept; defaults to 50,000. */
  readonly journalLimit?: number;
}
