// `node bench/review.mjs`: how long `review` takes, in multiples of what `node -e ''` takes: the whole command, in a
// separate process, compared with one that only starts. One line of JSON per figure, and a non-zero exit if one is beyond its
// bound. Processor time is measured, in turns, as a busy machine hardly affects it. `node bench/review.mjs set` measures sets
// only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { median } from './median.mjs';
import { scatteredNetwork } from './rules.mjs';
import { shellCost } from './shell-cost.mjs';

const require = createRequire(import.meta.url);
const { providerReference } = require('../provider/dist/resources/provider-reference');

const ROUNDS = 5;

/**
 * Rules as real lists have them, every tenth a deny.
 *
 * @param {number} count
 * @param {(index: number) => boolean} hasMoved   which of them have another network
 */
const rules = (count, hasMoved) =>
  Array.from({ length: count }, (_, index) => ({
    cidr: scatteredNetwork(index, hasMoved(index) ? index + count : index + 1),
    action: index % 10 === 0 ? 'deny' : 'allow',
  }));

/** @param {number} every */
const everyNth = (every) => [() => false, (/** @type {number} */ index) => index % every === every - 1];

const stack = 'urn:pulumi:dev::bench::pulumi:pulumi:Stack::bench-dev';
const provider = 'urn:pulumi:dev::bench::pulumi:providers:pulumi-nodejs::default::735df3be-e9fc-4c3b-ad4e';

/**
 * A step as the CLI prints it: both sides with all that the state has, outputs among it, indented.
 *
 * @param {Parameters<typeof providerReference>[0]} type
 * @param {string} name
 * @param {{ inputs: [old: object, new: object], outputs?: object }} properties
 */
const step = (type, name, { inputs, outputs }) => {
  const token = `pulumi-nodejs:dynamic/edge-policy:${type}`;
  const urn = `urn:pulumi:dev::bench::${token}::${name}`;
  const [old, wanted] = inputs.map((side) => ({ __provider: providerReference(type), ...side }));
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
      rules(count, hasMoved).map(({ cidr, action }, index) => [cidr, `${action} 'office ${index % 99}'`]),
    );
    const sorted = [...lines].sort(([left], [right]) => orderOf(left) - orderOf(right));
    return {
      ipPolicyId,
      exclusive: false,
      rules: ['@rules', ...sorted.map((line) => line.join(': ')), ''].join('\n'),
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

/** How many times `node -e ''` a review of 20,000 and of 100,000 rules may take: more than a parse, as it compares access at every end of a rule, in a process of its own. */
const shapes = [
  { name: 'one set', make: oneSet, atMost: [20, 45] },
  { name: 'single resources', make: singles, atMost: [50, 200] },
  { name: 'one traffic policy', make: traffic, atMost: [40, 125] },
];
const SIZES = [20_000, 100_000];

const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));

/** @param {string[]} args */
const costOf = async (...args) => shellCost('"$@"', [process.execPath, ...args], folder);

const command = path.join(checkout, 'cli', 'bin', 'pulumi-edge-policy-cli.js');

/** @param {string} file */
const review = async (file) => {
  const { status, stdout, stderr, ...cost } = await costOf(command, 'review', file);
  // A preview that is not decidable is not reviewed, which takes no time.
  if (status !== 0 && status !== 1)
    throw new Error(`the review ended with code ${status}:\n${stdout.slice(0, 2000)}${stderr}`);
  return cost;
};

const parsing = `JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))`;

/** @param {typeof shapes[number]} shape @param {number} index   of the size */
const measure = async ({ name, make, atMost: bounds }, index) => {
  const size = SIZES[index] ?? 0;
  const file = path.join(folder, 'preview.json');
  writeFileSync(file, JSON.stringify({ steps: make(size) }, undefined, 2));
  const rounds = await inTurns(
    { node: () => costOf('-e', ''), parsing: () => costOf('-e', parsing, file), review: () => review(file) },
    ROUNDS,
  );
  const figure = atMost(
    `review of ${size} rules as ${name}, times node -e ''`,
    medianRatio(rounds, ({ node, review }) => review.cpuMs / node.cpuMs),
    bounds[index] ?? 0,
  );
  if (!figure.isReached) process.exitCode = 1;
  const least = medianRatio(rounds, ({ node, parsing }) => parsing.cpuMs / node.cpuMs);
  const milliseconds = Math.round(median(rounds.map(({ review }) => review.cpuMs)));
  console.log(JSON.stringify({ ...figure, timesOfJsonParse: Number(least.toPrecision(3)), milliseconds }));
};

const wanted = process.argv[2] ?? '';
try {
  for (const shape of shapes.filter(({ name }) => name.includes(wanted)))
    for (const index of SIZES.keys()) await measure(shape, index);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
