import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { packed } from '../support/installed-package';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { checkout, textOf } from '../support/workspace';
import { outputsIn, runScript, type ScriptRun } from '../unit/action/action-folder';
import { StandInGitHub } from '../unit/action/stand-in-github';

jest.setTimeout(600_000);

const run = (cwd: string, file: string, ...args: string[]): string =>
  execFileSync(file, args, { cwd, encoding: 'utf8' }).trim();
const git = (cwd: string, ...args: string[]): string =>
  run(cwd, 'git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args);
const commitAll = (cwd: string): string => {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', 'a commit');
  return git(cwd, 'rev-parse', 'HEAD');
};

/** A fork with the branch that carries the review, checked out as a runner does it by the line that the command printed. */
function actionOfFork(): string {
  const folder = folderOf();
  const [clone, fork] = [path.join(folder, 'clone'), path.join(folder, 'acme/edge.git')];
  git(folder, 'init', '--quiet', '--bare', fork);
  git(folder, 'clone', '--quiet', '--no-hardlinks', checkout, clone);
  for (const name of ['action', 'action.yml', 'tools'])
    cpSync(path.join(checkout, name), path.join(clone, name), { recursive: true });
  commitAll(clone);
  run(checkout, 'node', 'tools/bundle-review.mjs', path.join(clone, 'action/dist'));
  const push = () => run(clone, 'node', 'tools/action-branch.mjs', fork);
  const printed = push();
  expect([push(), git(clone, 'status', '--porcelain')]).toEqual([printed, '']);
  const [, commit = ''] = /^ {2}uses: acme\/edge@([0-9a-f]{40})$/m.exec(printed) ?? [];
  const action = path.join(folder, 'action');
  git(folder, 'clone', '--quiet', fork, action);
  git(action, 'checkout', '--quiet', commit);
  return action;
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the scripts of a composite action as a runner does; answers how each ended, and what it wrote to the log. */
async function runSteps(action: string, env: NodeJS.ProcessEnv, context: Record<string, string>) {
  const { runs } = parse(readFileSync(path.join(action, 'action.yml'), 'utf8')) as {
    runs: { steps: Step[] };
  };
  const ended: ScriptRun[] = [];
  for (const { id, run: script, env: own = {} } of runs.steps) {
    if (script === undefined) continue;
    const folder = folderOf({ output: '', summary: '', 'step.sh': script });
    const file = (name: string): string => path.join(folder, name);
    const valueOf = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => context[name] ?? '');
    const given = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, valueOf(text)]));
    const files = { GITHUB_OUTPUT: file('output'), GITHUB_STEP_SUMMARY: file('summary') };
    const all = { ...env, ...files, ...given };
    ended.push(
      await runScript(file('step.sh'), all, env['GITHUB_WORKSPACE'] ?? '', ['bash', '-eo', 'pipefail']),
    );
    for (const [name, value] of Object.entries(outputsIn(files.GITHUB_OUTPUT)))
      context[`steps.${id ?? ''}.outputs.${name}`] = value;
  }
  return ended;
}

const program = (cidr: string) => ({
  js: `const { IpPolicyRule } = require('pulumi-edge-policy');\n\nnew IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '${cidr}' });\n`,
});

/** Installs in a project what the README says, and once more by its lock file, as a pipeline does. */
function installVendored(project: string): void {
  mkdirSync(path.join(project, 'vendor'));
  for (const name of ['provider', 'review', 'cli', 'policy-pack', 'emulator'] as const)
    cpSync(packed(name), path.join(project, 'vendor', path.basename(packed(name))));
  const [, line = ''] = /^(npm install \.\/vendor.*)$/m.exec(textOf('README.md')) ?? [];
  run(project, 'sh', '-c', `${line} --no-audit --no-fund --prefer-offline`);
  const { packages } = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>;
  };
  const ours = Object.entries(packages).filter(([name]) =>
    /^node_modules\/(?:pulumi-)?edge-policy/.test(name),
  );
  expect(ours.map(([, { resolved }]) => resolved?.replace(/[^/]*$/, ''))).toEqual(
    Array(5).fill('file:vendor/'),
  );
  run(project, 'npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline');
}

test('from a clone to a commented pull request, without a release: the branch of the action, vendored packages, the real CLI', async () => {
  const action = actionOfFork();
  // eslint-disable-next-line @typescript-eslint/require-await -- npm runs to its end before the stack is used
  const install = async (project: string) => {
    installVendored(project);
  };
  const { stack }: { stack: PulumiStack } = await stackOnService({
    program: program('203.0.113.0/24'),
    install,
  });
  const { project } = stack.folder;
  await stack.up();
  writeFileSync(path.join(project, '.gitignore'), 'node_modules\n');
  git(project, 'init', '--quiet');
  git(project, 'update-ref', 'refs/remotes/origin/main', commitAll(project));
  stack.writeProgram(program('0.0.0.0/0'));
  const head = commitAll(project);

  const api = await new StandInGitHub().start();
  const env = {
    ...stack.environment(),
    ...{ RUNNER_TEMP: folderOf(), GITHUB_WORKSPACE: project },
    ...{ GITHUB_API_URL: api.url, GITHUB_GRAPHQL_URL: `${api.url}/graphql`, GITHUB_REPOSITORY: 'acme/edge' },
  };
  const [review, comment, gate] = await runSteps(action, env, {
    ...{
      'inputs.stack': 'organization/harness/dev',
      'inputs.working-directory': '.',
      'inputs.github-token': 'token',
    },
    ...{ 'github.base_ref': 'main', 'github.action_path': action },
    ...{ 'github.event.pull_request.number': '7', 'github.event.pull_request.head.sha': head },
  });
  expect([review?.exitCode, comment?.exitCode, gate?.exitCode]).toEqual([0, 0, 1]);
  expect(review?.log).toMatch(/^::warning file=index\.js,line=3,title=critical%3A .*0\.0\.0\.0\/0/m);
  expect(api.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/open-to-all[^]*\nReviewed commit: /),
  ]);
  expect(api.comments[0]?.body).toContain(head);
});
