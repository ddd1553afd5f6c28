import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';
import { commitAllIn, gitIn, runStep } from '../unit/action/action-folder';
import { StandInGitHub, zipOf } from '../unit/action/stand-in-github';

/** A fork with the branch that carries the review, checked out as a runner does it by the line that the command printed. */
function actionOfFork(): string {
  const folder = folderOf();
  const [clone, fork] = [path.join(folder, 'clone'), path.join(folder, 'acme/edge.git')];
  gitIn(folder, 'init', '--quiet', '--bare', fork);
  gitIn(checkout, 'checkout-index', '--all', `--prefix=${clone}/`);
  for (const name of ['action', 'tools'])
    cpSync(path.join(checkout, name), path.join(clone, name), { recursive: true });
  gitIn(clone, 'init', '--quiet');
  commitAllIn(clone);
  const node = (cwd: string, ...args: string[]) => execFileSync('node', args, { cwd, encoding: 'utf8' });
  node(checkout, 'tools/bundle-review.mjs', path.join(clone, 'action/dist'));
  const push = () => node(clone, 'tools/action-branch.mjs', fork);
  const printed = push();
  expect([push(), gitIn(clone, 'status', '--porcelain')]).toEqual([printed, '']);
  const [, commit = ''] = /^ {2}uses: acme\/edge\/action\/judge@([0-9a-f]{40})$/m.exec(printed) ?? [];
  const action = path.join(folder, 'action');
  gitIn(folder, 'clone', '--quiet', fork, action);
  gitIn(action, 'checkout', '--quiet', commit);
  return action;
}

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const yamlOf = (file: string): unknown => parse(readFileSync(file, 'utf8'));
const SHELL = ['bash', '-eo', 'pipefail', '-c'] as const;

/** The script of a workflow that begins so. */
function scriptOf(workflow: string, beginning: string): string {
  const { jobs } = yamlOf(path.join(checkout, 'cli/templates', workflow)) as {
    jobs: Record<string, { steps: Step[] }>;
  };
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
  return scripts.find((script) => script.startsWith(beginning)) ?? '';
}

/** Runs the script of the action that judges as a runner does, with these inputs. */
async function judge(action: string, env: NodeJS.ProcessEnv, inputs: Record<string, string>) {
  const { runs } = yamlOf(path.join(action, 'action/judge/action.yml')) as { runs: { steps: Step[] } };
  const [{ run = '', env: own = {} } = {}] = runs.steps;
  const context: Record<string, string> = {
    ...inputs,
    'github.action_path': path.join(action, 'action/judge'),
  };
  const valueOf = (text: string) =>
    text.replace(/\$\{\{ (?:inputs\.)?(\S+) \}\}/g, (_, name: string) => context[name] ?? '');
  const given = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, valueOf(text)]));
  return runStep(run, { ...env, ...given }, folderOf(), SHELL);
}

const program = (cidr: string) => ({
  js: `const { IpPolicyRule } = require('pulumi-edge-policy');\n\nnew IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '${cidr}' });\n`,
});

test('from a clone to a commented pull request, without a release: the branch of the action, its steps, the real CLI', async () => {
  const action = actionOfFork();
  const { stack } = await stackOnService({ program: program('203.0.113.0/24') });
  const { project } = stack.folder;
  await stack.up();
  stack.writeProgram(program('0.0.0.0/0'));

  const folder = folderOf();
  const shared = { ...stack.environment(), STACK: 'organization/harness/dev' };
  const steps = [
    ['access-preview.yml', 'pulumi preview', project],
    ['access-review.yml', 'pulumi stack export', project],
  ] as const;
  for (const [workflow, beginning, cwd] of steps)
    expect((await runStep(scriptOf(workflow, beginning), shared, cwd, SHELL)).exitCode).toBe(0);

  const api = await StandInGitHub.start();
  const [head, tip] = ['a'.repeat(40), 'b'.repeat(40)];
  [head, tip].forEach((commit) => api.commits.add(commit));
  api.tips.set('main', tip);
  api.files.set(`${tip}:Pulumi.yaml`, readFileSync(path.join(project, 'Pulumi.yaml'), 'utf8'));
  api.pulls.push({ number: 7, branch: 'open', head, into: 'main', base: tip });
  const preview = readFileSync(path.join(project, 'preview.json'), 'utf8');
  api.artifacts.set('55/edge-policy-preview', zipOf({ 'preview.json': preview }));
  const run = {
    ...{ id: 55, event: 'pull_request', head_sha: head, head_branch: 'open' },
    head_repository: { full_name: 'acme/edge', owner: { login: 'acme' } },
  };
  writeFileSync(path.join(folder, 'event'), JSON.stringify({ workflow_run: run }));
  const env = {
    ...stack.environment(),
    ...{ RUNNER_TEMP: folder, GITHUB_RUN_ID: '77', GITHUB_EVENT_PATH: path.join(folder, 'event') },
    ...{ GITHUB_API_URL: api.url, GITHUB_GRAPHQL_URL: `${api.url}/graphql`, GITHUB_REPOSITORY: 'acme/edge' },
  };
  const { outputs } = await judge(action, env, {
    ...{
      stack: 'organization/harness/dev',
      branches: 'main',
      approvals: 'approvals',
      'github-token': 'token',
    },
    state: path.join(project, 'state.json'),
  });
  expect(outputs['outcome']).toBe('findings');
  expect(api.checks).toMatchObject([{ head_sha: head, conclusion: 'failure' }]);
  expect(api.checks[0]?.output.annotations[0]).toMatchObject({
    ...{ path: 'index.js', start_line: 3 },
    message: expect.stringContaining('0.0.0.0/0') as string,
  });
  expect(api.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(new RegExp(`open-to-all[^]*\nReviewed commit: ${head}, against main at`)),
  ]);
});
