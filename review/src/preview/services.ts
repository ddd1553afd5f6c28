import { UNKNOWN } from 'pulumi-edge-policy/internal/values/unknowns';
import { addressDigest, isMarkOfOther } from 'pulumi-edge-policy/internal/values/account-mark';
import { serviceAddress } from 'pulumi-edge-policy/internal/values/service-address';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { isRefreshOnly } from './fate';
import type { JsonObject } from './json-reading';
import type { PreviewStep, StepState } from './preview-step';
import { isProviderType, parseUrn, resourceTypeOf, subjectIn } from './resource-type';

/** The settings that decide where requests, and the key in them, go. */
const SETTINGS = ['baseUrl', 'proxy', 'apiKey', 'pluginDownloadURL'] as const;

/** Whether a preview hides the steps of a provider, because of its name: the engine's own have such names, and others may. */
export function isHiddenProvider(urn: string): boolean {
  const { type, name } = parseUrn(urn);
  return isProviderType(type) && name.startsWith('default');
}

/** The key for the settings of the stack, which the engine's own providers have. */
export const STACK_SETTINGS = 'stack settings';

/** The settings of a provider, or of the stack, by name; unset ones are omitted, and addresses have one spelling. */
export function serviceSettings(inputs: JsonObject = {}): JsonObject {
  const value = (name: string): unknown => {
    const given = inputs[name] ?? inputs[`edge-policy:${name}`];
    return name === 'baseUrl' && typeof given === 'string' ? serviceAddress(given) : given;
  };
  return Object.fromEntries(
    SETTINGS.flatMap((name) => (value(name) === undefined ? [] : [[name, value(name)] as const])),
  );
}

/** Whether a setting looks alike whatever it is. */
export const isHiddenValue = (value: unknown): boolean =>
  typeof value === 'string' ? value === '[secret]' || value === UNKNOWN : value !== undefined;

export const isProviderStep = ({ type }: PreviewStep): boolean => isProviderType(type);

/** The URN of the provider of a resource, to which an identifier is appended. */
export const providerUrnOf = (state: StepState | undefined): string | undefined =>
  state?.provider?.slice(0, state.provider.lastIndexOf('::'));

/** In a preview, the identifier of a provider that does not exist yet. */
const NEW_PROVIDER = `::${UNKNOWN}`;

/** The existing providers that our resources had before, as they refer to them. */
export const formerProviders = (steps: readonly PreviewStep[]): readonly string[] =>
  steps
    .flatMap(({ type, old }) => (resourceTypeOf(type) ? (old?.provider ?? []) : []))
    .filter((provider) => !provider.endsWith(NEW_PROVIDER));

/** Providers that the engine made from the settings. A program can use such a name, so the state must prove it, or former use. */
export const ownProviders = (
  steps: readonly PreviewStep[],
  proved?: ReadonlySet<string>,
): ReadonlySet<string> => proved ?? new Set(formerProviders(steps).filter(isHiddenProvider));

/** Resources of one provider that would go to a service where nothing of the stack was before. */
export interface ChangedService {
  readonly provider: string;
  /** The address, or its digest; undefined if the settings of the provider are known only after the update. */
  readonly address: string | undefined;
  readonly resources: number;
}

/**
 * By the addresses that providers have noted, as no preview proves which provider serves a resource. A run without any address
 * proves nothing: the run that applies has one from its environment.
 */
export function changedServices(
  steps: readonly PreviewStep[],
  settings: JsonObject | undefined,
): ChangedService[] {
  // A refresh only reads, and a read notes no address.
  if (isRefreshOnly(steps)) return [];
  const sent = steps.filter(
    ({ op, type, new: wanted }) => resourceTypeOf(type) && wanted?.isExternal === false && op !== 'refresh',
  );
  const before = [
    ...steps.flatMap(({ type, old }) => (resourceTypeOf(type) ? isOf(old) : [])),
    ...[settings, ...steps.filter(isProviderStep).map(({ old }) => old?.inputs)].flatMap((inputs) => {
      const { baseUrl } = serviceSettings(inputs);
      return typeof baseUrl === 'string' && !isHiddenValue(baseUrl) ? [isAddress(baseUrl)] : [];
    }),
  ];
  const moved = sent.flatMap(({ urn: { text: urn }, old, new: wanted }): Moved[] => {
    const [provider, address] = [providerUrnOf(wanted) ?? '', wanted?.service];
    if (address === undefined)
      return old?.service !== undefined && isHiddenProvider(provider) ? [{ urn, provider, address }] : [];
    const former = isOf(old);
    const known = former.length > 0 ? former : before;
    const isSame = address === '' || known.length === 0 || known.some((isIt) => isIt(address));
    return isSame ? [] : [{ urn, provider, address }];
  });
  const alike = grouped(moved, ({ provider, address }) => JSON.stringify([provider, address]));
  return [...alike.values()].flatMap((all) => {
    const resources = new Set(all.map(({ urn }) => urn)).size;
    return all.slice(0, 1).map(({ provider, address }) => ({ provider, address, resources }));
  });
}

type Moved = Omit<ChangedService, 'resources'> & { readonly urn: string };

type IsAddress = (address: string) => boolean;

const isAddress =
  (before: string): IsAddress =>
  (address) =>
    addressDigest(address) === addressDigest(before);

/** The service that a resource was at: by its inputs, or by the mark of the last run that has written or read it. */
function isOf(old: StepState | undefined): IsAddress[] {
  const mark = old?.outputs?.['account'];
  if (old?.service) return [isAddress(old.service)];
  return typeof mark === 'string' ? [(address) => !isMarkOfOther(mark, address)] : [];
}

/** Objects with the same identifier on two services: it is unknown which service a rule belongs to. */
export function contestedSubjects(steps: readonly PreviewStep[]): string[] {
  const owned = steps.filter(({ type }) => resourceTypeOf(type));
  return (['old', 'new'] as const).flatMap((side) => {
    const providers = new Set(owned.map((step) => providerUrnOf(step[side])));
    providers.delete(undefined);
    if (providers.size < 2) return [];
    const services = servicesOn(steps, side);
    const holders = new Map<string, string>();
    for (const step of owned) {
      const provider = providerUrnOf(step[side]);
      const { type = '', inputs = {} } = step[side] ?? {};
      const subject = subjectIn(resourceTypeOf(type), inputs);
      if (provider === undefined || subject === undefined) continue;
      const service = services.get(provider) ?? provider;
      if ((holders.get(subject) ?? service) !== service) return [subject];
      holders.set(subject, service);
    }
    return [];
  });
}

/** Providers with the same visible settings are one service; a provider with a hidden or unknown one is one of its own. */
const servicesOn = (steps: readonly PreviewStep[], side: 'old' | 'new'): Map<string, string> =>
  new Map(
    steps.filter(isProviderStep).map((step) => {
      const settings = serviceSettings(step[side]?.inputs);
      const isVisible = !Object.values(settings).some(isHiddenValue);
      return [step.urn.text, isVisible ? JSON.stringify(settings) : step.urn.text];
    }),
  );

/** The services that requests go to, by provider, as far as a preview shows them: part of what is approved. */
export function plannedServices(steps: readonly PreviewStep[], settings: JsonObject | undefined): string[] {
  const hidden = steps
    .filter(({ type }) => resourceTypeOf(type))
    .flatMap((step) => providerUrnOf(step.new) ?? [])
    .filter(isHiddenProvider);
  const shown = steps.filter((step) => isProviderStep(step) && step.new);
  return [
    [STACK_SETTINGS, serviceSettings(settings)],
    ...[...new Set(hidden)].map((urn) => [urn]),
    ...shown.map((step) => [step.urn.text, serviceSettings(step.new?.inputs)]),
  ]
    .map((service) => JSON.stringify(service))
    .sort();
}
