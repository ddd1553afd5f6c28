import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../../support/folder';
import { environmentIn, releasedAction, runStep, type StepRun } from './action-folder';
import { type CheckRun, StandInGitHub, zipOf } from './stand-in-github';

export const HEAD = 'aaa111';
export const BASE = 'bbb222';
export const APPROVALS = 'edge-policy-approvals';
export const pull = { number: 7, branch: 'feature', head: HEAD, into: 'main', base: '000aaa' };

/** How the step has ended, and the comment that the pull request then has. */
export type Judged = StepRun & { readonly comment: string };

/**
 * The trusted job of a repository with one pull request, and the API that it meets: anew for each test of a file, by a review that
 * is bundled once.
 */
export class Judging {
  readonly api = new StandInGitHub();
  /** The scripts of the action. */
  action = '';
  folder = '';

  constructor() {
    const { api } = this;
    beforeAll(async () => {
      [this.action] = await Promise.all([releasedAction(), api.listen('file')]);
    });
    beforeEach(() => {
      this.folder = folderOf();
      api.reset();
      api.pulls.push(pull);
      api.tips.set('main', BASE);
      [HEAD, BASE].forEach((commit) => api.commits.add(commit));
      api.files.set(`${BASE}:infra/Pulumi.yaml`, 'name: acme\nruntime: nodejs\n');
    });
  }

  /** Runs the step of the workflow on `workflow_run`; the preview is what the other workflow has uploaded. */
  readonly judge = async (
    preview: string | Buffer | undefined,
    more: Readonly<Record<string, string>> = {},
    event: object = {},
  ): Promise<Judged> => {
    const archive = typeof preview === 'string' ? zipOf({ 'preview.json': preview }) : preview;
    if (archive) this.api.artifacts.set('55/edge-policy-preview', archive);
    else this.api.artifacts.clear();
    const workflowRun = {
      ...{ id: 55, event: 'pull_request', head_sha: HEAD, head_branch: 'feature' },
      head_repository: { full_name: 'acme/edge', owner: { login: 'acme' } },
      ...{ actor: { login: 'alice' }, triggering_actor: { login: 'alice' } },
      ...event,
    };
    const file = path.join(this.folder, 'event');
    writeFileSync(file, JSON.stringify({ workflow_run: workflowRun }));
    const run = await this.step('judge.mjs', {
      ...{ GITHUB_SERVER_URL: 'https://github.example', GITHUB_RUN_ID: '77', GITHUB_EVENT_PATH: file },
      ...{ REVIEW_BRANCHES: 'main\nrelease/1', REVIEW_DIRECTORY: 'infra', REVIEW_APPROVALS: APPROVALS },
      ...more,
    });
    return { ...run, comment: this.api.comments.at(-1)?.body ?? '' };
  };

  /** Uploads what the step has left, as the workflow does after it. */
  upload({ outputs }: StepRun, run = '77'): void {
    const folder = path.join(outputs['folder'] ?? '', '7');
    const files = readdirSync(folder).filter((name) => /^(?:report\..*|plan\.json|judged\.json)$/.test(name));
    const entries = files.map((name) => [`7/${name}`, readFileSync(path.join(folder, name), 'utf8')]);
    const archive = zipOf(Object.fromEntries(entries) as Record<string, string>);
    this.api.artifacts.set(`${run}/${outputs['review-name'] ?? ''}`, archive);
  }

  /** Does something once for all tests of a file; each test that asks finds the checks and artifacts that it has left. */
  once<T>(work: () => Promise<T>): () => Promise<T> {
    const { checks, artifacts } = this.api;
    let left: { result: T; checks: readonly CheckRun[]; artifacts: ReadonlyMap<string, Buffer> } | undefined;
    return async () => {
      left ??= { result: await work(), checks: checks.splice(0), artifacts: new Map(artifacts) };
      checks.push(...structuredClone(left.checks));
      left.artifacts.forEach((archive, name) => artifacts.set(name, archive));
      return left.result;
    };
  }

  /** Runs a script of the action as a step with the token. */
  step(script: string, more: Readonly<Record<string, string>>): Promise<StepRun> {
    const env = { ...environmentIn(this.folder, this.api), REVIEW_TOKEN: 'canary-token', ...more };
    return runStep(path.join(this.action, script), env, this.folder);
  }
}
