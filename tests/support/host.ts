import type { ClientSettings } from '../../provider/src/api/client';
import type { Emulator, EmulatorOptions } from '../../emulator/src/index';
import { deferCleanup, type Lifetime } from './cleanup';
import { type HostEnvironment, HostProcess, usualSettings } from './host-process';
import { IdleClock } from './idle-clock';
import { SecretsScan } from './secrets-scan';
import { startService } from './service-stack';

export { type Bag, HostProcess } from './host-process';

/** A service with a clock of its own, and host processes that talk to it. */
export interface Scene {
  readonly emulator: Emulator;
  readonly clock: IdleClock;
  /** The only key that the service accepts, a canary. */
  readonly apiKey: string;
  readonly secrets: SecretsScan;
  /** A new host process, as every call of the CLI starts one. */
  newProcess(settings?: Partial<ClientSettings>, environment?: Partial<HostEnvironment>): HostProcess;
}

export interface SceneOptions extends Pick<EmulatorOptions, 'switches' | 'tls'> {
  readonly skewMs?: number;
  readonly lifetime?: Lifetime;
}

/** Starts a service whose clock begins at the clients' time plus `skewMs` and is never set. */
export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const { skewMs = 0, lifetime, ...service } = options;
  const clock = new IdleClock();
  const serviceStartsAtMs = clock.epochMs() + skewMs;
  const secrets = new SecretsScan();
  const { emulator, apiKey } = await startService(
    { clock: () => serviceStartsAtMs + clock.monotonicMs(), ...service },
    lifetime,
  );
  secrets.watch('key', apiKey);
  const newProcess: Scene['newProcess'] = (settings = {}, environment = {}) => {
    const all = { ...usualSettings(emulator.url, apiKey), ...settings };
    const host = new HostProcess(all, { clock, ...environment });
    deferCleanup(() => {
      host.end();
    });
    return host;
  };
  return { emulator, clock, apiKey, secrets, newProcess };
}
