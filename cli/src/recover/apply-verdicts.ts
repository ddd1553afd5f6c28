import { isUserError, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { InterruptedError } from '../pulumi/pulumi-cli';
import { type Deployment, editDeployment, parseDeployment, type StateResource } from '../pulumi/deployment';
import type { Stack } from '../pulumi/stack';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { Interrupted } from './interrupted-operations';
import type { OperationVerdict, RecoveryVerdict } from './recovery-verdict';

/**
 * Carries out verdicts, of which none is a refusal. Every write of a state drops all its pending operations, so there is one write
 * with everything in it. The provider itself then reads again what has to be.
 *
 * @returns a sentence about what was left undone after the state was written; `undefined` if nothing was.
 */
export async function applyVerdicts(
  stack: Stack,
  decided: readonly OperationVerdict[],
  { interrupted, nowMs }: { readonly interrupted: Interrupted; readonly nowMs: number },
): Promise<string | undefined> {
  const exported = await stack.exportText();
  const before = parseDeployment(exported);
  requireSameState(before, interrupted.deployment);
  const resources = settledResources(before.resources, decided, new Date(nowMs).toISOString());
  await stack.importText(editDeployment(exported, { resources, pendingOperations: [] }));
  const toRefresh = decided.filter(({ verdict }) => verdict.kind === 'refresh');
  return refresh(stack, [...new Set(toRefresh.map(({ operation }) => operation.resource.urn))]);
}

/** Another run may have started in the meantime. */
function requireSameState(now: Deployment, before: Deployment): void {
  const operationsOf = ({ pendingOperations }: Deployment): string =>
    pendingOperations.map(({ type, resource }) => `${type} ${resource.urn}`).join('\n');
  if (now.manifest.time === before.manifest.time && operationsOf(now) === operationsOf(before)) return;
  throw new UserError('The state changed while it was being read; nothing was done. Run the command again.');
}

export function settledResources(
  resources: readonly StateResource[],
  decided: readonly OperationVerdict[],
  now: string,
): StateResource[] {
  const verdictsOn = grouped(decided, ({ operation }) => operation.resource.urn);
  const doomed: StateResource[] = [];
  const placed = new Set<string>();
  const kept = resources.map((entry) => {
    if (entry.delete === true) return entry;
    let settled = entry;
    for (const { operation, verdict } of verdictsOn.get(entry.urn) ?? []) {
      if (verdict.kind === 'refresh')
        settled = { ...settled, outputs: { ...settled.outputs, ...verdict.outputs } };
      if (verdict.kind !== 'take') continue;
      // A replacement takes the place of the resource that it replaces, which the next up deletes if it is still there.
      if (entry.pendingReplacement !== true) doomed.push({ ...entry, delete: true });
      settled = takenResource(operation.resource, verdict, now);
      placed.add(entry.urn);
    }
    return settled;
  });
  const added = decided.flatMap(({ operation: { resource }, verdict }) =>
    verdict.kind === 'take' && !placed.has(resource.urn) ? [takenResource(resource, verdict, now)] : [],
  );
  return [...kept, ...added, ...doomed];
}

/** The interrupted operation has everything of the resource but its id and outputs, secrets encrypted. */
const takenResource = (
  resource: StateResource,
  { id, outputs }: RecoveryVerdict & { readonly kind: 'take' },
  now: string,
): StateResource => ({ ...resource, id, outputs, created: now, modified: now });

async function refresh(stack: Stack, urns: readonly string[]): Promise<string | undefined> {
  if (urns.length === 0) return undefined;
  const targets = urns.flatMap((urn) => ['--target', urn]);
  try {
    await stack.cli.stackCommand(['refresh', '--yes', '--skip-preview', ...targets]);
    return undefined;
  } catch (error) {
    if (!isUserError(error) && !(error instanceof InterruptedError)) throw error;
    return (
      `The operations are settled in the state, but their outcome could not be read again:\n${error.message}\n` +
      `Once the cause is gone, run "pulumi refresh" before the next "pulumi up".`
    );
  }
}
