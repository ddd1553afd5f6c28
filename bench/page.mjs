// `node bench/page.mjs`: the access page for 100, 2,000 and 20,000 rules, in Chromium: its size, how long the command takes, how
// long until the first view is there, and how long an answer of the search takes. One line of JSON per figure, and a non-zero exit
// if one is beyond its bound. Times are by the wall clock: run it on a quiet machine.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBrowser } from '../tools/browser.cjs';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost, plain } from './figure.mjs';
import { median } from './median.mjs';
import { scatteredNetwork } from './rules.mjs';

const require = createRequire(import.meta.url);
const { readDeclaration } = require('../provider/dist/rule-set/declared-rules');
const { chromium } = require('playwright-core');

const SIZES = [100, 2_000, 20_000];
const LARGEST_BYTES = 2_000_000;
const FIRST_VIEW_MS = 1_000;
const ANSWER_MS = 50;
const ROUNDS = 5;
const SEARCHES = 40;

/** A rule with a reason as teams write it. @param {number} index */
const rule = (index) => ({
  cidr: scatteredNetwork(index, index + 1),
  action: index % 10 === 0 ? 'deny' : 'allow',
  description: `Partner ${index}, ${['payments', 'support', 'batch import'][index % 3]}`,
  metadata: JSON.stringify({ owner: `team-${index % 17}`, ticket: `ACC-${1000 + index}` }),
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
const state = path.join(folder, 'state.json');

/** A project whose Pulumi CLI only exports this state. */
function makeProject() {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(folder, 'Pulumi.yaml'), 'name: bench\nruntime: nodejs\n');
  writeFileSync(
    path.join(bin, 'pulumi'),
    `#!/bin/sh\ncase "$*" in *export*) cat '${state}';; *show-name*) echo prod;; *) echo v3.270.0;; esac\n`,
  );
  chmodSync(path.join(bin, 'pulumi'), 0o755);
  return { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
}

/** @param {number} size @param {NodeJS.ProcessEnv} env */
function writePage(size, env) {
  const rules = new Map(
    Array.from({ length: size }, (_, index) => rule(index)).map((each) => [each.cidr, each]),
  );
  const inputs = { ipPolicyId: 'ipp_1', rules: readDeclaration([...rules.values()]).value };
  const type = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRuleSet';
  const set = { urn: `urn:pulumi:prod::bench::${type}::partners`, type, id: 'set', custom: true, inputs };
  writeFileSync(state, JSON.stringify({ deployment: { manifest: {}, resources: [set] } }));
  const file = path.join(folder, `${size}.html`);
  const startedAt = performance.now();
  const command = path.join(checkout, 'cli', 'bin', 'pulumi-edge-policy-cli.js');
  const { status, stderr } = spawnSync(process.execPath, [command, 'page', '--out', file], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { file, ms: performance.now() - startedAt };
}

/** Types addresses, one after the other: how long each answer takes, in the page. */
const searching = `Array.from({ length: ${SEARCHES} }, (_, index) => {
  const input = document.querySelector('.search input');
  input.value = [index * 5 % 256, index * 11 % 256, index, 7].join('.');
  const startedAt = performance.now();
  input.dispatchEvent(new Event('input'));
  return performance.now() - startedAt;
})`;

/** @param {import('playwright-core').Browser} browser @param {string} file */
async function viewOnce(browser, file) {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.locator('html[data-ready]').waitFor();
  const firstView = await page.evaluate(`performance.getEntriesByName('shown')[0].startTime`);
  const answers = await page.evaluate(searching);
  await page.close();
  return { firstView: Number(firstView), answer: Math.max(.../** @type {number[]} */ (answers)) };
}

/** @param {import('./figure.mjs').Figure} figure */
function report(figure) {
  if (figure.isReached === false) process.exitCode = 1;
  console.log(JSON.stringify(figure));
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const env = makeProject();
  for (const size of SIZES) {
    const { file, ms } = writePage(size, env);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await viewOnce(browser, file));
    const name = `page of ${size} rules`;
    report(atMost(`${name}: bytes`, statSync(file).size, LARGEST_BYTES));
    report(plain(`${name}: ms of the command`, ms));
    report(
      atMost(
        `${name}: ms until the first view`,
        median(rounds.map(({ firstView }) => firstView)),
        FIRST_VIEW_MS,
      ),
    );
    report(
      atMost(`${name}: ms of the slowest answer`, median(rounds.map(({ answer }) => answer)), ANSWER_MS),
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
