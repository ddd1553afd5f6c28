import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startEmulator } from '../tools/demo/emulator-process.mjs';
import { checkout } from '../tools/setup/paths.mjs';

const apiKey = 'bench-key';

/**
 * The emulator as a separate process, so that its work does not count as the provider's.
 *
 * @typedef {Awaited<ReturnType<typeof startService>>} Service
 */
export const startService = async () => {
  const { url, stop, control } = await startEmulator(apiKey, '--journal=counts');
  return {
    url,
    apiKey,
    /** Empties the account and sets switches, such as a latency. */
    reset: async (switches = {}) => {
      await control('POST', 'reset');
      await control('PATCH', 'switches', switches);
    },
    /** How many requests there were since the last reset. */
    requestCount: async () =>
      Object.values(await control('GET', 'counts')).reduce((sum, count) => sum + count, 0),
    close: stop,
  };
};

/** A service that does next to nothing, as a separate process: it only knows creates, and forgets them. */
export const startQuickService = async () => {
  const child = spawn(process.execPath, [path.join(checkout, 'bench', 'quick-service.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { url: await addressOf(child), apiKey, close: () => child.stdin.end() };
};

/** The address that a service prints when it listens. */
const addressOf = async (child) => {
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /https?:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return url.replace(/[.,]$/, '');
    }
  }
  throw new Error('the service ended before it listened');
};
