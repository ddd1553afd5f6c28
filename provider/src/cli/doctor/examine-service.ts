import type { ClientSettings } from '../../api/client';
import { isEdgePolicyError } from '../../api/errors';
import { withClient } from '../service';
import type { CliContext } from '../context';
import { type Finding, ok, red, skipped } from './finding';

const REACHABLE = 'service reachable';
const ACCEPTED = 'key accepted';
const PATIENCE_MS = 20_000;

/** Asks the service for one page of rules. */
export async function examineService(context: CliContext, settings: ClientSettings): Promise<Finding[]> {
  const limits = { operationTimeoutMs: Math.min(settings.operationTimeoutMs, PATIENCE_MS), maxAttempts: 2 };
  try {
    await withClient(context, { ...settings, ...limits }, async (client) => {
      for await (const page of client.listIpPolicyRules(client.startOperation())) return page;
      return undefined;
    });
    return [ok(REACHABLE, settings.baseUrl), ok(ACCEPTED, 'the service returned the list of rules')];
  } catch (error) {
    if (!isEdgePolicyError(error)) throw error;
    return explain(error as Error, settings);
  }
}

function explain(error: Error, { baseUrl }: ClientSettings): Finding[] {
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
    red(REACHABLE, error.message, fixOf(status, baseUrl)),
    skipped(ACCEPTED, 'the service could not be reached'),
  ];
}

function fixOf(status: unknown, baseUrl: string): string {
  if (typeof status === 'number')
    return 'check edge-policy:baseUrl: something answers there, but not like the service';
  // Plain http is for this machine only, and no network lies in between.
  return baseUrl.startsWith('http:')
    ? `start the service that should listen at ${baseUrl} on this machine, or correct the port in edge-policy:baseUrl`
    : 'check edge-policy:baseUrl, the network, and edge-policy:proxy if you need one';
}
