import { type Emulator, type EmulatorOptions, type RuleSeed, start } from '../../emulator/src/index';
import { deferCleanup, type Lifetime } from './cleanup';
import { policyId } from './ids';
import { PulumiStack } from './pulumi-stack';
import { SecretsScan } from './secrets-scan';
import type { StackOptions } from './stack-options';

/** A running service and the only key that it accepts, a canary. */
export interface Service {
  readonly emulator: Emulator;
  readonly apiKey: string;
}

/** Starts a service that ends with the test, or with the file. */
export async function startService(
  options: EmulatorOptions = {},
  lifetime: Lifetime = 'test',
): Promise<Service> {
  const apiKey = SecretsScan.makeUp('key');
  const emulator = await start({ accounts: { [apiKey]: 'default' }, ...options });
  deferCleanup(() => emulator.close(), lifetime);
  return { emulator, apiKey };
}

/** Starts a service with these rules; one that does not say otherwise is an allow of the usual policy. */
export async function serviceWith(
  ...rules: readonly (Partial<RuleSeed> & Pick<RuleSeed, 'cidr'>)[]
): Promise<Service> {
  const service = await startService();
  const usual = { action: 'allow', ip_policy_id: policyId } as const;
  service.emulator.seed({ rules: rules.map((rule) => ({ ...usual, ...rule })) });
  return service;
}

/** The networks of the rules that the service has. */
export const liveCidrs = (emulator: Emulator): string[] =>
  emulator
    .state()
    .rules.map(({ cidr }) => cidr)
    .sort();

/** A stack on a service of its own. */
export async function stackOnService(
  options: Omit<StackOptions, 'baseUrl' | 'apiKey'>,
  service?: Service,
): Promise<{ readonly stack: PulumiStack; readonly emulator: Emulator }> {
  const { emulator, apiKey } = service ?? (await startService({}, options.lifetime));
  const stack = await PulumiStack.create({ ...options, baseUrl: emulator.url, apiKey });
  return { stack, emulator };
}
