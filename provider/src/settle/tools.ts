import type { ApiClient } from '../api/client';
import type { ProcessLedger } from './ledger';

/** The requests about rules. A set brings a client of its own, whose creates share their look-ups. */
export type RuleClient = Pick<
  ApiClient,
  | 'clock'
  | 'createIpPolicyRule'
  | 'getIpPolicyRule'
  | 'listIpPolicyRules'
  | 'deleteIpPolicyRule'
  | 'serverTimeOffsetMs'
>;

/** What an operation works with. */
export interface Tools<Client extends RuleClient = ApiClient> {
  readonly client: Client;
  readonly ledger: ProcessLedger;
  /** Prints one line among the diagnostics of the run. */
  readonly warn: (line: string) => void;
}
