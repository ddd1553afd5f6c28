import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../support/folder';
import { runLine } from '../support/documentation';
import { policyId } from '../support/ids';
import { cachedPackages, LOWEST_SDK, packed } from '../support/installed-package';
import { literal } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { writeJson } from '../support/stack-files';

const cache = folderOf({}, 'file');
const tarball = packed('provider');

interface Manager {
  /** The npm package that brings it, and its executable there. */
  readonly from: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Files that the project needs beside package.json. */
  readonly files?: Readonly<Record<string, string>>;
}

const npm: Manager = {
  from: '',
  command: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
};

const managers: Readonly<Record<string, Manager>> = {
  'pnpm, in its default layout': { from: 'pnpm@10', command: ['node', 'pnpm/bin/pnpm.cjs', 'install'] },
  'yarn classic': { from: 'yarn@1', command: ['node', 'yarn/bin/yarn.js', 'install', '--no-lockfile'] },
  'yarn berry with node_modules': {
    from: '@yarnpkg/cli-dist@4',
    command: ['node', '@yarnpkg/cli-dist/bin/yarn.js', 'install'],
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n', 'yarn.lock': '' },
  },
  'bun as package manager': { from: 'bun@1', command: ['bun/bin/bun.exe', 'install'] },
};

/** Installs packages into a project with a package manager of its own. */
async function install(
  { from, command: [file, ...args], files = {} }: Manager,
  project: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  const manifest = path.join(project, 'package.json');
  writeJson(manifest, { ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), dependencies });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
  const modules = from === '' ? '' : await cachedPackages(from.replaceAll('/', '-'), [from]);
  const inModules = (word: string): string => (word.includes('/') ? path.join(modules, word) : word);
  // A throw-away home, so that no setting of the person who runs this takes part; packages are downloaded once for all.
  const home = { HOME: path.join(path.dirname(project), 'home'), YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
  const downloads = {
    npm_config_cache: path.join(cache, 'npm'),
    YARN_GLOBAL_FOLDER: path.join(cache, 'yarn'),
  };
  const options = { cwd: project, env: { ...process.env, ...home, ...downloads } };
  await promisify(execFile)(inModules(file), args.map(inModules), options).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`the install failed:\n${stdout}${stderr}`);
  });
}

/** Installs the packed provider and the SDK: newer ones want a newer Node than our oldest, and yarn classic then refuses them. */
const installWith =
  (manager: Manager) =>
  (project: string): Promise<void> =>
    install(manager, project, { 'pulumi-edge-policy': `file:${tarball}`, '@pulumi/pulumi': LOWEST_SDK });

/** Installs from the root of a workspace, where npm then puts the packages, and makes the program an ES module. */
const installInWorkspace = async (project: string): Promise<void> => {
  const root = path.dirname(project);
  writeJson(path.join(root, 'package.json'), { private: true, workspaces: [path.basename(project)] });
  const manifest = path.join(project, 'package.json');
  writeJson(manifest, { ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), type: 'module' });
  await installWith(npm)(project);
  expect(existsSync(path.join(root, 'node_modules', 'pulumi-edge-policy'))).toBe(true);
};

const rule = literal({ cidr: '192.0.2.1', action: 'allow', ipPolicyId: policyId });
const script = {
  js: `const { IpPolicyRule } = require('pulumi-edge-policy'); new IpPolicyRule('rule', ${rule});`,
};
const esModule = {
  js: `import { IpPolicyRule } from 'pulumi-edge-policy'; new IpPolicyRule('rule', ${rule});`,
};

test.each([
  ...Object.entries(managers).map(([name, manager]) => ({
    name,
    install: installWith(manager),
    program: script,
  })),
  {
    name: 'npm in the sub-folder of a workspace, for a program that is an ES module',
    install: installInWorkspace,
    program: esModule,
  },
])(
  'installed by $name: the program finds the class, and the engine the handler',
  async ({ install, program }) => {
    const { stack, emulator } = await stackOnService({ program, install });
    expect((await stack.up()).changes).toEqual({ create: 1 });
    expect(emulator.state().rules).toHaveLength(1);
    await stack.destroy();
    expect(emulator.state().rules).toEqual([]);
  },
);

/** As the action does it: a review needs no SDK. */
const withoutPeers: Manager = { from: '', command: [...npm.command, '--legacy-peer-deps'] };

const commandLine = {
  'pulumi-edge-policy': `file:${tarball}`,
  'pulumi-edge-policy-cli': `file:${packed('cli')}`,
};
/** Every package that a project uses. The registry has none of them, so none may ask it for another. */
const everything = {
  ...commandLine,
  'pulumi-edge-policy-review': `file:${packed('review')}`,
  'pulumi-edge-policy-pack': `file:${packed('policy-pack')}`,
  ...{ '@pulumi/pulumi': LOWEST_SDK, '@pulumi/policy': '^1.21.0' },
};

test.each([
  // Yarn classic refuses the newest SDK on our oldest Node.js, and @pulumi/policy brings the newest.
  ...Object.entries({ npm, ...managers }).map(([name, manager]) => ({
    ...{ name, manager, dependencies: name === 'yarn classic' ? commandLine : everything },
  })),
  { name: 'npm without peers', manager: withoutPeers, dependencies: commandLine },
])('the command line, installed by $name, reviews', async ({ manager, dependencies }) => {
  const project = path.join(folderOf(), 'infra');
  mkdirSync(project);
  writeJson(path.join(project, 'package.json'), { private: true });
  await install(manager, project, dependencies);
  const run = (file: string, ...args: string[]) => promisify(execFile)(file, args, { cwd: project });
  const preview = path.join(__dirname, '../unit/review/fixtures/deletions.json');
  const review = ['review', preview, '--fail-on', 'never', '--format', 'text'];
  const { stdout } = await run(path.join(project, 'node_modules/.bin/pulumi-edge-policy-cli'), ...review);
  expect(stdout).toMatch(/^Access review/);
  if (dependencies === everything) {
    const policies = "console.log(require('pulumi-edge-policy-pack').edgePolicies({}).length > 10)";
    expect((await run(process.execPath, '-e', policies)).stdout).toBe('true\n');
  }
});

/** Drives a stack of its own with a program that is a function of it; prints what each step did. */
const inlineProgram = `
import { LocalWorkspace } from '@pulumi/pulumi/automation/index.js';
import { IpPolicyRule } from 'pulumi-edge-policy';

let description = 'one';
const program = async () => {
  new IpPolicyRule('rule', { ...${rule}, description });
};
const options = { workDir: import.meta.dirname };
const stack = await LocalWorkspace.createOrSelectStack({ stackName: 'inline', projectName: 'edge-policy-test', program }, options);
const told = [(await stack.up()).summary.resourceChanges];
told.push((await stack.preview()).changeSummary);
description = 'two';
told.push((await stack.up()).summary.resourceChanges);
told.push((await stack.refresh({ runProgram: false })).summary.resourceChanges);
told.push((await stack.destroy()).summary.resourceChanges);
console.log(JSON.stringify(told));
`;

test('driven by the Automation API with an inline program: up, nothing left to do, update, refresh, destroy', async () => {
  const { stack, emulator } = await stackOnService({ program: script, install: installWith(npm) });
  writeFileSync(path.join(stack.folder.project, 'automation.mjs'), inlineProgram);
  const { stdout } = await runLine(stack, 'node automation.mjs');
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([
    { create: 2 },
    { same: 2 },
    { same: 1, update: 1 },
    { same: 2 },
    { delete: 2 },
  ]);
  expect(emulator.state().rules).toEqual([]);
});
