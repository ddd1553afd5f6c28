import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientSettings } from '../../provider/src/api/client';
import { canaryKey } from './api-client';
import { sourcesHook } from './workspace';

const script = join(__dirname, 'api-child.ts');

interface ChildRun {
  readonly settings: Partial<ClientSettings> & { readonly baseUrl: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly times?: number;
  /**
   * Reads of a module, one after the other (the default); creates of different rules, all at once; or a single attempt of each
   * of these, with the transport's result.
   */
  readonly mode?: 'reads' | 'creates' | 'attempts';
}

/** Makes requests in a separate process; returns the answers or errors as plain data. A warning of that process fails. */
export const runApiChild = async ({
  settings,
  environment,
  times = 1,
  mode = 'reads',
}: ChildRun): Promise<readonly object[]> => {
  const all = {
    ...{ apiKey: canaryKey, versionHeader: 'Service-Version', version: '2', maxConcurrency: 8 },
    ...{ requestTimeoutMs: 2000, operationTimeoutMs: 10_000, maxAttempts: 1, ...settings },
  };
  const args = [...sourcesHook, script, JSON.stringify(all), String(times), mode];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...environment },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly object[];
};
