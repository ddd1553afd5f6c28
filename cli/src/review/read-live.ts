import type { Location } from '../command/arguments';
import { accountOf, objectsIn, requireKnown, stackAccount, withClients } from '../pulumi/accounts';
import type { CliContext } from '../command/context';
import { nameOfUrn, isOwn } from '../pulumi/deployment';
import { readConfig, requireStack } from '../pulumi/stack';
import { modulesOfService, readRows } from '../pulumi/live-objects';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { findRule } from 'pulumi-edge-policy/internal/presence/presence';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import {
  type LiveRule,
  placesToRead,
  type PreviewDocument,
  type PreviewStep,
  resourceChanges,
  type ReviewedResource,
  type ReviewRequest,
} from 'pulumi-edge-policy-review';

export interface Reviewed {
  readonly preview: PreviewDocument;
  /** The policies, edges and routes that assertions are about. */
  readonly subjects: ReadonlySet<string>;
}

export type LiveObjects = Required<Pick<ReviewRequest, 'liveRules' | 'liveModules' | 'livePlaces'>>;

/** Reads the live rules, and the modules of the change and of assertions about these subjects, in every account. @throws UserError if a key may belong to another one. */
export async function readLive(
  { preview: { steps }, subjects }: Reviewed,
  where: Location,
  context: CliContext,
): Promise<LiveObjects> {
  const before = steps.flatMap(({ old }) => (old && isOwn(old) && !old.isExternal ? [old] : []));
  const after = steps.flatMap(({ new: wanted }) => (wanted && isOwn(wanted) ? [wanted] : []));
  const names = [...new Set([...before, ...after].map(accountOf))];
  for (const name of names) if (objectsIn(before, name).length === 0) context.note(nothingHeld(name));
  const hasProviders = names.some((name) => name !== '');
  const deployment = hasProviders ? await requireStack(context, where).deployment() : undefined;
  const inState = new Set(['', ...(deployment?.resources ?? []).map(({ urn }) => urn)]);
  const from = { deployment, reading: await readConfig(context, where), context };
  const accounts = names
    .filter((name) => inState.has(name))
    .map((name) => [name, { ...stackAccount(name, from), objects: objectsIn(before, name) }] as const);
  const livePlaces = placesToRead(resourceChanges(steps), subjects);
  return withClients(context, accounts, async (open) => {
    const liveRules: LiveRule[] = [];
    const liveModules: ReviewedResource[] = [];
    for (const [name, account] of open) {
      await requireKnown(account);
      const listed = await readRows(account.client);
      const ofAccount = before.filter((state) => accountOf(state) === name);
      liveRules.push(...listed, ...(await missingIn(listed, ofAccount, account.client)));
      liveModules.push(...(await modulesOfService(account.client, livePlaces)));
    }
    return { liveRules, liveModules, livePlaces };
  });
}

type OldState = NonNullable<PreviewStep['old']>;

/** The managed rules that a list does not show and that are there: a list may lag, or be cut while others delete. */
async function missingIn(
  listed: readonly LiveRule[],
  own: readonly OldState[],
  client: ApiClient,
): Promise<ServiceRule[]> {
  const shown = new Set(listed.map(({ id }) => id));
  const sought = own.flatMap(({ id = '', type, inputs = {}, outputs = {} }) => {
    const [{ ipPolicyId }, { ruleIdList }] = [{ ...inputs, ...outputs }, outputs];
    const ids = typeOfToken(type) === 'IpPolicyRule' ? [id] : parseIdList(ruleIdList);
    return typeof ipPolicyId === 'string'
      ? ids.filter((each) => each !== '' && !shown.has(each)).map((each) => ({ id: each, ipPolicyId }))
      : [];
  });
  const deadline = client.startBulkWork();
  const rules = await Promise.all(sought.map((each) => findRule({ client, deadline, ...each })));
  return rules.flatMap((rule) => rule ?? []);
}

const nothingHeld = (name: string): string =>
  `The stack holds nothing ${name === '' ? '' : `under the Provider ${nameOfUrn(name)} `}yet, so nothing shows whether the key is ` +
  `of its account: what others have there may be missing from this review.\n`;
