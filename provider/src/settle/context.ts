import type { ApiClient } from '../api/client';
import type { ProcessLedger } from './ledger';

/** The requests about rules. A set brings a client of its own, which tells when a create has been answered. */
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
export interface RunContext<Client extends RuleClient = ApiClient> {
  readonly client: Client;
  readonly ledger: ProcessLedger;
  /** Where a create whose answer is lost reads the list; default the client. The creates of a set share it. */
  readonly lookUps?: Pick<RuleClient, 'listIpPolicyRules'>;
  /** Prints one line among the diagnostics of the run. */
  readonly warn: (line: string) => void;
}
