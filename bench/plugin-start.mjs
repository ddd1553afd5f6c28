// How long the plugin takes until the engine can call it, and how much memory it then uses: in the form that needs Node.js and as
// an executable, in turns. First: npm run bundle -- --executables linux-amd64
//   node bench/plugin-start.mjs [ROUNDS]
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { median } from './median.mjs';

const rounds = Number(process.argv[2] ?? 11);
const plugin = 'pulumi-resource-edge-policy';
const folder = path.join(import.meta.dirname, '..', 'dist', 'plugin');
const nodeForm = path.join(folder, plugin, plugin);
const executable = path.join(folder, `${plugin}-linux-amd64`, plugin);

/** @typedef {{ readyMs: number, memoryMb: number, cpuMs: number }} Start */

const TICKS_PER_SECOND = 100;

/** @param {string} file @param {readonly string[]} args @returns {Promise<Start>} */
const start = (file, args) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(file, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    child.on('error', reject);
    child.stdout.once('data', () => {
      const readyMs = performance.now() - began;
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const cpuMs = ((Number(times[11]) + Number(times[12])) / TICKS_PER_SECOND) * 1000;
      child.kill('SIGKILL');
      resolve({ readyMs, cpuMs, memoryMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 });
    });
  });

const forms = [
  { name: 'with Node.js of the machine', file: process.execPath, args: [nodeForm], size: nodeForm },
  { name: 'executable', file: executable, args: [], size: executable },
];
/** @type {Map<string, Start[]>} */
const results = new Map(forms.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const { name, file, args } of forms) results.get(name)?.push(await start(file, args));
}
for (const { name, size } of forms) {
  const starts = results.get(name) ?? [];
  const of = (/** @type {keyof Start} */ what) => Math.round(median(starts.map((each) => each[what])));
  const megabytes = (statSync(size).size / 1e6).toFixed(1);
  console.log(
    `${name}: ${megabytes} MB, ready after ${of('readyMs')} ms (CPU ${of('cpuMs')} ms), ${of('memoryMb')} MB of memory`,
  );
}
