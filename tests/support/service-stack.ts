import { type Emulator, type EmulatorOptions, start } from '../../emulator/src/index';
import { deferCleanup, type Lifetime } from './cleanup';
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

/** A stack on a service of its own. */
export async function stackOnService(
  options: Omit<StackOptions, 'baseUrl' | 'apiKey'>,
  service?: Service,
): Promise<{ readonly stack: PulumiStack; readonly emulator: Emulator }> {
  const { emulator, apiKey } = service ?? (await startService({}, options.lifetime));
  const stack = await PulumiStack.create({ ...options, baseUrl: emulator.url, apiKey });
  return { stack, emulator };
}
