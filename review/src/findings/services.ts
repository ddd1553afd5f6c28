import type { JsonObject } from '../preview/json-reading';
import type { PreviewDocument } from '../preview/preview-document';
import type { PreviewStep, StepState } from '../preview/preview-step';
import { parseUrn, resourceTypeOf } from '../preview/resource-type';
import {
  type ChangedService,
  changedServices,
  formerProviders,
  isHiddenProvider,
  isHiddenValue,
  isProviderStep,
  ownProviders,
  providerUrnOf,
  serviceSettings,
  STACK_SETTINGS,
} from '../preview/services';
import type { StackState } from '../preview/stack-state';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { type Finding, findingOf } from './finding';
import { aboutChange, type Severity } from './severity';

export const serviceKinds = {
  'service-changed': aboutChange('high', {
    title: 'Requests would go to another service or account',
    verdict: 'affects-access',
    advice: 'Make sure that the address, the proxy and the account are yours: the API key goes there.',
  }),
};

const finding = findingOf(serviceKinds);
const serviceChanged = (
  subject: string,
  reason: Sentence,
  more: { readonly severity?: Severity } = {},
): Finding => finding('service-changed', { where: { subject }, reason, ...more });

export const serviceFindings = (
  { steps, settings }: PreviewDocument,
  state: StackState | undefined,
): Finding[] =>
  withAddresses(
    [
      ...(state?.service ? changedSettings(state.service, serviceSettings(settings)) : []),
      ...steps.filter(isProviderStep).flatMap(changedProvider),
      ...newProviders(steps, settings),
      ...movedResources(steps, ownProviders(steps, state?.ownProviders)),
    ],
    steps,
    changedServices(steps, settings),
  );

/** The settings of the stack, whose former values only the state knows. */
function changedSettings(before: JsonObject, after: JsonObject): Finding[] {
  const changed = ['apiKey', 'baseUrl', 'proxy'].filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return [];
  const reason = say`The settings of the stack have a different ${list(changed.map(foreign))} from before: requests would go to another service or account.`;
  return [serviceChanged(STACK_SETTINGS, reason)];
}

function withAddresses(
  findings: readonly Finding[],
  steps: readonly PreviewStep[],
  changed: readonly ChangedService[],
): Finding[] {
  const subjects = new Set(findings.map(({ where: { subject } }) => subject));
  return [
    ...findings,
    ...changed
      .filter(({ provider }) => !subjects.has(nameOf(provider)))
      .filter(({ provider }) => !subjects.has(STACK_SETTINGS) || !isHiddenProvider(provider))
      .map(({ provider, address, resources }) => {
        const where =
          address === undefined
            ? trusted('an address that is known only after the update')
            : say`${foreign(address)}, where nothing of the stack was before`;
        const reason = say`${count(resources, 'resource')} of the provider ${foreign(nameOf(provider))} would go to ${where}: requests, and the API key, would go there.`;
        return serviceChanged(nameOf(provider), reason, ofFirstPreview(steps));
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
  const reason = say`The provider ${foreign(step.urn.name)} gets a different ${list(all.map(foreign))}, or may get one: requests would go to another service or account.`;
  return [serviceChanged(step.urn.name, reason)];
}

/** New providers with an address that nothing of the stack has yet: requests go there, with the program's key or the environment's. */
function newProviders(steps: readonly PreviewStep[], settings: JsonObject | undefined): Finding[] {
  const providers = steps.filter(isProviderStep);
  const known = [settings, ...providers.map(({ old }) => old?.inputs)].map((inputs) =>
    serviceSettings(inputs),
  );
  return providers.flatMap(({ old, new: made, urn }) => {
    const given = Object.entries(old ? {} : serviceSettings(made?.inputs));
    const isKnown = (name: string, value: unknown) =>
      name === 'apiKey' || (!isHiddenValue(value) && known.some((other) => other[name] === value));
    const names = given.filter(([name, value]) => !isKnown(name, value)).map(([name]) => name);
    if (names.length === 0) return [];
    const reason = say`The new provider ${foreign(urn.name)} has a ${list(names.map(foreign))} of its own: requests, and the API key, would go there.`;
    return [serviceChanged(urn.name, reason, ofFirstPreview(steps))];
  });
}

/** The first preview of a stack cannot do without a new provider. */
const ofFirstPreview = (steps: readonly PreviewStep[]) =>
  formerProviders(steps).length === 0 ? { severity: 'medium' as const } : {};

/** Resources that get another provider than before, or one of which nothing is known but its name. */
function movedResources(steps: readonly PreviewStep[], ownProviders: ReadonlySet<string>): Finding[] {
  const providerOf = (state: StepState | undefined) =>
    ownProviders.has(state?.provider ?? '') ? STACK_SETTINGS : providerUrnOf(state);
  const moves = new Map<string, number>();
  for (const step of steps) {
    if (!resourceTypeOf(step.type)) continue;
    const [before, after] = [providerOf(step.old), providerOf(step.new)];
    if (after === undefined || (before === after && !isHiddenProvider(after))) continue;
    if (before === undefined && !isHiddenProvider(after)) continue;
    const move = JSON.stringify([before ?? after, after]);
    moves.set(move, (moves.get(move) ?? 0) + 1);
  }
  return [...moves].sort().map(([move, resources]) => {
    const [before = '', after = ''] = JSON.parse(move) as string[];
    const from = before === after ? [] : say` from ${foreign(nameOf(before))}`;
    const which = isHiddenProvider(after)
      ? trusted(
          'whose settings no preview shows: the engine creates providers with such names, and so can a program',
        )
      : trusted('which may be another service or account');
    const reason = say`${count(resources, 'resource')} would go${from} to ${foreign(nameOf(after))}, ${which}.`;
    return serviceChanged(nameOf(after), reason, ofFirstPreview(steps));
  });
}

const nameOf = (provider: string): string => parseUrn(provider).name || provider;
