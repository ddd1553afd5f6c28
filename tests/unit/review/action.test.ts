import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readPreviewDocument,
  renderJson,
  renderMarkdown,
  renderPlan,
  renderSarif,
} from '../../../review/src';
import { added, kept, previewText, rule } from './preview-builder';
import { reviewed, type Wishes } from './reviewing';

const REPOSITORY = join(__dirname, '../../..');
const SCRIPT = join(REPOSITORY, 'action/main.mjs');
const COMMENT_SCRIPT = join(REPOSITORY, 'action/comment-step.mjs');

/** Whose token the workflow has, as GitHub calls it. */
const OWN_LOGIN = 'github-actions[bot]';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

/** Stands in for the calls of the API that the action makes; 100 comments a page, as the real one. */
class CommentsApi {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  isReadOnly = false;
  private readonly server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      this.requests.push(
        `${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`,
      );
      const [status, answer] = this.answer(
        request.method ?? '',
        new URL(request.url ?? '', 'http://stand-in'),
        text,
      );
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(method: string, url: URL, text: string): [number, unknown] {
    if (method === 'GET' && url.pathname === '/repos/acme/edge/issues/7/comments') {
      const page = Number(url.searchParams.get('page'));
      return [200, this.comments.slice((page - 1) * 100, page * 100)];
    }
    if (method === 'POST' && url.pathname === '/graphql') {
      const { query } = JSON.parse(text) as { query: string };
      return [200, query.includes('viewer { login }') ? { data: { viewer: { login: OWN_LOGIN } } } : {}];
    }
    if (this.isReadOnly) return [403, { message: 'Resource not accessible by integration' }];
    const { body } = JSON.parse(text) as { body: string };
    if (method === 'POST' && url.pathname === '/repos/acme/edge/issues/7/comments') {
      const comment = { id: this.comments.length + 1, body, user: { login: OWN_LOGIN } };
      this.comments.push(comment);
      return [201, comment];
    }
    const comment = this.comments.find(({ id }) => url.pathname === `/repos/acme/edge/issues/comments/${id}`);
    if (method !== 'PATCH' || !comment) return [404, {}];
    comment.body = body;
    return [200, comment];
  }
}

let folder: string;
let api: CommentsApi;
let apiUrl: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'review-action-'));
  api = new CommentsApi();
  apiUrl = await api.start();
});
afterEach(() => {
  api.stop();
  rmSync(folder, { recursive: true });
});

const program = (name: string, script: string): void => {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
};

const office = kept('office', rule('8.8.8.0/24'));
const affecting = previewText([office, added('new', rule('9.9.9.0/24'))]);
const harmless = previewText([office]);

interface Run {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the scripts as the steps of the action do, with the real renderers behind a stand-in of the command. */
async function act(
  preview: string,
  more: Readonly<Record<string, string>> = {},
  reviewExitCode = 0,
  wishes: Wishes = {},
  project = REPOSITORY,
): Promise<Run> {
  const report = reviewed(readPreviewDocument(preview), wishes);
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('preview'), preview);
  writeFileSync(file('json'), renderJson(report));
  writeFileSync(file('markdown'), renderMarkdown(report));
  writeFileSync(file('sarif'), renderSarif(report, { sourceRoot: '.' }));
  writeFileSync(file('plan'), renderPlan(report.plan.plan));
  for (const name of ['outputs', 'summary']) writeFileSync(file(name), '');
  program(
    'pulumi',
    `echo "$@" >> ${file('pulumi-calls')}; echo '::error::a name of the stack' >&2; cat ${file('preview')}; exit 1`,
  );
  // For every `--write format=file` the stand-in of the command puts the report of that format into the file.
  const writeReports = [
    'for argument; do case $argument in',
    `*=*) cp ${folder}/"\${argument%%=*}" "\${argument#*=}";;`,
    'esac; done',
  ].join('\n');
  program(
    'npx',
    `echo "$@" >> ${file('npx-calls')}; env >> ${file('npx-environment')}\n${writeReports}\nexit ${reviewExitCode}`,
  );
  const environment = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    RUNNER_TEMP: folder,
    GITHUB_API_URL: apiUrl,
    GITHUB_REPOSITORY: 'acme/edge',
    GITHUB_OUTPUT: file('outputs'),
    GITHUB_STEP_SUMMARY: file('summary'),
    REVIEW_STACK: 'acme/prod',
    REVIEW_DIRECTORY: 'infra',
    REVIEW_FAIL_ON: 'medium',
    REVIEW_ARGUMENTS: '--live\n\n--assertions\nour file.json\n',
    ...more,
  };
  const { exitCode, log } = await runScript(SCRIPT, environment, project);
  const outputs = Object.fromEntries(
    readFileSync(file('outputs'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('=', 2) as [string, string]),
  );
  const summary = readFileSync(file('summary'), 'utf8');
  if (outputs['report'] === undefined) return { exitCode, log, outputs, summary };
  const comment = await runScript(COMMENT_SCRIPT, {
    ...environment,
    REVIEW_REPORT: outputs['report'],
    REVIEW_MARKDOWN: outputs['markdown'],
    REVIEW_PULL_REQUEST: '7',
    REVIEW_TOKEN: 'canary-token',
  });
  return { exitCode: exitCode || comment.exitCode, log: log + comment.log, outputs, summary };
}

const runScript = (
  script: string,
  env: NodeJS.ProcessEnv,
  cwd = REPOSITORY,
): Promise<{ readonly exitCode: number; readonly log: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [script], { env, cwd }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, log: stdout + stderr });
    });
  });

test('a change that affects access gets one comment, a summary and the outputs for the later steps', async () => {
  const { exitCode, outputs, summary } = await act(affecting, {}, 1);
  expect(exitCode).toBe(0);
  expect(api.comments.map(({ body }) => body)).toEqual([
    `<!-- edge-policy-review acme%2Fprod -->\n${summary}`,
  ]);
  expect(summary).toContain('Access changes');
  expect(outputs).toMatchObject({ 'exit-code': '1', 'affects-access': 'true' });
  expect(JSON.parse(readFileSync(outputs['sarif'] ?? '', 'utf8'))).toMatchObject({ version: '2.1.0' });
  expect(JSON.parse(readFileSync(outputs['report'] ?? '', 'utf8'))).toMatchObject({ formatVersion: 1 });
});

test('the preview shows unchanged resources, and the arguments reach the review as they were given', async () => {
  await act(affecting);
  expect(readFileSync(join(folder, 'pulumi-calls'), 'utf8')).toBe(
    'preview --json --show-sames --non-interactive --stack acme/prod\n',
  );
  const report = (format: string, extension: string): string =>
    `--write ${format}=${join(folder, `edge-policy-review-${format === 'plan' ? 'plan' : 'report'}.${extension}`)}`;
  expect(readFileSync(join(folder, 'npx-calls'), 'utf8')).toBe(
    `--no-install edge-policy review ${join(folder, 'edge-policy-review-preview.json')} ` +
      `${report('json', 'json')} ${report('markdown', 'md')} ${report('sarif', 'sarif')} ${report('plan', 'json')} ` +
      `--fail-on medium --source-root infra --live --assertions our file.json\n`,
  );
});

describe('in a project that has the provider and no review', () => {
  const project = (): string => join(folder, 'project');
  beforeEach(() => {
    const provider = join(project(), 'node_modules/pulumi-edge-policy');
    mkdirSync(provider, { recursive: true });
    writeFileSync(join(provider, 'package.json'), '{ "version": "1.2.3" }');
  });

  test('the review of the same version is installed outside of the project, and run', async () => {
    // What is installed hands its arguments to the stand-in of the command.
    const forward = "require('node:child_process').spawnSync('npx', process.argv.slice(2))";
    const bin = join(folder, 'edge-policy-review-packages/node_modules/pulumi-edge-policy/bin');
    program(
      'npm',
      `echo "$@" > ${join(folder, 'npm-calls')}; mkdir -p ${bin}; echo "${forward}" > ${bin}/edge-policy.js`,
    );
    const { exitCode, log, summary } = await act(affecting, {}, 0, {}, project());
    expect(exitCode).toBe(0);
    expect(log).toContain(
      'Installing pulumi-edge-policy-review 1.2.3, as the project has only pulumi-edge-policy.',
    );
    expect(readFileSync(join(folder, 'npm-calls'), 'utf8')).toBe(
      `install --prefix ${join(folder, 'edge-policy-review-packages')} --legacy-peer-deps --ignore-scripts ` +
        '--no-audit --no-fund pulumi-edge-policy@1.2.3 pulumi-edge-policy-review@1.2.3\n',
    );
    expect(readFileSync(join(folder, 'npx-calls'), 'utf8')).toMatch(/^review \S+preview\.json --write /);
    expect(summary).toContain('Access changes');
  });

  test('an installation that fails ends the step, and names what could not be installed', async () => {
    program('npm', "echo 'E404 not in this registry' >&2; exit 1");
    const { exitCode, log } = await act(affecting, {}, 0, {}, project());
    expect(exitCode).toBe(1);
    expect(log).toContain('E404 not in this registry');
    expect(log).toContain('could not install pulumi-edge-policy@1.2.3 and pulumi-edge-policy-review@1.2.3');
  });
});

test('the comment is updated in place, and left alone when nothing is new', async () => {
  await act(affecting);
  await act(previewText([office, added('open', rule('0.0.0.0/0'))]));
  expect(api.comments).toHaveLength(1);
  expect(api.comments[0]?.body).toContain('open-to-all');
  const before = api.requests.length;
  await act(previewText([office, added('open', rule('0.0.0.0/0'))]));
  expect(api.requests.slice(before).map((request) => request.split(' ', 2).join(' '))).toEqual([
    'POST /graphql',
    'GET /repos/acme/edge/issues/7/comments?per_page=100&page=1',
  ]);
});

test('a change that affects nothing gets no comment', async () => {
  await act(harmless);
  expect(api.comments).toEqual([]);
});

test('the comment says so when the change no longer affects access', async () => {
  await act(affecting);
  await act(harmless);
  expect(api.comments).toHaveLength(1);
  expect(api.comments[0]?.body).toContain('no longer affects access');
  await act(affecting);
  expect(api.comments[0]?.body).not.toContain('no longer affects access');
});

test('the comment is found behind a hundred others, and each stack has its own', async () => {
  await act(affecting);
  const [own] = api.comments.splice(0);
  for (let id = 1000; id < 1150; id += 1)
    api.comments.push({ id, body: 'a discussion', user: { login: 'somebody' } });
  if (own) api.comments.push({ ...own, id: 2000 });
  await act(harmless);
  expect(api.comments).toHaveLength(151);
  await act(affecting, { REVIEW_STACK: 'acme/prod-2' });
  expect(api.comments).toHaveLength(152);
  expect(api.comments.at(-1)?.body.split('\n', 1)[0]).toBe('<!-- edge-policy-review acme%2Fprod%2D2 -->');
});

test('a comment that somebody else starts with the marker is never touched, whatever its text', async () => {
  await act(affecting);
  const [{ body }] = api.comments.splice(0) as [Comment];
  const foreign = [
    { id: 1, body: '<!-- edge-policy-review acme%2Fprod -->\nAll is well.', user: { login: 'somebody' } },
    { id: 2, body, user: { login: 'github-actions' } },
  ];
  api.comments.push(...foreign.map((comment) => ({ ...comment })));
  await act(affecting);
  expect(api.comments).toEqual([...foreign, { id: 3, body, user: { login: OWN_LOGIN } }]);
  await act(harmless);
  expect(api.comments.slice(0, 2)).toEqual(foreign);
  expect(api.comments).toHaveLength(3);
  expect(api.comments[2]?.body).toContain('no longer affects access');
});

test('a token that may not comment costs the comment, not the review', async () => {
  api.isReadOnly = true;
  const { exitCode, log, outputs } = await act(affecting, {}, 2);
  expect(exitCode).toBe(0);
  expect(log).toContain('::warning::The review could not be put into a comment');
  expect(outputs['exit-code']).toBe('2');
});

describe('the assertions of the merge base', () => {
  const git = (script: string): void => {
    program('git', script);
  };
  const baseArguments = async (): Promise<string> => {
    await act(affecting, { REVIEW_BASE_COMMIT: 'abc123' });
    return readFileSync(join(folder, 'npx-calls'), 'utf8');
  };
  const copy = (): string => join(folder, 'edge-policy-review-base-0.json');

  test('are shown to the review', async () => {
    git(`case $1 in merge-base) echo def456;; show) echo "content of $2";; esac`);
    expect(await baseArguments()).toContain(`--base-assertions ${copy()} --live`);
    expect(readFileSync(copy(), 'utf8')).toBe('content of def456:./our file.json\n');
  });

  test('are none where the file is new', async () => {
    git(`case $1 in merge-base) echo def456;; cat-file) exit 128;; esac`);
    await baseArguments();
    expect(readFileSync(copy(), 'utf8')).toBe('{}');
  });

  test('are named and not there where the merge base cannot be read, for the review to tell', async () => {
    git('exit 128');
    expect(await baseArguments()).toContain(`--base-assertions ${copy()}`);
    expect(existsSync(copy())).toBe(false);
  });
});

test('a change of the guards alone is worth a comment', async () => {
  await act(harmless, {}, 0, { base: { problem: 'base.json cannot be read' } });
  expect(api.comments[0]?.body).toContain('base-assertions-unread');
  expect(api.comments[0]?.body).not.toContain('no longer affects access');
});

/** The steps of a composite action, each as its text. */
const stepsOf = (file: string): string[] =>
  readFileSync(join(REPOSITORY, file), 'utf8')
    .replace(/^[^]*?\n {2}steps:\n/, '')
    .split(/^ {4}- /m)
    .slice(1);

test('the step with the token runs one script of ours, and only for a pull request that is to be commented', () => {
  const withToken = stepsOf('action.yml').filter((step) => step.includes('github-token'));
  expect(withToken).toHaveLength(1);
  expect(withToken[0]).toContain("inputs.comment == 'true' && github.event.pull_request.number");
  expect(withToken[0]).toContain('run: node "$REVIEW_ACTION_PATH/action/comment-step.mjs"');
  expect(withToken[0]).not.toContain('working-directory');
  expect(stepsOf('action/comment/action.yml')).toEqual([
    expect.stringContaining('run: node "$REVIEW_ACTION_PATH/../comment-step.mjs"') as string,
  ]);
});

test('the step that previews asks nothing of the API', async () => {
  const scripts = ['main.mjs', 'review-command.mjs', 'run.mjs'].map((name) =>
    readFileSync(join(REPOSITORY, 'action', name), 'utf8'),
  );
  expect(scripts.join('\n')).not.toMatch(/TOKEN|github\.mjs|fetch/);
  await act(affecting, {}, 3);
  expect(api.requests).toEqual([]);
});

test('a review that leaves no report fails the step', async () => {
  const { exitCode, log, outputs } = await act(affecting, {}, 3);
  expect(exitCode).toBe(1);
  expect(log).toContain('edge-policy review ended with exit code 3');
  expect(outputs).toEqual({});
});

test('the log holds no token, and nothing of the stack is taken for a command of the workflow', async () => {
  const { log } = await act(affecting);
  expect(log).not.toContain('canary-token');
  expect(readFileSync(join(folder, 'npx-environment'), 'utf8')).not.toContain('canary-token');
  const [, token] = /::stop-commands::(\S+)/.exec(log) ?? [];
  expect(log.indexOf('::error::')).toBeGreaterThan(log.indexOf('::stop-commands::'));
  expect(log.indexOf('::error::')).toBeLessThan(log.indexOf(`::${token ?? ''}::`));
  expect(api.requests.every((request) => request.endsWith('Bearer canary-token'))).toBe(true);
});
