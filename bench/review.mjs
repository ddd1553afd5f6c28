// How long `review` takes, in multiples of what `node -e ''` takes: the whole command, in a process of its own, compared with one
// that only starts. Processor time is measured, in turns, as a busy machine hardly affects it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost, median } from './figures.mjs';
import { scatteredNetwork } from './rules.mjs';

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
export const step = (type, name, { inputs, outputs }) => {
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

/**
 * Runs a process of Node.js, and counts what it and those that it starts take of the processors.
 *
 * @param {string} cwd @param {readonly string[]} args
 */
export const costOf = (cwd, ...args) => {
  const script = 'TIMEFORMAT="%U %S"; time "$@"';
  const env = { ...process.env, LC_ALL: 'C' };
  const done = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // A preview that is not decidable is not reviewed, which takes no time.
  if (done.status !== 0 && done.status !== 1) throw new Error(`code ${done.status}:\n${done.stderr}`);
  const [line = ''] = done.stderr.trim().split('\n').slice(-1);
  return 1000 * line.split(' ').reduce((sum, seconds) => sum + Number(seconds), 0);
};

export const command = path.join(checkout, 'cli', 'dist', 'main.js');

/** Both in each round, so that other load of the machine affects them alike. A round before the first warms up. */
const measure = ({ make, size, folder }) => {
  writeFileSync(path.join(folder, 'preview.json'), JSON.stringify({ steps: make(size) }, undefined, 2));
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const node = costOf(folder, '-e', '');
    const reviewMs = costOf(folder, command, 'review', 'preview.json');
    return { ratio: reviewMs / node, reviewMs };
  }).slice(1);
  return {
    ratio: median(rounds.map(({ ratio }) => ratio)),
    milliseconds: Math.round(median(rounds.map(({ reviewMs }) => reviewMs))),
  };
};

/** @returns {Generator<import('./figures.mjs').Figure & { milliseconds: number }>} */
export function* reviewFigures() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
  try {
    for (const { name, make, atMost: bounds } of shapes)
      for (const [index, size] of SIZES.entries()) {
        const { ratio, milliseconds } = measure({ make, size, folder });
        const figure = atMost(
          `review of ${size} rules as ${name}, times node -e ''`,
          ratio,
          bounds[index] ?? 0,
        );
        yield { ...figure, milliseconds };
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
