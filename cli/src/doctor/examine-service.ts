import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { isEdgePolicyError } from 'pulumi-edge-policy/internal/api/errors';
import { CORRECT_THE_RULE } from 'pulumi-edge-policy/internal/errors/words';
import { named, ofUnknownAccounts } from 'pulumi-edge-policy/internal/resources/known-account';
import type { RulePage } from 'pulumi-edge-policy/internal/api/decode';
import { isCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import type { StackAccount } from '../pulumi/accounts';
import { withClient } from '../pulumi/live-objects';
import type { CliContext } from '../command/context';
import { type DoctorCheck, ok, red, skipped, warning } from './doctor-check';

const REACHABLE = 'service reachable';
const ACCEPTED = 'key accepted';
const ACCOUNT = 'account of the state';
const SHOWN = 5;
const PATIENCE_MS = 20_000;

/** Asks the service for all rules and, unless their marks prove the account of this key, for objects of the state. */
export async function examineService(context: CliContext, account: StackAccount): Promise<DoctorCheck[]> {
  const { settings } = account;
  const limits = { operationTimeoutMs: Math.min(settings.operationTimeoutMs, PATIENCE_MS), maxAttempts: 2 };
  try {
    return await withClient(context, { ...settings, ...limits }, async (client) => {
      const pages = client.listIpPolicyRules(client.startOperation());
      const first = await pages.next();
      return [
        ok(REACHABLE, settings.baseUrl),
        ok(ACCEPTED, 'the service returned the list of rules'),
        await examineAccount(account, client),
        ...(await examineRules(first.done === true ? [] : [first.value], pages)),
      ];
    });
  } catch (error) {
    if (!isEdgePolicyError(error)) throw error;
    return explain(error as Error, settings);
  }
}

/** A key of another account is accepted as well. */
async function examineAccount({ objects, mark }: StackAccount, client: ApiClient): Promise<DoctorCheck> {
  if (objects.length === 0) return skipped(ACCOUNT, 'the state holds no object that could prove it');
  const unknown = await ofUnknownAccounts(objects, { client, mark });
  if (unknown.length === 0) return ok(ACCOUNT, 'the key can see the objects in the state');
  return red(
    ACCOUNT,
    `the service shows nothing of ${named(unknown)}: the key may belong to another account`,
    'set a key of the account that owns them, and do not revoke the old key until this line is green',
  );
}

/** A service may hold rows that are no rules, and rules that no program can declare: then nobody can be sure whom they match. */
async function examineRules(
  first: readonly RulePage[],
  others: AsyncIterable<RulePage>,
): Promise<DoctorCheck[]> {
  const what = 'rules readable';
  const found: DoctorCheck[] = [];
  const [unreadable, undeclarable]: [string[], string[]] = [[], []];
  const add = ({ rules, unreadable: rows }: RulePage): void => {
    unreadable.push(...rows.map(({ problem }) => problem));
    for (const { id, action, cidr } of rules)
      if (!isCidr(cidr)) undeclarable.push(`${id} (${action} ${cidr})`);
  };
  first.forEach(add);
  try {
    for await (const page of others) add(page);
  } catch (error) {
    if (!isEdgePolicyError(error)) throw error;
    found.push(skipped(what, `the list was not read to its end: ${(error as Error).message}`));
  }
  if (unreadable.length > 0)
    found.push(
      warning(what, `the list has rows that are no rules: ${firstOf(unreadable, SHOWN)}`, CORRECT_THE_ROW),
    );
  if (undeclarable.length > 0)
    found.push(warning(what, `no program can declare ${firstOf(undeclarable, SHOWN)}`, CORRECT_THE_RULE));
  return found.length > 0 ? found : [ok(what, 'a program can declare every network of the account')];
}

const CORRECT_THE_ROW =
  'correct or delete them on the service; until then, whatever depends on them fails or is not decided';

function explain(error: Error, { baseUrl }: ClientSettings): DoctorCheck[] {
  const status: unknown = 'status' in error ? error.status : undefined;
  if (status === 401 || status === 403) {
    const fix =
      'set EDGE_POLICY_API_KEY to a valid key of this account; docs/rotate-keys.md, if the stack stores one';
    return [ok(REACHABLE, baseUrl), red(ACCEPTED, error.message, fix)];
  }
  return [red(REACHABLE, error.message, FIX), skipped(ACCEPTED, 'the service could not be reached')];
}

const FIX =
  'check edge-policy:baseUrl, edge-policy:proxy and the network; if the service has answered, try again later, after a 429 with a ' +
  'lower edge-policy:requestsPerMinute for each stack';
