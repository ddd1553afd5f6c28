import type { Policies, ResourceValidationArgs, StackValidationArgs } from '@pulumi/policy';
import * as sdk from '@pulumi/policy';
import { previewText, type MadeResource } from '../review/preview-builder';

/** What keeps a policy from reading what is not known yet; the SDK exports it without its type. */
const { unknownCheckingProxy } = sdk as unknown as { unknownCheckingProxy: (props: object) => object };

/** A resource, or a provider, as the engine shows it to a pack. */
export interface Shown {
  readonly urn: string;
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly provider?: string;
}

/** What a policy reports. */
export interface Violation {
  readonly policy: string;
  readonly message: string;
  readonly urn?: string;
}

interface State {
  readonly urn: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** What a pack is shown of these resources after the change, without the program's text that serves them. */
export function shownAfter(resources: readonly MadeResource[]): Shown[] {
  const { steps } = JSON.parse(previewText(resources)) as { steps: { newState?: State }[] };
  const states = new Map(
    steps.flatMap(({ newState }) => (newState ? [[newState.urn, newState] as const] : [])),
  );
  return [...states.values()].map(({ urn, type, inputs: { __provider: _code, ...inputs }, outputs }) => ({
    urn,
    type,
    props: { ...inputs, ...outputs },
  }));
}

/** Runs every policy, as the server of the SDK does: with the inputs of each resource, and then with the whole stack. */
export async function violations(
  policies: Policies,
  stack: readonly Shown[],
  settings: Readonly<Record<string, object>> = {},
): Promise<Violation[]> {
  const found: Violation[] = [];
  const reportOf = (policy: string) => (message: string, urn?: string) =>
    void found.push({ policy, message, ...(urn !== undefined && { urn }) });
  const settingsOf = (policy: string) => ({ getConfig: () => settings[policy] ?? {} });
  const resources = stack.map(({ provider, ...each }) => ({
    ...each,
    props: unknownCheckingProxy(each.props),
    ...(provider !== undefined && { provider: { urn: provider } }),
  }));
  for (const resource of resources)
    for (const policy of policies)
      if ('validateResource' in policy && typeof policy.validateResource === 'function') {
        const args = { ...resource, ...settingsOf(policy.name) } as unknown as ResourceValidationArgs;
        await policy.validateResource(args, (message) => {
          reportOf(policy.name)(message, resource.urn);
        });
      }
  for (const policy of policies)
    if ('validateStack' in policy) {
      const args = { ...settingsOf(policy.name), resources } as unknown as StackValidationArgs;
      await policy.validateStack(args, reportOf(policy.name));
    }
  return found;
}
