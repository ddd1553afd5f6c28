// `node bench/review.mjs`: how long a reviewer waits for a review of 10,000 rules of which every tenth changes, declared
// as one set and as single resources. The whole command is measured, the start of Node included. One line of JSON per
// figure: the seconds that a reviewer waits, the processor's (of all threads, which a busy machine does not change much),
// and how many times it takes what a command takes that only starts (`edge-policy --version`).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { median } from './median.mjs';

const RULES = 10_000;
const REPETITIONS = 5;
const MOST_SECONDS = 2;

const command = path.join(checkout, 'provider', 'bin', 'edge-policy.js');

/**
 * Rules as real lists have them: networks of every size from /12 to /32, many of them within others, every tenth a deny.
 *
 * @param {boolean} isChanged   whether every tenth rule has another network
 */
const rules = (isChanged) =>
  Array.from({ length: RULES }, (_, index) => {
    const prefixLength = 12 + ((index * 7) % 21);
    // A multiplicative hash scatters the networks over the address space, the same ones in every run.
    const hash = Math.imul(isChanged && index % 10 === 5 ? index + RULES : index + 1, 2_654_435_761);
    const address = (hash & (prefixLength === 32 ? -1 : ~(0xffff_ffff >>> prefixLength))) >>> 0;
    const text = [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
    return { cidr: `${text}/${prefixLength}`, action: index % 10 === 0 ? 'deny' : 'allow' };
  });

const ipPolicyId = 'ipp_1';
const [before, after] = [rules(false), rules(true)];

/** @param {string} type @param {string} name @param {[old: object, new: object]} inputs */
const step = (type, name, inputs) => {
  const token = `pulumi-nodejs:dynamic/edge-policy:${type}`;
  const urn = `urn:pulumi:dev::bench::${token}::${name}`;
  const [oldState, newState] = inputs.map((side) => ({ urn, custom: true, type: token, inputs: side }));
  const isSame = JSON.stringify(inputs[0]) === JSON.stringify(inputs[1]);
  return { op: isSame ? 'same' : 'update', urn, oldState, newState };
};

/** @param {{ cidr: string, action: string }[]} list */
const asSet = (list) => ({
  ipPolicyId,
  exclusive: false,
  rules: JSON.stringify(Object.fromEntries(list.map(({ cidr, action }) => [cidr, { action }]))),
});

const shapes = {
  'as one set': [step('IpPolicyRuleSet', 'set', [asSet(before), asSet(after)])],
  'as single resources': before.map((rule, index) =>
    step('IpPolicyRule', `rule-${index}`, [
      { ipPolicyId, ...rule },
      { ipPolicyId, ...after[index] },
    ]),
  ),
};

/** Makes a process say on its standard error what it has used. */
const tellUsage = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => process.stderr.write(JSON.stringify(process.cpuUsage())));
`)}`;

/** @param {string[]} args */
const measureOnce = (...args) => {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', tellUsage, command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const wallSeconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`edge-policy ${args.join(' ')} ended with code ${status}:\n${stderr}`);
  const { user, system } = JSON.parse(stderr);
  return { wallSeconds, processorSeconds: (user + system) / 1e6 };
};

/** @param {string[]} args */
const measure = (...args) => {
  const runs = Array.from({ length: REPETITIONS }, () => measureOnce(...args));
  return {
    wallSeconds: median(runs.map((run) => run.wallSeconds)),
    processorSeconds: median(runs.map((run) => run.processorSeconds)),
  };
};

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Number(value.toFixed(digits));

const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
try {
  const start = measure('--version');
  for (const [shape, steps] of Object.entries(shapes)) {
    const file = path.join(folder, 'preview.json');
    writeFileSync(file, JSON.stringify({ steps }));
    const { wallSeconds, processorSeconds } = measure('review', file, '--fail-on', 'never');
    const figure = {
      name: `edge-policy review of ${RULES} rules ${shape}, seconds`,
      value: rounded(wallSeconds, 2),
      atMost: MOST_SECONDS,
      isReached: wallSeconds <= MOST_SECONDS,
      processorSeconds: rounded(processorSeconds, 2),
      timesStart: rounded(wallSeconds / start.wallSeconds, 1),
    };
    console.log(JSON.stringify(figure));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
