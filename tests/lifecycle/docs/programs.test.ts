import * as pulumi from '@pulumi/pulumi';
import path from 'node:path';
import { deferCleanup } from '../../support/cleanup';
import { compilerComplaints } from '../../support/compiler-complaints';
import { writeFeedFiles } from '../../support/feeds/feed-files';
import { folderOf } from '../../support/folder';
import { type Scene, startScene } from '../../support/host';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { type CodeBlock, codeBlocks, pages } from '../../support/pages';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { functions } from '../../../provider/src/hosts/native/invoke';
import * as packageExports from '../../../provider/src/index';
import { type ResourceType, typeOfToken } from '../../../provider/src/resources/provider-reference';
import type { Bag, HostProcess } from '../../support/host-process';

/** A program of a page in a form that can run: with ids for the placeholders, and with the imports that only a first block shows. */
const wholeProgram = ({ text }: CodeBlock, ruleId = 'ipr_1'): string => {
  const ids = { ipp: policyId, ipr: ruleId, edgtcp: tcpEdgeId, edghts: httpsEdgeId, edghtsrt: routeId };
  const known = text.replace(
    /\b(ipp|ipr|edgtcp|edghts|edghtsrt)_…/g,
    (_, kind) => ids[kind as keyof typeof ids],
  );
  if (known.replace(/^import type .*$/gm, '').includes("from 'pulumi-edge-policy'")) return known;
  const classes = Object.keys(packageExports).join(', ');
  return `import { ${classes} } from 'pulumi-edge-policy'; ${known}`;
};

/** The resources and exports of a program. */
interface Ran {
  /** Types and names, in the order of registration. */
  readonly resources: readonly string[];
  readonly exported: Readonly<Record<string, unknown>>;
}

/**
 * Runs a program with the SDK's mocks as its engine: the provider itself checks and creates each resource, or reads it, and
 * answers functions.
 *
 * @throws Error with everything that the provider refuses.
 */
const runProgram = async (text: string, host: HostProcess): Promise<Ran> => {
  const resources: string[] = [];
  const refused: string[] = [];
  await pulumi.runtime.setMocks({
    newResource: async ({ type, name, inputs, id }) => {
      const own = typeOfToken(type);
      resources.push(`${own ?? type} ${name}`);
      if (own === undefined) return { id: `${name}-id`, state: inputs as object };
      try {
        return await live(host, { type: own, inputs: inputs as Bag, id });
      } catch (error) {
        refused.push((error as Error).message);
        return { id: '', state: {} };
      }
    },
    call: ({ token, inputs }) => {
      const [, , name = ''] = token.split(':');
      return functions[name as keyof typeof functions].look(
        () => host.client,
        inputs as Record<string, string>,
        (line) => refused.push(line),
      );
    },
  });
  const exports = evaluate(text);
  await pulumi.runtime.disconnect();
  if (refused.length > 0) throw new Error(refused.join('\n'));
  const values = Object.entries(exports).map(async ([name, value]) => [name, await valueOf(value)] as const);
  return { resources, exported: Object.fromEntries(await Promise.all(values)) };
};

async function live(
  host: HostProcess,
  { type, inputs, id = '' }: { type: ResourceType; inputs: Bag; id: string | undefined },
): Promise<{ id: string; state: Bag }> {
  if (id === '') {
    const created = await host.create(type, inputs);
    return { id: created.id, state: created.outs };
  }
  const found = await host.provider(type).read(id, {});
  if (found.id === '') throw new Error(`there is no ${id}`);
  return { id: found.id, state: found.props };
}

function evaluate(text: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const module = { exports: {} };
  const load: (name: string) => unknown = createRequire(__filename);
  const found: Record<string, unknown> = { 'pulumi-edge-policy': packageExports, '@pulumi/pulumi': pulumi };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a program of a page, with arrays of this very realm
  const run = new Function('require', 'exports', outputText) as (...scope: unknown[]) => void;
  run((name: string): unknown => found[name] ?? load(name), module.exports);
  return module.exports;
}

const valueOf = (value: unknown): Promise<unknown> => {
  const output: pulumi.Output<unknown> = pulumi.output(value);
  return new Promise((resolve) => {
    output.apply(resolve);
  });
};

const programs = pages()
  .filter((page) => page === 'README.md' || /^docs.(?!contributing)/.test(page))
  .flatMap(codeBlocks)
  .filter(({ language }) => language === 'ts');

const nameOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

/** What users of the emulator write: the blocks of its page are parts of one program. */
const emulatorProgram = codeBlocks(path.join('emulator', 'README.md'))
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => text)
  .join('');

test('every program in the docs compiles', () => {
  const texts = programs.map((block): [string, string] => [
    `${nameOf(block).replaceAll(/[/:]/g, '-')}.ts`,
    wholeProgram(block),
  ]);
  expect(texts.length).toBeGreaterThan(25);
  expect(compilerComplaints(new Map([...texts, ['emulator.mts', emulatorProgram]]))).toEqual({});
});

/** What the programs find: their account's settings, and the files that they read. */
const surroundings = ({ emulator, apiKey }: Scene): void => {
  const folder = folderOf({ 'traffic-policy.json': '{"inbound":[]}' });
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

// Recipes and lists need data files and several runs, which tests/journeys/recipes.test.ts and lists.test.ts give them. A policy pack is no program of a
// stack: tests/engine/policy-pack.test.ts runs one.
const RUN_ELSEWHERE = ['recipes.md', 'policy-pack.md', 'lists.md'].map((name) => path.join('docs', name));
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
