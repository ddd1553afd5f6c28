// The plugin and Node.js in one file, by Node's own way for single executables.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// @ts-expect-error -- the package has no types
import { inject } from 'postject';
import { runtimeFile, runtimes } from './runtimes.mjs';

/** The mark that Node.js looks for in its own file, from its documentation. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The blob that the runtime runs at its start: made by a runtime of the same version, and equal for all systems. @param {string} main */
function preparedBlob(main) {
  const builder = runtimes[`${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`];
  if (builder === undefined) throw new Error('Executables are made on Linux only.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-executable-'));
  try {
    // The path of the program is part of the blob, so it is relative to be the same everywhere.
    copyFileSync(main, path.join(folder, 'plugin.js'));
    const config = { main: 'plugin.js', output: 'blob', disableExperimentalSEAWarning: true };
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
    const args = ['--experimental-sea-config', 'config.json'];
    const made = spawnSync(runtimeFile(builder), args, { cwd: folder, stdio: 'pipe' });
    if (made.status !== 0) throw new Error(`The plugin could not be prepared:\n${made.stderr}`);
    return readFileSync(path.join(folder, 'blob'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the executable of one system. @param {{ main: string, system: string, outfile: string }} files */
export async function makeExecutable({ main, system, outfile }) {
  const runtime = runtimes[system];
  if (runtime === undefined)
    throw new Error(`There are executables for ${Object.keys(runtimes).join(', ')} only, not for ${system}.`);
  copyFileSync(runtimeFile(runtime), outfile);
  chmodSync(outfile, 0o755);
  await inject(outfile, 'NODE_SEA_BLOB', preparedBlob(main), { sentinelFuse: FUSE });
}
