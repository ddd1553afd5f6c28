import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { count } from '../command/text';
import { nameOfUrn, type Deployment } from '../pulumi/deployment';
import { isManaged, liveIdsOf } from '../pulumi/managed';
import type { Stack } from '../pulumi/stack';
import { type DoctorCheck, ok, red, warning } from './doctor-check';

const WHAT = 'every object managed once';
const SHOWN = 5;

/** Checks across these stacks, whatever their providers and accounts, that each live object has only one resource. */
export async function examineSharedObjects(stacks: readonly Stack[]): Promise<DoctorCheck> {
  const holders = new Map<string, string[]>();
  try {
    for (const stack of stacks) addHolders(holders, await stack.name(), await stack.deployment());
  } catch (error) {
    if (!isUserError(error)) throw error;
    return warning(WHAT, `a state cannot be read: ${error.message}`, 'name existing stacks with --stack');
  }
  const shared = [...holders].filter(([, resources]) => resources.length > 1);
  if (shared.length === 0) {
    const scope = stacks.length === 1 ? 'in this stack' : `in ${stacks.length} stacks`;
    return ok(WHAT, `${count(holders.size, 'live object')} ${scope}, none managed twice`);
  }
  const named = shared.slice(0, SHOWN).map(([id, resources]) => `${id} by ${resources.join(' and ')}`);
  const more = shared.length > SHOWN ? `, and ${shared.length - SHOWN} more` : '';
  return red(
    WHAT,
    `deleting one resource would delete what the other manages: ${named.join('; ')}${more}`,
    'keep one resource for each; remove the other from the state with "pulumi state delete URN --stack NAME", and from its program',
  );
}

function addHolders(holders: Map<string, string[]>, stack: string, { resources }: Deployment): void {
  for (const resource of resources) {
    if (!isManaged(resource)) continue;
    for (const id of liveIdsOf(resource)) {
      const known = holders.get(id) ?? [];
      holders.set(id, [...known, `${nameOfUrn(resource.urn)} (${stack})`]);
    }
  }
}
