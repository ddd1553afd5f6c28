import { serviceAddress } from 'pulumi-edge-policy/internal/values/service-address';
import type { JsonObject } from './json-reading';
import type { PreviewStep, StepState } from './preview-step';
import { isProviderType, resourceTypeOf, subjectIn } from './resource-type';
import { parseUrn } from './resource-urn';

/** The settings that decide where requests, and the key in them, go. */
const SETTINGS = ['baseUrl', 'proxy', 'apiKey', 'pluginDownloadURL'] as const;

/** The engine's own provider of a package, whose name contains the version, followed by the plugin's source if it has one. */
const DEFAULT_PROVIDER = /^default(?:_\d+_\d+_\d+(?:_?(?:alpha|beta|rc|dev)[_\d]*)?)?$/;

/** Whether a URN is that of a provider which the engine makes by itself, from the settings of the stack. */
export function isDefaultProvider(urn: string): boolean {
  const { type, name } = parseUrn(urn);
  return isProviderType(type) && DEFAULT_PROVIDER.test(name);
}

/** The key for the settings of the stack, which default providers have. */
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

/** Whether a step is about one of our providers. */
export const isProviderStep = ({ type }: PreviewStep): boolean => isProviderType(type);

/** The provider of a resource: its URN, or the key for the settings of the stack. */
export function providerOf(state: StepState | undefined): string | undefined {
  if (state?.provider === undefined) return undefined;
  // An identifier follows the URN.
  const urn = state.provider.slice(0, state.provider.lastIndexOf('::'));
  return isDefaultProvider(urn) ? STACK_SETTINGS : urn;
}

/** Objects with the same identifier on two services: it is unknown which service a rule belongs to. */
export function contestedSubjects(steps: readonly PreviewStep[]): string[] {
  const owned = steps.filter(({ type }) => resourceTypeOf(type));
  return (['old', 'new'] as const).flatMap((side) => {
    const providers = new Set(owned.map((step) => providerOf(step[side])));
    providers.delete(undefined);
    if (providers.size < 2) return [];
    const services = servicesOn(steps, side);
    const holders = new Map<string, string>();
    for (const step of owned) {
      const provider = providerOf(step[side]);
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

/** Providers with the same visible settings are one service; a provider with a hidden key is one of its own. */
const servicesOn = (steps: readonly PreviewStep[], side: 'old' | 'new'): Map<string, string> =>
  new Map(
    steps.filter(isProviderStep).map((step) => {
      const settings = JSON.stringify(serviceSettings(step[side]?.inputs));
      return [step.urn.text, settings.includes('[secret]') ? step.urn.text : settings];
    }),
  );

/** The services that requests go to, by provider, as far as a preview shows them: part of what is approved. */
export const plannedServices = (steps: readonly PreviewStep[], settings: JsonObject | undefined): string[] =>
  [
    [STACK_SETTINGS, serviceSettings(settings)],
    ...steps
      .filter((step) => isProviderStep(step) && step.new)
      .map((step) => [step.urn.text, serviceSettings(step.new?.inputs)]),
  ]
    .map(([provider, service]) => JSON.stringify([provider, service]))
    .sort();
