// `node bench/review.mjs`: how long a review takes, in multiples of what reading and `JSON.parse` of the same preview takes
// in the same process. One line of JSON per figure, and a non-zero exit where one is beyond its bound. Measured is the
// processor's time, which a busy machine does not change much: of the first review of a process, as a reviewer waits for
// it, and of one whose code the engine of JavaScript has compiled, as `JSON.parse` always is.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { median } from './median.mjs';

const REPETITIONS = 3;
/** After so many reviews the times of one process no longer fall. */
const WARM_UP = 8;

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

const stack = 'urn:pulumi:dev::bench::pulumi:pulumi:Stack::bench-dev';
const provider = 'urn:pulumi:dev::bench::pulumi:providers:pulumi-nodejs::default::735df3be-e9fc-4c3b-ad4e';

/**
 * A step as the CLI prints it: both sides with all that the state has, outputs among it, indented.
 *
 * @param {string} type
 * @param {string} name
 * @param {{ inputs: [old: object, new: object], outputs?: object }} properties
 */
const step = (type, name, { inputs, outputs }) => {
  const token = `pulumi-nodejs:dynamic/edge-policy:${type}`;
  const urn = `urn:pulumi:dev::bench::${token}::${name}`;
  const __provider = `exports.handler = () => require('pulumi-edge-policy/handler').handler('${type}');`;
  const [old, wanted] = inputs.map((side) => ({ __provider, ...side }));
  const isSame = JSON.stringify(old) === JSON.stringify(wanted);
  const common = { parent: stack, provider, sourcePosition: 'project:///index.ts#12,3' };
  const state = (/** @type {object | undefined} */ side) => ({
    urn,
    custom: true,
    id: name,
    type: token,
    inputs: side,
  });
  const live = { ...old, ...outputs };
  return {
    op: isSame ? 'same' : 'update',
    urn,
    provider,
    oldState: { ...state(old), outputs: live, ...common },
    newState: { ...state(wanted), ...(isSame && { outputs: live }), ...common },
    detailedDiff: null,
  };
};

const ipPolicyId = 'ipp_1';

/** @param {number} count   a tenth of them changed */
const singles = (count) => {
  const [before = [], after = []] = everyNth(10).map((hasMoved) => rules(count, hasMoved));
  const outputs = { uri: 'https://api.example.com/ip_policy_rules/ipr_2bq0aTOQzWVzjN5Yv8r' };
  return before.map((rule, index) => {
    const inputs = [rule, after[index]].map((side) => ({
      ipPolicyId,
      ...side,
      description: `office ${index % 99}`,
    }));
    return step('IpPolicyRule', `rule-${index}`, { inputs: [inputs[0] ?? {}, inputs[1] ?? {}], outputs });
  });
};

/** @param {number} count   a third of them changed */
const oneSet = (count) => {
  const [before, after] = everyNth(3).map((hasMoved) => {
    const lines = new Map(
      rules(count, hasMoved).map(({ cidr, action }, index) => [cidr, `${action} "office ${index % 99}"`]),
    );
    const sorted = [...lines].sort(([left], [right]) => orderOf(left) - orderOf(right));
    return {
      ipPolicyId,
      exclusive: false,
      rules: ['@rules', ...sorted.map((line) => line.join(' ')), ''].join('\n'),
    };
  });
  const ruleIdList = Array.from({ length: count }, (_, index) => `ipr_2bq0aTOQzWVzjN${index}\n`).join('');
  return [step('IpPolicyRuleSet', 'set', { inputs: [before ?? {}, after ?? {}], outputs: { ruleIdList } })];
};

/** @param {string} cidr */
const orderOf = (cidr) => cidr.split(/[./]/).reduce((order, part) => order * 256 + Number(part), 0);

/** @param {number} count   a tenth of them changed */
const traffic = (count) => {
  const [before, after] = everyNth(10).map((hasMoved) => {
    const inbound = rules(count, hasMoved).map(({ cidr }, index) => ({
      name: `rule ${index}`,
      expressions: [`inCidrRange(conn.client_ip, '${cidr}')`],
      actions: [{ type: 'deny' }],
    }));
    const value = `@policy\n${JSON.stringify({ inbound }, undefined, 2)}\n`;
    return { edgeId: 'edgtcp_1', enabled: true, value };
  });
  return [step('TcpEdgeTrafficPolicyModule', 'tcp', { inputs: [before ?? {}, after ?? {}] })];
};

/**
 * What is measured, and how many times what reading takes it may take: the first review of a process, and one that is
 * compiled. Wanted are 5, 8 and 8: docs/contributing/performance.md says what is reached, and a busy machine needs some room above that.
 * Rules of one set, or of one document, are a single text to whoever reads the preview, and copying a text takes next to
 * nothing: to split both sides of a set into lines and compare these takes 2.3 times as long, to parse both documents 4
 * times (`leastTimes`). A review walks some forty times through the rules of a side, a first one in code that is only just
 * being compiled.
 */
const shapes = [
  { name: 'rules as single resources', make: singles, atMost: { first: 7, compiled: 5 } },
  { name: 'rules as one set', make: oneSet, atMost: { first: 48, compiled: 17 } },
  { name: 'rules of one traffic policy', make: traffic, atMost: { first: 20, compiled: 10 } },
];
const sizes = [20_000, 100_000];

/**
 * Run in a process of its own: prints the milliseconds of reading, of reading and reviewing, and of reading and only
 * comparing the rules of both sides of a set or document as texts, which is the least that any review does. `compiled` is
 * how many times what reading takes the same review takes after so many that V8 has compiled what it will.
 */
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
  const median = (times) => times.sort((left, right) => left - right)[times.length >> 1];
  const timeOf = (times, work) => median(Array.from({ length: times }, () => milliseconds(work)));
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  const reading = timeOf(3, read);
  const context = review.DEFAULT_CONTEXT;
  const guards = { assertions: [], waivers: [], proposed: [], gates: { base: {}, change: {} }, findings: [] };
  const request = () => ({ context, guards, now: '2026-06-15T12:00:00Z', failOn: 'high' });
  const reviewOnce = () => {
    const preview = review.readPreviewDocument(readFileSync(file, 'utf8'));
    review.renderMarkdown(review.reviewPreview(preview, request));
  };
  const reviewing = milliseconds(reviewOnce);
  const textsOf = ({ rules, value }) =>
    rules?.split('\\n') ?? JSON.parse(value.slice(value.indexOf('{'))).inbound.map((rule) => JSON.stringify(rule));
  const comparing = milliseconds(() => {
    const [first, second] = read().steps;
    if (second) return;
    const [before, after] = [first.oldState, first.newState].map(({ inputs }) => new Set(textsOf(inputs)));
    [...before].filter((text) => !after.has(text));
    [...after].filter((text) => !before.has(text));
  });
  for (let round = 0; round < ${WARM_UP}; round += 1) reviewOnce();
  const compiled = timeOf(7, reviewOnce) / timeOf(7, read);
  console.log(JSON.stringify({ reading, reviewing, comparing, compiled }));
`;

/** @param {string} file */
const measureOnce = (file) => {
  const engine = path.join(checkout, 'review', 'dist');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program, engine, file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the review ended with code ${status}:\n${stderr}`);
  const { reading, reviewing, comparing, compiled } = JSON.parse(stdout);
  return { milliseconds: reviewing, times: reviewing / reading, least: comparing / reading, compiled };
};

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Number(value.toFixed(digits));

const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
try {
  for (const { name, make, atMost } of shapes) {
    for (const size of sizes) {
      const file = path.join(folder, 'preview.json');
      writeFileSync(file, JSON.stringify({ steps: make(size) }, undefined, 2));
      const runs = Array.from({ length: REPETITIONS }, () => measureOnce(file));
      const times = median(runs.map((run) => run.times));
      const compiledTimes = median(runs.map((run) => run.compiled));
      const microseconds = (median(runs.map((run) => run.milliseconds)) * 1000) / size;
      const figure = {
        name: `review of ${size} ${name}, times reading and JSON.parse`,
        value: rounded(times, 1),
        atMost: atMost.first,
        compiled: rounded(compiledTimes, 1),
        compiledAtMost: atMost.compiled,
        isReached: times <= atMost.first && compiledTimes <= atMost.compiled,
        microsecondsPerRule: rounded(microseconds, 1),
        ...(make !== singles && { leastTimes: rounded(median(runs.map((run) => run.least)), 1) }),
      };
      if (!figure.isReached) process.exitCode = 1;
      console.log(JSON.stringify(figure));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
