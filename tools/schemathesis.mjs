// `npm run test:schemathesis`: schemathesis (PyPI) generates requests from the emulator's OpenAPI description, valid and invalid
// ones, and checks the answers against it. The requests are the same in every run; `--seed` tries others. Needs Python with venv.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { start } from 'edge-policy-emulator';
import { checkout, userCache } from './setup/paths.mjs';

const VERSION = '4.32.5';
const environment = path.join(userCache, `schemathesis-${VERSION}`);
const bin = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');

// Positions in which the description is exact: an empty PATCH is valid by any schema, and a duplicate has a status of its own.
const switches = /** @type {const} */ ({ duplicateCidr: '409', emptyPatch: 'ignored' });

/** Installs schemathesis once, outside the checkout. */
const isInstalled = () => {
  const command = path.join(bin, 'st');
  if (existsSync(command)) return true;
  const run = (/** @type {string} */ program, /** @type {string[]} */ args) =>
    spawnSync(program, args, { stdio: 'inherit' }).status === 0;
  return (
    run('python3', ['-m', 'venv', environment]) &&
    run(path.join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`])
  );
};

/** @param {string} url */
const runSchemathesis = (url) =>
  new Promise((resolve) => {
    const args = [
      ['run', new URL('/openapi.json', url).href, '--checks', 'all', '--continue-on-failure'],
      ['--header', 'Authorization: Bearer test-key'],
      process.argv.length > 2
        ? ['--generation-database', 'none', ...process.argv.slice(2)]
        : ['--generation-deterministic'],
    ].flat();
    const hooks = path.join(checkout, 'tools', 'schemathesis', 'hooks.py');
    const child = spawn(path.join(bin, 'st'), args, {
      stdio: 'inherit',
      // It stores notes in its working folder.
      cwd: environment,
      env: { ...process.env, SCHEMATHESIS_HOOKS: hooks },
    });
    child.once('close', resolve);
  });

if (isInstalled()) {
  const emulator = await start({ switches });
  const status = await runSchemathesis(emulator.url);
  console.log(`The emulator was asked: ${JSON.stringify(emulator.counts, undefined, 2)}`);
  await emulator.close();
  process.exitCode = status === 0 ? 0 : 1;
} else {
  console.log('schemathesis was not run: it needs Python 3.10 or newer with venv and pip.');
  process.exitCode = 1;
}
