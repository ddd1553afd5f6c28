import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../emulator/src/index';
import { gitIn, runStep, type StepRun } from '../unit/action/action-folder';
import { type CheckRun, type Pull, StandInGitHub } from '../unit/action/stand-in-github';
import { installedModules } from './documentation';
import { folderOf, writeFiles } from './folder';
import { PulumiStack } from './pulumi-stack';
import { startService } from './service-stack';
import { type JobRun, linkingNpm, runJob, type Site } from './workflow-runner';

type Files = Readonly<Record<string, string>>;

const STACK = 'organization/harness/dev';
export const CHECK = `access review: ${STACK} into main`;
const APPROVALS = 'edge-policy-approvals';

/** A run that judged a commit, and its job that does. */
export interface Judged extends JobRun {
  readonly run: number;
  readonly event: object;
  /** The words by which a person accepts, if one can. */
  readonly words: string;
  readonly check: CheckRun;
}

/** Who did something, and what else the run of it has. */
interface Circumstances {
  readonly by?: string;
  /** The run that is run again. */
  readonly again?: number;
  /** The merge queue's commit to judge instead of the head. */
  readonly queued?: string;
}

/** A repository on GitHub with a stack, a service, and the merge gate that `init` sets up: its people, pull requests and runs. */
export class GatedRepository {
  private readonly repository = folderOf();
  private site!: Site;
  private count = 100;

  private constructor(
    readonly api: StandInGitHub,
    readonly stack: PulumiStack,
    readonly emulator: Emulator,
  ) {}

  /** An empty folder, in which a project is begun. */
  static async start(program: string, action: Site['action']): Promise<GatedRepository> {
    const { emulator, apiKey } = await startService();
    const settings = { baseUrl: emulator.url, apiKey, config: { 'edge-policy:baseUrl': emulator.url } };
    const stack = await PulumiStack.create({ program: { js: program }, ...settings });
    const started = new GatedRepository(await StandInGitHub.start(), stack, emulator);
    started.begin(action, apiKey);
    return started;
  }

  private begin(action: Site['action'], apiKey: string): void {
    const { repository, api } = this;
    const { EDGE_POLICY_API_KEY: _key, EDGE_POLICY_BASE_URL: _url, ...env } = this.stack.environment();
    env['PATH'] = `${linkingNpm(installedModules())}:${env['PATH'] ?? ''}`;
    // Nothing asks a registry for a newer npm.
    env['npm_config_update_notifier'] = 'false';
    const app = { ACCESS_APP_CLIENT_ID: 'app', ACCESS_APP_PRIVATE_KEY: 'key' };
    const secrets: Readonly<Record<string, Files>> = {
      'edge-policy-judge': app,
      [APPROVALS]: app,
      'edge-policy-apply': { EDGE_POLICY_API_KEY: apiKey, PULUMI_ACCESS_TOKEN: 'write-token' },
    };
    const secretsOf = (name = '') => ({ PULUMI_READ_TOKEN: 'read-token', ...secrets[name] });
    this.site = { api, repository, action, env, secretsOf };
    gitIn(repository, 'init', '--quiet', '--initial-branch=main');
    const project = path.join(repository, 'infra');
    const isOwn = (file: string) => path.basename(file) !== 'node_modules';
    cpSync(this.stack.folder.project, project, { recursive: true, filter: isOwn });
    execFileSync('npm', ['ci'], { cwd: project, env });
    this.commit({ '.gitignore': 'node_modules\n' }, 'owner');
  }

  /** Types a line in the folder of the project. */
  type(line: string): Promise<StepRun> {
    return runStep(line, this.site.env, path.join(this.repository, 'infra'), ['bash', '-e', '-c']);
  }

  /** The newest commit of the main branch. */
  get tip(): string {
    return gitIn(this.repository, 'rev-parse', 'main');
  }

  /** Commits files on the branch that is checked out, and lets GitHub know. */
  commit(files: Files, by: string): string {
    writeFiles(this.repository, files);
    gitIn(this.repository, 'add', '--all');
    return this.record(by, 'a commit');
  }

  private record(by: string, message: string): string {
    gitIn(this.repository, ...as(by), 'commit', '--quiet', '--allow-empty', '--message', message);
    return this.publish('HEAD');
  }

  /** Tells the stand-in what git has. */
  private publish(name: string): string {
    const { repository, api } = this;
    const sha = gitIn(repository, 'rev-parse', name);
    api.commits.add(sha);
    for (const file of gitIn(repository, 'ls-tree', '-r', '--name-only', sha, 'infra').split('\n'))
      api.files.set(`${sha}:${file}`, gitIn(repository, 'show', `${sha}:${file}`));
    const log = gitIn(repository, 'log', '--format=%H %an %cn', `main..${sha}`).split('\n');
    const commits = log.filter(Boolean).map((line) => {
      const [sha = '', author = '', committer = ''] = line.split(' ');
      return { sha, author: { login: author }, committer: { login: committer } };
    });
    api.changes.set(sha, commits);
    api.tips.set('main', this.tip);
    return sha;
  }

  /** Opens a pull request with one commit, or pushes another one to it. */
  push(branch: string, files: Files, by = 'alice'): Pull {
    const { repository, api } = this;
    const at = api.pulls.findIndex((pull) => pull.branch === branch && pull.merged === undefined);
    const isThere = gitIn(repository, 'branch', '--list', branch) !== '';
    gitIn(repository, 'checkout', '--quiet', ...(isThere ? [branch] : ['-b', branch, 'main']));
    const head = this.commit(files, by);
    const opened = { number: (this.count += 1), branch, into: 'main', base: this.tip, by };
    const pull = { ...(api.pulls[at] ?? opened), head };
    api.pulls.splice(at < 0 ? api.pulls.length : at, 1, pull);
    return pull;
  }

  /** Opens a pull request for a branch as it is. */
  reopen({ merged: _merged, ...pull }: Pull): Pull {
    const opened = { ...pull, number: (this.count += 1) };
    this.api.pulls.push(opened);
    return opened;
  }

  /** Previews and judges a pull request, by both workflows. */
  async review(pull: Pull, { by = pull.by ?? '', again, queued }: Circumstances = {}): Promise<Judged> {
    const sha = queued ?? pull.head;
    const preview = { id: (this.count += 1), sha, event: {}, workflow: 'access-preview.yml' };
    await runJob(this.site, { ...preview, name: 'preview' });
    const event = {
      workflow_run: {
        ...{ id: preview.id, head_sha: sha, actor: { login: by }, triggering_actor: { login: by } },
        ...(queued === undefined
          ? { event: 'pull_request', head_branch: pull.branch }
          : { event: 'merge_group', head_branch: `gh-readonly-queue/main/pr-${pull.number}-${this.tip}` }),
        head_repository: { full_name: 'acme/edge', owner: { login: 'acme' } },
      },
    };
    const run = again ?? (this.count += 1);
    this.api.starters.set(String(run), by);
    return this.judge('review', { run, event });
  }

  private async judge(
    name: string,
    { run, event, needs }: Pick<Judged, 'run' | 'event'> & { needs?: object },
  ) {
    const job = { id: run, sha: this.tip, event, workflow: 'access-review.yml', name, needs: needs ?? {} };
    const judged = await runJob(this.site, job);
    if (judged === undefined) throw new Error('nothing waits for an approval');
    const [, words = ''] = /^ {4}(accept .*)$/m.exec(judged.summary) ?? [];
    const [check] = this.api.checks.slice(-1) as [CheckRun];
    return { ...judged, run, event, words, check };
  }

  /** Somebody approves the job of a run that waits, with these words. */
  accept(judged: Judged, by: string, comment = judged.words): Promise<Judged> {
    const approval = { comment, user: { login: by }, environments: [{ name: APPROVALS }] };
    const known = this.api.approvals.get(String(judged.run)) ?? [];
    this.api.approvals.set(String(judged.run), [...known, { state: 'approved', ...approval }]);
    return this.judge('accept', { ...judged, needs: { review: { outputs: judged.outputs } } });
  }

  /** Merges a pull request by one commit, or by a new commit for each of its own. */
  merge(pull: Pull, how: 'squash' | 'rebase' = 'squash'): void {
    const { repository, api } = this;
    gitIn(repository, 'checkout', '--quiet', 'main');
    if (how === 'squash') {
      gitIn(repository, 'merge', '--quiet', '--squash', pull.branch);
      this.record('web-flow', `Merge #${pull.number}`);
    } else gitIn(repository, ...as('web-flow'), 'cherry-pick', '--allow-empty', `main..${pull.branch}`);
    this.land(pull);
    api.tips.set('main', this.tip);
  }

  /** The commit that a merge queue makes for a pull request, which becomes the tip when it passes. */
  enqueue(pull: Pull): { readonly sha: string; readonly pass: () => void } {
    gitIn(this.repository, 'checkout', '--quiet', '-B', 'queue', 'main');
    gitIn(this.repository, 'merge', '--quiet', '--squash', pull.branch);
    const sha = this.record('web-flow', `Merge #${pull.number}`);
    const pass = () => {
      gitIn(this.repository, 'checkout', '--quiet', '-B', 'main', sha);
      this.land(pull);
    };
    return { sha, pass };
  }

  private land(pull: Pull): void {
    const at = this.api.pulls.findIndex(({ number }) => number === pull.number);
    this.api.pulls.splice(at, 1, { ...pull, merged: this.publish('main') });
  }

  /** Undoes the newest commit of the main branch, past the gate. */
  revert(): void {
    gitIn(this.repository, 'checkout', '--quiet', 'main');
    gitIn(this.repository, ...as('owner'), 'revert', '--no-edit', 'HEAD');
    this.publish('main');
  }

  /** Runs the job that applies what was pushed to the main branch, or another one that a schedule starts. */
  async run(workflow: string, name: string, env: NodeJS.ProcessEnv = {}): Promise<JobRun> {
    const run = { id: (this.count += 1), sha: this.tip, event: {}, workflow, name, env };
    const ended = await runJob(this.site, run);
    if (ended === undefined) throw new Error(`${workflow} has nothing to do`);
    return ended;
  }

  apply(): Promise<JobRun> {
    return this.run('access-apply.yml', 'apply');
  }
}

const as = (login: string): string[] =>
  [`user.name=${login}`, `user.email=${login}@acme.example`].flatMap((setting) => ['-c', setting]);
