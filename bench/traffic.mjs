// `node bench/traffic.mjs`: how fast an access log of a million lines is read, as a part of the speed of the shell's own count,
// `zcat FILE | awk '{print $1}' | LC_ALL=C sort | uniq -c`. One line of JSON, and a non-zero exit below its bound. Processor time of
// all processes is compared, in turns, as a busy machine hardly affects it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkout } from '../tools/setup/paths.mjs';
import { accessLog } from './access-log.mjs';
import { atLeast } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { median } from './median.mjs';
import { shellCost } from './shell-cost.mjs';

const ROUNDS = 5;
const LINES = 1_000_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
const file = path.join(folder, 'access.log.gz');

const reader = `
  const { readLogs } = require(${JSON.stringify(path.join(checkout, 'cli', 'dist', 'traffic', 'read-traffic.js'))});
  void readLogs({ traffic: [{ file: process.argv[1] }], cwd: '/' }).then(([log]) => {
    if (log.files[0].lines !== ${LINES}) throw new Error('not all lines were read');
    console.log(Math.round(process.resourceUsage().maxRSS / 1024));
  });`;

let megabytes = 0;

/** @param {string} script @param {string[]} args */
const costOf = async (script, ...args) => {
  const cost = shellCost(script, args);
  if (cost.status !== 0) throw new Error(cost.stderr);
  return cost;
};

try {
  writeFileSync(file, gzipSync([...accessLog(LINES)].join('')));
  const rounds = await inTurns(
    {
      shell: () => costOf(`zcat "$1" | awk '{print $1}' | LC_ALL=C sort | uniq -c > /dev/null`, file),
      ours: async () => {
        const cost = await costOf('"$1" -e "$2" "$3"', process.execPath, reader, file);
        megabytes = Number(cost.stdout);
        return cost;
      },
    },
    ROUNDS,
  );
  const figure = atLeast(
    `speed of reading ${LINES} lines, as a part of that of the shell`,
    medianRatio(rounds, ({ shell, ours }) => shell.cpuMs / ours.cpuMs),
    0.5,
  );
  if (!figure.isReached) process.exitCode = 1;
  const milliseconds = Math.round(median(rounds.map(({ ours }) => ours.cpuMs)));
  console.log(JSON.stringify({ ...figure, milliseconds, megabytes }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
