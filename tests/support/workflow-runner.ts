import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { gitIn, runStep, type StepRun } from '../unit/action/action-folder';
import { type StandInGitHub, zipOf } from '../unit/action/stand-in-github';
import { folderOf } from './folder';

type Texts = Readonly<Record<string, string>>;

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Texts;
  readonly env?: Texts;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: boolean;
}
interface Job {
  readonly if?: string;
  readonly environment?: string;
  readonly outputs?: Texts;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly env: Texts;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What the runs of a repository share. */
export interface Site {
  readonly api: StandInGitHub;
  /** The repository, with all its commits. */
  readonly repository: string;
  /** The checkout of the action, and how workflows have to call it. */
  readonly action: { readonly folder: string; readonly name: string; readonly commit: string };
  /** What every process of a runner has. */
  readonly env: NodeJS.ProcessEnv;
  /** The secrets of an environment, or of the repository. */
  readonly secretsOf: (environment: string | undefined) => Texts;
}

/** A run, by the commit whose workflow file counts, and whose files a job checks out. */
export interface Run {
  readonly id: number;
  readonly sha: string;
  readonly workflow: string;
  readonly event: object;
  readonly env?: NodeJS.ProcessEnv;
}

/** How a job has ended; `undefined` if its condition did not hold. */
export interface JobRun {
  readonly isSuccess: boolean;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Texts;
}

/**
 * Runs one job of a workflow, from its file, as a runner of GitHub does: expressions, conditions, scripts, artifacts. `needs` has the outputs of the
 * jobs before it. Actions of others do only what matters here.
 */
export async function runJob(
  site: Site,
  { name, needs = {}, ...run }: Run & { readonly name: string; readonly needs?: object },
): Promise<JobRun | undefined> {
  const file = gitIn(site.repository, 'show', `${run.sha}:.github/workflows/${run.workflow}`);
  const { env, jobs } = parse(file) as Workflow;
  const job = jobs[name];
  if (job === undefined) throw new Error(`${run.workflow} has no job ${name}`);
  const github = { event: run.event, token: 'workflow-token' };
  const context = { github, env, needs, secrets: site.secretsOf(job.environment) };
  if (job.if !== undefined && !valueOf(job.if, context)) return undefined;
  return new RunningJob(site, run, context).runJob(job);
}

/** The value of an expression. Its properties, which may contain dashes, are looked up; the rest is that of JavaScript. */
function valueOf(expression: string, contexts: object): unknown {
  const bare = expression.replace(/^\$\{\{(.*)\}\}$/s, '$1');
  const lookUps = bare.replace(/\b[a-z]+(?:\.[\w-]+)+/g, (path) => `get(${JSON.stringify(path)})`);
  const get = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], contexts) ?? '';
  const functions = { get, always: () => true, fromJSON: (text: string): unknown => JSON.parse(text) };
  const contains = (list: readonly unknown[], value: unknown) => list.includes(value);
  return runInNewContext(lookUps, { ...functions, contains });
}

/** A text, or another scalar of YAML. */
const filled = (text: unknown, contexts: object): string =>
  String(text).replace(/\$\{\{.*?\}\}/g, (expression) => String(valueOf(expression, contexts)));

const DONE: StepRun = { exitCode: 0, log: '', outputs: {}, summary: '' };

class RunningJob {
  private readonly workspace = folderOf();
  private readonly temporary = folderOf();
  private readonly steps: Record<string, { outcome: string; outputs: Texts }> = {};
  private log = '';
  private summary = '';

  constructor(
    private readonly site: Site,
    private readonly run: Run,
    private readonly context: object,
  ) {
    writeFileSync(path.join(this.temporary, 'event.json'), JSON.stringify(run.event));
  }

  /** Runs all steps of the job. */
  async runJob({ steps, outputs = {} }: Job): Promise<JobRun> {
    const isSuccess = await this.runAll(steps);
    return { isSuccess, log: this.log, summary: this.summary, outputs: this.filledAll(outputs) };
  }

  private filledAll(texts: Texts, inner: object = {}): Texts {
    const contexts = { ...this.context, ...inner, runner: { temp: this.temporary }, steps: this.steps };
    const values = Object.entries(texts).map(([name, text]) => [name, filled(text, contexts)]);
    return Object.fromEntries(values) as Texts;
  }

  /** Runs the steps of the job, or of an action that it calls. */
  private async runAll(steps: readonly Step[], inner: object = {}): Promise<boolean> {
    let isSuccess = true;
    for (const step of steps) {
      const condition = step.if ?? 'true';
      const contexts = { ...this.context, steps: this.steps };
      const isDue = (isSuccess || condition.includes('always()')) && valueOf(condition, contexts) === true;
      const { exitCode, log, outputs, summary } = isDue ? await this.take(step, inner) : DONE;
      this.log += log;
      this.summary += summary;
      if (step.id !== undefined) {
        const outcome = isDue ? (exitCode === 0 ? 'success' : 'failure') : 'skipped';
        this.steps[step.id] = { outcome, outputs };
      }
      if (exitCode !== 0 && step['continue-on-error'] !== true) isSuccess = false;
    }
    return isSuccess;
  }

  private async take(step: Step, inner: object): Promise<StepRun> {
    if (step.run === undefined) return this.call(step.uses ?? '', this.filledAll(step.with ?? {}, inner));
    const { env } = this.context as { env: Texts };
    const own = this.filledAll({ ...env, ...step.env, cwd: step['working-directory'] ?? '.' }, inner);
    const strict = step.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e'];
    const cwd = path.join(this.workspace, own['cwd'] ?? '');
    return runStep(step.run, { ...this.environment(), ...own }, cwd, ['bash', ...strict, '-c']);
  }

  private environment(): NodeJS.ProcessEnv {
    const { api, env } = this.site;
    return {
      ...{ ...env, ...this.run.env, RUNNER_TEMP: this.temporary },
      ...{ GITHUB_API_URL: api.url, GITHUB_GRAPHQL_URL: `${api.url}/graphql` },
      ...{ GITHUB_REPOSITORY: 'acme/edge', GITHUB_SERVER_URL: 'https://github.example' },
      ...{ GITHUB_RUN_ID: String(this.run.id), GITHUB_SHA: this.run.sha, GITHUB_REF_NAME: 'main' },
      GITHUB_EVENT_PATH: path.join(this.temporary, 'event.json'),
    };
  }

  /** Calls an action. */
  private async call(uses: string, inputs: Texts): Promise<StepRun> {
    const [name = '', commit] = uses.split('@');
    if (name.startsWith(`${this.site.action.name}/`)) {
      if (commit !== this.site.action.commit) throw new Error(`${uses} is not the commit of the action`);
      return { ...DONE, ...(await this.callOurs(name.slice(this.site.action.name.length + 1), inputs)) };
    }
    switch (name) {
      case 'actions/checkout':
        gitIn(this.workspace, 'clone', '--quiet', this.site.repository, '.');
        gitIn(this.workspace, 'checkout', '--quiet', this.run.sha);
        return DONE;
      case 'actions/setup-node':
      case 'pulumi/actions':
        return DONE;
      case 'actions/create-github-app-token':
        return inputs['client-id'] === ''
          ? { ...DONE, exitCode: 1 }
          : { ...DONE, outputs: { token: 'app-token' } };
      case 'actions/upload-artifact':
        this.upload(inputs);
        return DONE;
      default:
        throw new Error(`the runner does not know the action ${uses}`);
    }
  }

  private async callOurs(folder: string, inputs: Texts): Promise<Partial<StepRun>> {
    const place = path.join(this.site.action.folder, folder);
    const action = parse(readFileSync(path.join(place, 'action.yml'), 'utf8')) as {
      readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
      readonly outputs: Readonly<Record<string, { readonly value: string }>>;
      readonly runs: { readonly steps: readonly Step[] };
    };
    const { github } = this.context as { github: object };
    const defaults = Object.entries(action.inputs).map(([name, { default: text = '' }]) => [
      name,
      filled(text, { github }),
    ]);
    const all = { ...(Object.fromEntries(defaults) as Texts), ...inputs };
    const inner = { inputs: all, github: { ...github, action_path: place } };
    const isSuccess = await this.runAll(action.runs.steps, inner);
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    return {
      exitCode: isSuccess ? 0 : 1,
      outputs: this.filledAll(Object.fromEntries(values) as Texts, inner),
    };
  }

  /** Files keep their path below what all patterns have in common. */
  private upload({ name = '', path: patterns = '' }: Texts): void {
    const places = patterns
      .trim()
      .split('\n')
      .map((pattern) => path.resolve(this.workspace, pattern.trim()));
    const roots = places.map((place) => path.dirname(place.replace(/\*.*$/, '') + 'x'));
    const found = execFileSync('bash', ['-c', `shopt -s nullglob; printf '%s\\n' ${places.join(' ')}`], {
      encoding: 'utf8',
    });
    const root = roots.reduce((one, other) => (one.length <= other.length ? one : other));
    const files = found.split('\n').filter((file) => existsSync(file));
    if (files.length === 0) return;
    const content = files.map((file) => [path.relative(root, file), readFileSync(file, 'utf8')]);
    const place = `${this.run.id}/${name}`;
    // What is uploaded again gets a new number.
    this.site.api.artifacts.delete(place);
    this.site.api.artifacts.set(place, zipOf(Object.fromEntries(content) as Texts));
  }
}

/** A folder for the front of PATH with an `npm` that gives a project these packages. */
export const linkingNpm = (nodeModules: string): string =>
  folderOf({ npm: `#!/bin/sh\n[ "$1" = ci ] && ln -sfn '${nodeModules}' node_modules\n` });
