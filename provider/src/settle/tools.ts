import type { ApiClient } from '../api/client';
import type { ProcessLedger } from './ledger';

/** What an operation works with. */
export interface Tools {
  readonly client: ApiClient;
  readonly ledger: ProcessLedger;
  /** Prints one line among the diagnostics of the run. */
  readonly warn: (line: string) => void;
}
