// `npm run runtimes`: checks that the runtimes in npm packages are those that the publisher of Node.js has published. The release
// runs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runtimeFile, runtimes, runtimeVersion } from './runtimes.mjs';

const publisher = `https://nodejs.org/dist/v${runtimeVersion}`;

/** @param {unknown} error @returns {never} */
const unreachable = (error) => {
  const { code = String(error) } = /** @type {{ cause?: { code?: string } }} */ (error).cause ?? {};
  console.error(
    `${publisher} cannot be reached from here (${code}), so nothing was compared: run this where it can be.`,
  );
  process.exit(1);
};

/** @param {string} file */
const download = async (file) => {
  const response = await fetch(`${publisher}/${file}`).catch(unreachable);
  if (!response.ok) throw new Error(`${publisher}/${file}: status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The program inside a published archive; for Windows it is published without one. @param {string} name @param {Buffer} bytes */
const programIn = (name, bytes) => {
  if (!name.endsWith('.tar.gz')) return bytes;
  const args = ['-xzOf', '-', `${name.replace(/\.tar\.gz$/, '')}/bin/node`];
  return spawnSync('tar', args, { input: bytes, maxBuffer: 512 * 1024 * 1024 }).stdout;
};

const sums = (await download('SHASUMS256.txt')).toString('utf8').split('\n');
for (const [system, runtime] of Object.entries(runtimes)) {
  const bytes = await download(runtime.published);
  const isListed = sums.includes(`${sha256(bytes)}  ${runtime.published}`);
  const isSame = sha256(programIn(runtime.published, bytes)) === sha256(readFileSync(runtimeFile(runtime)));
  console.log(
    `${system}: ${isListed ? 'as' : 'NOT AS'} in the publisher's checksums, ${isSame ? 'the same' : 'ANOTHER'} program on npm`,
  );
  if (!isListed || !isSame) process.exitCode = 1;
}
