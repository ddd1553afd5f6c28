// `node bench/review.mjs`: how long a review takes, in multiples of what reading and `JSON.parse` of the same preview takes
// in the same process. One line of JSON per figure, and a non-zero exit where one is beyond its bound. Measured is the
// processor's time, which a busy machine does not change much, of the first review of a process, as a reviewer waits for it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { median } from './median.mjs';

const REPETITIONS = 3;

/**
 * Rules as real lists have them: networks of every size from /12 to /32, many of them within others, every tenth a deny.
 *
 * @param {number} count
 * @param {(index: number) => boolean} hasMoved   which of them have another network
 */
const rules = (count, hasMoved) =>
  Array.from({ length: count }, (_, index) => {
    const prefixLength = 12 + ((index * 7) % 21);
    // A multiplicative hash scatters the networks over the address space, the same ones in every run.
    const hash = Math.imul(hasMoved(index) ? index + count : index + 1, 2_654_435_761);
    const address = (hash & (prefixLength === 32 ? -1 : ~(0xffff_ffff >>> prefixLength))) >>> 0;
    const text = [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
    return { cidr: `${text}/${prefixLength}`, action: index % 10 === 0 ? 'deny' : 'allow' };
  });

/** @param {number} every */
const everyNth = (every) => [() => false, (/** @type {number} */ index) => index % every === every - 1];

/** @param {string} type @param {string} name @param {[old: object, new: object]} inputs */
const step = (type, name, inputs) => {
  const token = `pulumi-nodejs:dynamic/edge-policy:${type}`;
  const urn = `urn:pulumi:dev::bench::${token}::${name}`;
  const [oldState, newState] = inputs.map((side) => ({ urn, custom: true, type: token, inputs: side }));
  const isSame = JSON.stringify(inputs[0]) === JSON.stringify(inputs[1]);
  return { op: isSame ? 'same' : 'update', urn, oldState, newState };
};

const ipPolicyId = 'ipp_1';

/** @param {number} count   a tenth of them changed */
const singles = (count) => {
  const [before = [], after = []] = everyNth(10).map((hasMoved) => rules(count, hasMoved));
  return before.map((rule, index) =>
    step('IpPolicyRule', `rule-${index}`, [
      { ipPolicyId, ...rule },
      { ipPolicyId, ...after[index] },
    ]),
  );
};

/** @param {number} count   a third of them changed */
const oneSet = (count) => {
  const [before, after] = everyNth(3).map((hasMoved) => {
    const entries = rules(count, hasMoved).map(({ cidr, action }) => [cidr, { action }]);
    return { ipPolicyId, exclusive: false, rules: JSON.stringify(Object.fromEntries(entries)) };
  });
  return [step('IpPolicyRuleSet', 'set', [before ?? {}, after ?? {}])];
};

/** @param {number} count   a tenth of them changed */
const traffic = (count) => {
  const [before, after] = everyNth(10).map((hasMoved) => {
    const inbound = rules(count, hasMoved).map(({ cidr }, index) => ({
      name: `rule ${index}`,
      expressions: [`inCidrRange(conn.client_ip, '${cidr}')`],
      actions: [{ type: 'deny' }],
    }));
    return { edgeId: 'edgtcp_1', enabled: true, value: JSON.stringify({ inbound }) };
  });
  return [step('TcpEdgeTrafficPolicyModule', 'tcp', [before ?? {}, after ?? {}])];
};

/** What is measured, and how many times what reading takes it may take. */
const shapes = [
  { name: 'rules as single resources', make: singles, atMost: 5 },
  { name: 'rules as one set', make: oneSet, atMost: 8 },
  { name: 'rules of one traffic policy', make: traffic, atMost: 8 },
];
const sizes = [20_000, 100_000];

/** Run in a process of its own: prints the milliseconds of reading, and of reading and reviewing. */
const program = `
  const { readFileSync } = require('node:fs');
  const review = require(process.argv[1]);
  const file = process.argv[2];
  const milliseconds = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const reading = Array.from({ length: 3 }, () => milliseconds(() => JSON.parse(readFileSync(file, 'utf8'))));
  const context = review.DEFAULT_CONTEXT;
  const request = { context, assertions: review.NO_ASSERTIONS, today: '2026-06-15', failOn: 'high' };
  const reviewing = milliseconds(() => {
    const preview = review.readPreviewDocument(readFileSync(file, 'utf8'));
    review.renderMarkdown(review.reviewPreview(preview, request));
  });
  console.log(JSON.stringify({ reading: reading.sort((left, right) => left - right)[1], reviewing }));
`;

/** @param {string} file */
const measureOnce = (file) => {
  const engine = path.join(checkout, 'provider', 'dist', 'review');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program, engine, file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the review ended with code ${status}:\n${stderr}`);
  const { reading, reviewing } = JSON.parse(stdout);
  return { milliseconds: reviewing, times: reviewing / reading };
};

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Number(value.toFixed(digits));

const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
try {
  for (const { name, make, atMost } of shapes) {
    for (const size of sizes) {
      const file = path.join(folder, 'preview.json');
      writeFileSync(file, JSON.stringify({ steps: make(size) }));
      const runs = Array.from({ length: REPETITIONS }, () => measureOnce(file));
      const times = median(runs.map((run) => run.times));
      const microseconds = (median(runs.map((run) => run.milliseconds)) * 1000) / size;
      const figure = {
        name: `review of ${size} ${name}, times reading and JSON.parse`,
        value: rounded(times, 1),
        atMost,
        isReached: times <= atMost,
        microsecondsPerRule: rounded(microseconds, 1),
      };
      if (!figure.isReached) process.exitCode = 1;
      console.log(JSON.stringify(figure));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
