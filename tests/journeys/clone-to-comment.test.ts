import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';
import { commitAllIn, gitIn, runStep, type StepRun } from '../unit/action/action-folder';
import { StandInGitHub } from '../unit/action/stand-in-github';

/** A fork with the branch that carries the review, checked out as a runner does it by the line that the command printed. */
function actionOfFork(): string {
  const folder = folderOf();
  const [clone, fork] = [path.join(folder, 'clone'), path.join(folder, 'acme/edge.git')];
  gitIn(folder, 'init', '--quiet', '--bare', fork);
  gitIn(checkout, 'checkout-index', '--all', `--prefix=${clone}/`);
  for (const name of ['action', 'action.yml', 'tools'])
    cpSync(path.join(checkout, name), path.join(clone, name), { recursive: true });
  gitIn(clone, 'init', '--quiet');
  commitAllIn(clone);
  const node = (cwd: string, ...args: string[]) => execFileSync('node', args, { cwd, encoding: 'utf8' });
  node(checkout, 'tools/bundle-review.mjs', path.join(clone, 'action/dist'));
  const push = () => node(clone, 'tools/action-branch.mjs', fork);
  const printed = push();
  expect([push(), gitIn(clone, 'status', '--porcelain')]).toEqual([printed, '']);
  const [, commit = ''] = /^ {2}uses: acme\/edge@([0-9a-f]{40})$/m.exec(printed) ?? [];
  const action = path.join(folder, 'action');
  gitIn(folder, 'clone', '--quiet', fork, action);
  gitIn(action, 'checkout', '--quiet', commit);
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
  const ended: StepRun[] = [];
  for (const { id, run: script, env: own = {} } of runs.steps) {
    if (script === undefined) continue;
    const valueOf = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => context[name] ?? '');
    const given = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, valueOf(text)]));
    const shell = ['bash', '-eo', 'pipefail', '-c'] as const;
    const run = await runStep(script, { ...env, ...given }, env['GITHUB_WORKSPACE'] ?? '', shell);
    ended.push(run);
    for (const [name, value] of Object.entries(run.outputs))
      context[`steps.${id ?? ''}.outputs.${name}`] = value;
  }
  return ended;
}

const program = (cidr: string) => ({
  js: `const { IpPolicyRule } = require('pulumi-edge-policy');\n\nnew IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '${cidr}' });\n`,
});

test('from a clone to a commented pull request, without a release: the branch of the action, its steps, the real CLI', async () => {
  const action = actionOfFork();
  const { stack } = await stackOnService({ program: program('203.0.113.0/24') });
  const { project } = stack.folder;
  await stack.up();
  writeFileSync(path.join(project, '.gitignore'), 'node_modules\n');
  gitIn(project, 'init', '--quiet');
  gitIn(project, 'update-ref', 'refs/remotes/origin/main', commitAllIn(project));
  stack.writeProgram(program('0.0.0.0/0'));
  const head = commitAllIn(project);

  const api = await StandInGitHub.start();
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
