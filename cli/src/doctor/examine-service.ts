import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { isEdgePolicyError } from 'pulumi-edge-policy/internal/api/errors';
import { named, ofUnknownAccounts } from 'pulumi-edge-policy/internal/resources/known-account';
import type { StackAccount } from '../pulumi/accounts';
import { withClient } from '../pulumi/with-client';
import type { CliContext } from '../command/context';
import { type DoctorCheck, ok, red, skipped } from './doctor-check';

const REACHABLE = 'service reachable';
const ACCEPTED = 'key accepted';
const ACCOUNT = 'account of the state';
const PATIENCE_MS = 20_000;

/** Asks the service for one page of rules, and for objects of the state if that does not say that this key knows their account. */
export async function examineService(context: CliContext, account: StackAccount): Promise<DoctorCheck[]> {
  const { settings } = account;
  const limits = { operationTimeoutMs: Math.min(settings.operationTimeoutMs, PATIENCE_MS), maxAttempts: 2 };
  try {
    return await withClient(context, { ...settings, ...limits }, async (client) => {
      await client.listIpPolicyRules(client.startOperation())[Symbol.asyncIterator]().next();
      return [
        ok(REACHABLE, settings.baseUrl),
        ok(ACCEPTED, 'the service returned the list of rules'),
        await examineHeld(account, client),
      ];
    });
  } catch (error) {
    if (!isEdgePolicyError(error)) throw error;
    return explain(error as Error, settings);
  }
}

/** A key of another account is accepted as well. */
async function examineHeld({ held, mark }: StackAccount, client: ApiClient): Promise<DoctorCheck> {
  if (held.length === 0) return skipped(ACCOUNT, 'the state holds no object that could show it');
  const unknown = await ofUnknownAccounts(held, { client, mark });
  if (unknown.length === 0) return ok(ACCOUNT, 'the key knows the objects of the state');
  return red(
    ACCOUNT,
    `the service shows nothing of ${named(unknown)}: the key may be of another account`,
    'set a key of the account that holds them, and do not revoke the former key before this line is green',
  );
}

const NOT_CONNECTED: ReadonlySet<unknown> = new Set(['refused', 'dns', 'unreachable', 'connect-timeout']);

function explain(error: Error, settings: ClientSettings): DoctorCheck[] {
  const { baseUrl } = settings;
  const status: unknown = 'status' in error ? error.status : undefined;
  if (status === 401 || status === 403) {
    return [
      ok(REACHABLE, baseUrl),
      red(
        ACCEPTED,
        error.message,
        'set a valid key of this account: pulumi config set --secret edge-policy:apiKey',
      ),
    ];
  }
  return [
    red(REACHABLE, error.message, fixOf(error, settings)),
    skipped(ACCEPTED, 'the service could not be reached'),
  ];
}

function fixOf(error: Error, { baseUrl, proxy }: ClientSettings): string {
  const status: unknown = 'status' in error ? error.status : undefined;
  const reason: unknown = 'reason' in error ? error.reason : undefined;
  // A pause beyond the deadline ends the operation; its message contains the answer.
  if (status === 429 || /\b429\b/.test(error.message))
    return 'the rate limit of the account is used up: wait and try again, and give each stack its share with edge-policy:requestsPerMinute';
  if (typeof status === 'number' && status >= 500)
    return 'the service, or a gateway in front of it, is failing: try again later';
  if (typeof status === 'number')
    return 'check edge-policy:baseUrl: something answers there, but not like the service';
  if (reason === 'tls' && error.message.includes('EPROTO'))
    return 'there is no TLS at this address: correct the port, or use http:// for a service on this machine';
  if (reason === 'proxy' || (proxy !== undefined && NOT_CONNECTED.has(reason)))
    return 'check edge-policy:proxy: the requests go through that proxy, and then the network behind it';
  if (reason === 'timeout' || error.name === 'DeadlineError')
    return `something accepts connections at ${baseUrl} and does not answer: check edge-policy:baseUrl, or try again later`;
  // Plain http is only allowed to this machine, and no network lies in between.
  return baseUrl.startsWith('http:')
    ? `start the service that should listen at ${baseUrl} on this machine, or correct the port in edge-policy:baseUrl`
    : 'check edge-policy:baseUrl, the network, and edge-policy:proxy if you need one';
}
