import { ApiClient, type ClientSettings, type ClientEnvironment } from '../../provider/src/api/client';
import { systemClock } from '../../provider/src/api/clock';
import { deferCleanup } from './cleanup';

/** A key that must show up nowhere. */
export const canaryKey = 'canary-key-4f1d';

/** A client without back-off, closed after the test. */
export const createClient = (
  baseUrl: string,
  settings: Partial<ClientSettings> = {},
  environment: Partial<ClientEnvironment> = {},
): ApiClient => {
  const client = new ApiClient(
    {
      ...{ apiKey: canaryKey, baseUrl, versionHeader: 'Service-Version', version: '2', maxConcurrency: 8 },
      ...{ requestTimeoutMs: 5000, operationTimeoutMs: 20_000, maxAttempts: 4 },
      ...settings,
    },
    { clock: systemClock, random: () => 0, warn: () => undefined, ...environment },
  );
  deferCleanup(() => {
    client.close();
  });
  return client;
};
