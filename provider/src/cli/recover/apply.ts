import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeWhole } from '../import/output-files';
import { editDeployment, nameOfUrn, parseDeployment, type StateResource } from '../pulumi/deployment';
import type { Stack } from '../pulumi/stack';
import { providerUrn } from './accounts';
import type { JudgedOperation, Operation, Verdict } from './verdict';

type Taken = JudgedOperation & { readonly verdict: Verdict & { readonly kind: 'take' } };

const isTaken = (judged: JudgedOperation): judged is Taken => judged.verdict.kind === 'take';

/** As many targets as fit on any system's command line. */
const TARGETS_PER_REFRESH = 200;

/**
 * Carries the verdicts out. Each step leaves a state from which the command can be run again: what is in doubt stays
 * pending until the state holds its outcome.
 */
export async function applyVerdicts(stack: Stack, judged: readonly JudgedOperation[]): Promise<void> {
  const toRefresh = judged.filter(({ verdict }) => verdict.kind === 'refresh');
  await refresh(stack, [...new Set(toRefresh.map(({ operation }) => operation.resource.urn))]);
  const before = parseDeployment(await stack.exportText());
  const taken = judged.filter(isTaken);
  const isReplacement = ({ operation }: Taken): boolean =>
    before.resources.some(({ urn, delete: isDoomed }) => urn === operation.resource.urn && !isDoomed);
  const replacements = taken.filter(isReplacement);
  await importNew(
    stack,
    taken.filter((one) => !isReplacement(one)),
  );
  await settleState(stack, judged, replacements);
}

async function refresh(stack: Stack, urns: readonly string[]): Promise<void> {
  for (let from = 0; from < urns.length; from += TARGETS_PER_REFRESH) {
    const targets = urns.slice(from, from + TARGETS_PER_REFRESH).flatMap((urn) => ['--target', urn]);
    await stack.cli.stackCommand(['refresh', '--yes', '--skip-preview', ...targets]);
  }
}

async function importNew(stack: Stack, taken: readonly Taken[]): Promise<void> {
  if (taken.length === 0) return;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'edge-policy-'));
  const file = path.join(folder, 'recover.import.json');
  try {
    writeWhole(file, JSON.stringify(importFileOf(taken)));
    const marks = ['--generate-code=false', '--protect=false', '--yes', '--skip-preview'];
    await stack.cli.stackCommand(['import', '--file', file, ...marks]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Secrets go into the file as the state holds them: encrypted. */
export function importFileOf(
  taken: readonly { readonly operation: Operation; readonly verdict: Taken['verdict'] }[],
): object {
  const nameTable: Record<string, string> = {};
  const nameFor = (urn: string): string => {
    const name = `urn-${Object.keys(nameTable).length}`;
    const known = Object.entries(nameTable).find(([, other]) => other === urn)?.[0];
    if (known === undefined) nameTable[name] = urn;
    return known ?? name;
  };
  const resources = taken.map(({ operation: { resource }, verdict }, index) => {
    const provider = providerUrn(resource.provider);
    return {
      type: resource.type,
      name: `resource-${index}`,
      logicalName: nameOfUrn(resource.urn),
      id: verdict.id,
      ...(isStack(resource.parent) ? {} : { parent: nameFor(resource.parent) }),
      ...(provider === '' ? {} : { provider: nameFor(provider) }),
      inputs: resource.inputs,
      outputs: verdict.outputs,
    };
  });
  return { nameTable, resources };
}

const isStack = (parent: string | undefined): parent is undefined =>
  parent === undefined || parent.split('::')[2] === 'pulumi:pulumi:Stack';

/** Takes the settled operations out of the state, and gives what was brought in its place among the resources. */
async function settleState(
  stack: Stack,
  judged: readonly JudgedOperation[],
  replacements: readonly Taken[],
): Promise<void> {
  const exported = await stack.exportText();
  const { resources, pendingOperations } = parseDeployment(exported);
  const isSettled = (type: string, urn: string): boolean =>
    judged.some(
      ({ operation, verdict }) =>
        verdict.kind !== 'refuse' && operation.type === type && operation.resource.urn === urn,
    );
  const edited = {
    resources: withDeclaredOptions(withReplacements(resources, replacements), judged.filter(isTaken)),
    pendingOperations: pendingOperations.filter(({ type, resource }) => !isSettled(type, resource.urn)),
  };
  await stack.cli.stackCommand(['stack', 'import'], editDeployment(exported, edited));
}

/** A replacement takes the place of what it replaces; that is deleted by the next `up`, if it is not deleted already. */
export function withReplacements(
  resources: readonly StateResource[],
  replacements: readonly Taken[],
): StateResource[] {
  const doomed: StateResource[] = [];
  const kept = resources.map((entry) => {
    const taken = replacements.find(({ operation }) => operation.resource.urn === entry.urn && !entry.delete);
    if (taken === undefined) return entry;
    if (entry.pendingReplacement !== true) doomed.push({ ...entry, delete: true });
    return { ...taken.operation.resource, id: taken.verdict.id, outputs: taken.verdict.outputs };
  });
  return [...kept, ...doomed];
}

/** An import file carries no resource options; the interrupted operation has them. */
const withDeclaredOptions = (resources: readonly StateResource[], taken: readonly Taken[]): StateResource[] =>
  resources.map((entry) => {
    const own = taken.find(
      ({ operation, verdict }) => operation.resource.urn === entry.urn && verdict.id === entry.id,
    );
    return own === undefined ? entry : { ...own.operation.resource, ...entry };
  });
