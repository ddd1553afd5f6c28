// `node bench/feeds.mjs`: what a set of 20,000 networks from a lock costs a preview, relative to the same set from a literal
// array in the same process, and what an update spends on a document of 5 MB. One line of JSON per figure, and a non-zero exit if
// one is beyond its bound. Processor time is measured, of the first set in each process, as in a preview.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost, plain } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { median } from './median.mjs';

const NETWORKS = 20_000;
const ROUNDS = 9;
/** The most that a lock may add to the time of a set. */
const SET_BOUND = 1.3;
/** Seconds for a document of 5 MB. */
const UPDATE_BOUND = 1;

const require = createRequire(import.meta.url);
const { digestOf, lockText } = require('../provider/dist/feeds/lock');

const networks = Array.from(
  { length: NETWORKS },
  (_, index) => `20.${(index >> 13) & 255}.${(index >> 5) & 255}.${(index & 31) * 8}/32`,
);
const source = { publisher: /** @type {const} */ ('cloudflare') };
const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
writeFileSync(path.join(folder, 'edge-policy.feeds.json'), JSON.stringify({ feeds: { cdn: source } }));
const locked = { source, checked: '2026-01-31', digest: digestOf(networks), networks };
writeFileSync(path.join(folder, 'edge-policy.feeds.lock.json'), lockText(new Map([['cdn', locked]])));
const rules = networks.map((cidr) => ({ cidr, action: 'allow', description: 'feed cdn' }));
writeFileSync(path.join(folder, 'literal.js'), `module.exports = () => (${JSON.stringify(rules)});`);

/** A fresh process that makes rules, lets the program write them, and lets the provider check them. */
const costOf = async (/** @type {string} */ makeRules) => {
  const script = `
    const { feedRules } = require('pulumi-edge-policy');
    const { rulesText } = require('../provider/dist/program/rule-set-args');
    const { handler } = require('pulumi-edge-policy/handler');
    const set = handler('IpPolicyRuleSet');
    const before = process.cpuUsage();
    const rules = ${makeRules};
    rulesText(rules);
    set.check({}, { ipPolicyId: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa', rules: JSON.stringify(rules) }).then((answer) => {
      const { user, system } = process.cpuUsage(before);
      if (answer.failures?.length > 0 || answer.inputs.rules.split('\\n').length < ${NETWORKS}) throw new Error('no set');
      console.log((user + system) / 1000);
    });`;
  const printed = execFileSync(process.execPath, ['-e', script], {
    cwd: path.join(checkout, 'bench'),
    encoding: 'utf8',
  });
  return { wallMs: 0, cpuMs: Number(printed) };
};

const measureSet = async () => {
  const rounds = await inTurns(
    {
      literal: () => costOf(`require(${JSON.stringify(path.join(folder, 'literal.js'))})()`),
      lock: () => costOf(`feedRules('cdn', { action: 'allow', path: ${JSON.stringify(folder)} })`),
    },
    ROUNDS,
  );
  return [
    plain(
      'set of 20,000 from a literal array, ms on the processor',
      median(rounds.map(({ literal }) => literal.cpuMs ?? NaN)),
    ),
    plain(
      'set of 20,000 from a lock, ms on the processor',
      median(rounds.map(({ lock }) => lock.cpuMs ?? NaN)),
    ),
    atMost(
      'set of 20,000 from a lock, times one from a literal array',
      medianRatio(rounds, ({ literal, lock }) => (lock.cpuMs ?? NaN) / (literal.cpuMs ?? NaN)),
      SET_BOUND,
    ),
  ];
};

/** A document of the shape of AWS, and the work of an update on it once it is fetched. */
const measureUpdate = () => {
  const prefixes = Array.from({ length: 50_000 }, (_, index) => ({
    ip_prefix: `20.${(index >> 14) & 255}.${(index >> 6) & 255}.${(index & 63) * 4}/30`,
    region: 'eu-west-1',
    service: index % 2 === 0 ? 'AMAZON' : 'EC2',
    network_border_group: 'eu-west-1',
  }));
  const document = JSON.stringify({ syncToken: '1', prefixes, ipv6_prefixes: [] });
  if (document.length < 5_000_000) throw new Error(`only ${document.length} bytes`);
  const script = `
    const { collect } = require('../cli/dist/feeds/collect-networks');
    const { readDeclaration } = require('../provider/dist/feeds/feed-declaration');
    const { stepOf } = require('../cli/dist/feeds/step');
    const { lockText } = require('../provider/dist/feeds/lock');
    const document = require('node:fs').readFileSync(0, 'utf8');
    const declaration = readDeclaration('aws', { publisher: 'aws', select: { services: 'AMAZON' }, aggregate: true }, []);
    const before = process.cpuUsage();
    const { locked } = stepOf(declaration, [], { ...collect(declaration, [document]), now: 0 });
    lockText(new Map([['aws', locked]]));
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1e6);`;
  const run = () =>
    Number(
      execFileSync(process.execPath, ['-e', script], {
        cwd: path.join(checkout, 'bench'),
        encoding: 'utf8',
        input: document,
      }),
    );
  const seconds = median(Array.from({ length: 3 }, run));
  return atMost('an update that parses 5 MB, seconds on the processor', seconds, UPDATE_BOUND);
};

try {
  const figures = [...(await measureSet()), measureUpdate()];
  for (const figure of figures) console.log(JSON.stringify(figure));
  if (figures.some((figure) => 'isReached' in figure && !figure.isReached)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
