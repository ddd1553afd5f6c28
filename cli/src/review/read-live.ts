import type { Location } from '../command/arguments';
import { accountOf, heldIn, requireKnown, stackAccount, withClients } from '../pulumi/accounts';
import type { CliContext } from '../command/context';
import { nameOfUrn } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { readConfig, requireStack } from '../pulumi/stack';
import { modulesOfService, readRules } from '../pulumi/live-objects';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import {
  placesTakenOver,
  type PreviewDocument,
  resourceChanges,
  type ReviewedResource,
} from 'pulumi-edge-policy-review';

/** What the service holds besides the stack. */
export interface LiveObjects {
  readonly liveRules: readonly ServiceRule[];
  readonly liveModules: readonly ReviewedResource[];
}

/** Reads the live rules, and the modules that are taken over, in every account. @throws UserError if a key may not know its account. */
export async function readLive(
  { steps }: PreviewDocument,
  where: Location,
  context: CliContext,
): Promise<LiveObjects> {
  const before = steps.flatMap(({ old }) => (old && isOwn(old) && !old.isExternal ? [old] : []));
  const after = steps.flatMap(({ new: wanted }) => (wanted && isOwn(wanted) ? [wanted] : []));
  const names = [...new Set([...before, ...after].map(accountOf))];
  for (const name of names) if (heldIn(before, name).length === 0) context.note(nothingHeld(name));
  const hasProviders = names.some((name) => name !== '');
  const deployment = hasProviders ? await requireStack(context, where).deployment() : undefined;
  const inState = new Set(['', ...(deployment?.resources ?? []).map(({ urn }) => urn)]);
  const from = { deployment, reading: await readConfig(context, where), context };
  const accounts = names
    .filter((name) => inState.has(name))
    .map((name) => [name, { ...stackAccount(name, from), held: heldIn(before, name) }] as const);
  const places = placesTakenOver(resourceChanges(steps));
  return withClients(context, accounts, async (open) => {
    const liveRules: ServiceRule[] = [];
    const liveModules: ReviewedResource[] = [];
    for (const account of open.values()) {
      await requireKnown(account);
      liveRules.push(...(await readRules(account.client)));
      liveModules.push(...(await modulesOfService(account.client, places)));
    }
    return { liveRules, liveModules };
  });
}

const nothingHeld = (name: string): string =>
  `The stack holds nothing ${name === '' ? '' : `under the Provider ${nameOfUrn(name)} `}yet, so nothing shows whether the key is ` +
  `of its account: what others have there may be missing from this review.\n`;
