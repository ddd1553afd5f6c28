import * as pulumi from '@pulumi/pulumi';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deferCleanup } from '../../support/cleanup';
import { compilerComplaints } from '../../support/compiler-complaints';
import { runProgram, wholeProgram } from '../../support/documented-program';
import { writeFeedFiles } from '../../support/feeds/feed-files';
import { type Scene, startScene } from '../../support/host';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { type CodeBlock, codeBlocks, pages } from '../../support/pages';

const programs = pages()
  .filter((page) => page === 'README.md' || /^docs.(?!contributing)/.test(page))
  .flatMap(codeBlocks)
  .filter(({ language }) => language === 'ts');

const nameOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

/** The blocks of a page that are parts of one program. */
const together = (page: string): string =>
  codeBlocks(page)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('');

/** What contributors and users of the emulator write; such a file lies three folders below the checkout. */
const guides: readonly [string, string][] = [
  ['emulator.mts', together(path.join('emulator', 'README.md'))],
  [
    'contributing.ts',
    `/// <reference types="jest" />
     import { startScene } from '../../../tests/support/host';
     import { stackOnService } from '../../../tests/support/service-stack';
     declare const oneRule: string, ruleId: string, inputs: Record<string, unknown>;
     ${together(path.join('docs', 'contributing', 'testing.md'))}`,
  ],
];

test('every program in the docs compiles', () => {
  const texts = programs.map((block): [string, string] => [
    `${nameOf(block).replaceAll(/[/:]/g, '-')}.ts`,
    wholeProgram(block),
  ]);
  expect(texts.length).toBeGreaterThan(25);
  expect(compilerComplaints(new Map([...texts, ...guides]))).toEqual({});
});

/** What the programs find: their account's settings, and the files that they read. */
const surroundings = ({ emulator, apiKey }: Scene): void => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'documented-'));
  writeFileSync(path.join(folder, 'traffic-policy.json'), '{"inbound":[]}');
  writeFeedFiles(folder, { cloudflare: { source: { publisher: 'cloudflare' }, networks: ['20.0.0.0/24'] } });
  const before = process.cwd();
  process.chdir(folder);
  deferCleanup(() => {
    process.chdir(before);
  });
  pulumi.runtime.setAllConfig({
    'edge-policy:apiKey': apiKey,
    'edge-policy:baseUrl': emulator.url,
    'project:stagingKey': apiKey,
    'project:stagingUrl': emulator.url,
  });
};

/** What is there for a program that reads. */
const seed = ({ emulator }: Scene): string => {
  const [rule] = emulator.seed({
    rules: [{ cidr: '198.51.100.0/24', action: 'deny', ip_policy_id: policyId }],
    tcpModules: { [tcpEdgeId]: { enabled: true, value: '{"inbound":[]}' } },
    httpsModules: { [`${httpsEdgeId}/${routeId}`]: { enabled: true, allow: [], deny: ['(?i)curl'] } },
  });
  return rule?.id ?? '';
};

const reads = /\.get\(|\b(get|list)(Ip|Tcp|Https)/;

// Recipes and lists need data files and several runs, which tests/journeys/recipes.test.ts and grants.test.ts give them. A policy pack is no program of a
// stack: tests/engine/policy-pack.test.ts runs one.
const RUN_ELSEWHERE = ['recipes.md', 'policy-pack.md', 'grants.md'].map((name) => path.join('docs', name));
test.each(
  programs.filter(({ page }) => !RUN_ELSEWHERE.includes(page)).map((block) => [nameOf(block), block]),
)(
  '%s runs as it is written: the provider takes what it declares, and what it exports has a value',
  async (_name, block) => {
    const scene = await startScene();
    surroundings(scene);
    const ruleId = reads.test(block.text) ? seed(scene) : '';
    const { resources, exported } = await runProgram(wholeProgram(block, ruleId), scene.newProcess());
    expect(resources.length + Object.keys(exported).length).toBeGreaterThan(0);
    expect(Object.values(exported)).not.toContain(undefined);
  },
);
