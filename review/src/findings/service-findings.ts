import type { JsonObject } from '../preview/json-reading';
import type { PreviewDocument } from '../preview/preview-document';
import type { PreviewStep } from '../preview/preview-step';
import { resourceTypeOf } from '../preview/resource-type';
import { isProviderStep, providerOf, serviceSettings, STACK_SETTINGS } from '../preview/services';
import type { StackState } from '../preview/stack-state';
import { count, foreign, list, say } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/** Requests that would go to another service than before, and with them the key of the account. */
export const serviceFindings = (
  { steps, settings }: PreviewDocument,
  state: StackState | undefined,
): Finding[] => [
  ...(state?.service ? changedSettings(state.service, serviceSettings(settings)) : []),
  ...steps.filter(isProviderStep).flatMap(changedProvider),
  ...movedResources(steps),
];

/** The settings of the stack, whose former values only the state knows. */
function changedSettings(before: JsonObject, after: JsonObject): Finding[] {
  const changed = ['baseUrl', 'proxy'].filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return [];
  return [
    finding('service-changed', {
      where: { subject: STACK_SETTINGS },
      reason: say`The settings of the stack have another ${list(changed.map(foreign))} than before: requests would go to another service.`,
    }),
  ];
}

/** A provider with a changed setting. If a provider changes at all, its secret settings may have changed. */
function changedProvider(step: PreviewStep): Finding[] {
  if (!step.old || !step.new) return [];
  const [before, after] = [serviceSettings(step.old.inputs), serviceSettings(step.new.inputs)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const hidden = names.filter((name) => step.op !== 'same' && after[name] === '[secret]');
  const all = [...new Set([...changed, ...hidden])];
  if (all.length === 0) return [];
  return [
    finding('service-changed', {
      where: { subject: step.urn.name },
      reason: say`The provider ${foreign(step.urn.name)} gets another ${list(all.map(foreign))}, or may: requests would go to another service or account.`,
    }),
  ];
}

function movedResources(steps: readonly PreviewStep[]): Finding[] {
  const moves = new Map<string, number>();
  for (const step of steps) {
    if (!resourceTypeOf(step.type)) continue;
    const [before, after] = [providerOf(step.old), providerOf(step.new)];
    if (before === undefined || after === undefined || before === after) continue;
    const move = JSON.stringify([before, after]);
    moves.set(move, (moves.get(move) ?? 0) + 1);
  }
  return [...moves].sort().map(([move, resources]) => {
    const [before = '', after = ''] = (JSON.parse(move) as string[]).map(nameOf);
    return finding('service-changed', {
      where: { subject: after },
      reason: say`${count(resources, 'resource')} would go from ${foreign(before)} to ${foreign(after)}, which may be another service or account.`,
    });
  });
}

const nameOf = (provider: string): string => provider.split('::').slice(3).join('::') || provider;
