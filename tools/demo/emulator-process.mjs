import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Starts the emulator's own command as a separate process, so that it can be left running, and its work counts as its own.
 *
 * @param {string} apiKey the only key that it accepts
 * @param {readonly string[]} options
 * @returns it is killed at exit unless `keep` is called; `control` asks its control plane
 */
export const startEmulator = async (apiKey, ...options) => {
  const main = path.join(
    require.resolve('edge-policy-emulator/package.json'),
    '../bin/edge-policy-emulator.js',
  );
  const emulator = spawn(
    process.execPath,
    [main, '--port=0', '--control', `--api-key=${apiKey}`, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const stop = () => {
    emulator.kill();
  };
  process.once('exit', stop);
  const url = await new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [emulator.stdout, emulator.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        const [address] = /http:\S+(?=\s)/.exec(text) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    emulator.once('error', reject);
    emulator.once('exit', () => {
      reject(new Error(`the emulator did not start:\n${text}`));
    });
  });
  // From here on it does not keep this process alive.
  emulator.stdout.destroy();
  emulator.stderr.destroy();
  emulator.unref();
  const keep = () => {
    process.removeListener('exit', stop);
  };
  /** @param {string} method @param {string} target @param {object} [body] @returns {Promise<any>} the JSON of the answer */
  const control = async (method, target, body) => {
    const response = await fetch(`${url}/__emulator/${target}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the emulator answered ${method} ${target} with ${response.status}`);
    return response.status === 204 ? undefined : response.json();
  };
  return { url, pid: emulator.pid ?? 0, stop, keep, control };
};
