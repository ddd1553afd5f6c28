import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { folderOf } from '../../support/folder';
import { textOf } from '../../support/workspace';
import { PublisherServer } from '../../support/feeds/publisher-server';
import { feedTexts } from '../review/pinned-feeds';
import { added, previewText, rule } from '../review/preview-builder';
import {
  affecting,
  commitAllIn,
  environmentIn,
  gitIn,
  harmless,
  opening,
  program,
  releasedAction,
  runStep,
  type StepRun,
  stepsOf,
} from './action-folder';
import { type Comment, OWN_LOGIN, StandInGitHub, zipOf } from './stand-in-github';

let action: string;
let folder: string;
let project: string;
let api: StandInGitHub;

beforeAll(async () => {
  action = await releasedAction();
});
beforeEach(async () => {
  folder = folderOf();
  project = path.join(folder, 'project');
  mkdirSync(project);
  api = await StandInGitHub.start();
});

type Variables = Readonly<Record<string, string>>;

/** Runs a script of the action in a job about the pull request. */
const step = (script: string, more: Variables, cwd = folder): Promise<StepRun> =>
  runStep(path.join(action, script), { ...environmentIn(folder, api), ...more }, cwd);

/** Runs the step that previews and reviews, with a stand-in of the Pulumi CLI. */
function act(preview: string, more: Variables = {}): Promise<StepRun> {
  const file = (name: string): string => path.join(folder, name);
  writeFileSync(file('preview'), preview);
  program(
    folder,
    'pulumi',
    `echo "$@" >> ${file('pulumi-calls')}; env > ${file('environment')}; echo '::error::a name of the stack' >&2; cat ${file('preview')}; exit 1`,
  );
  return step('main.mjs', { REVIEW_FAIL_ON: 'medium', ...more }, project);
}

/** Runs the step that comments what a review has left. */
const comment = ({ outputs }: Pick<StepRun, 'outputs'>, more: Variables = {}) =>
  step('comment-step.mjs', {
    REVIEW_REPORT: outputs['report'] ?? '',
    REVIEW_MARKDOWN: outputs['markdown'] ?? '',
    REVIEW_PULL_REQUEST: '7',
    REVIEW_COMMIT: 'abc123',
    REVIEW_TOKEN: 'canary-token',
    ...more,
  });

const LINK = 'https://github.com/acme/edge/actions/runs/1/artifacts/2';

test('one run: the preview, the review by the arguments as they were given, the page, the outputs and the comment', async () => {
  const assumed = ['--assertions', '', 'our file.json', '--ip-model', 'allow-wins', ''].join('\n');
  writeFileSync(path.join(project, 'our file.json'), '{ "gate": { "noNewAccess": true } }');
  const run = await act(affecting, { REVIEW_FAIL_ON: 'never', REVIEW_ARGUMENTS: assumed });
  const { outputs, summary } = run;
  expect(readFileSync(path.join(folder, 'pulumi-calls'), 'utf8')).toBe(
    'preview --json --show-sames --show-replacement-steps --non-interactive --stack org/acme/dev\n',
  );
  const read = (name: string): string => readFileSync(outputs[name] ?? '', 'utf8');
  expect(outputs).toMatchObject({ 'exit-code': '1', 'affects-access': 'true' });
  expect(JSON.parse(read('report'))).toMatchObject({
    ...{ formatVersion: 1, assumptions: { ipModel: 'allow-wins' } },
    verdict: { failOn: 'never' },
  });
  expect(JSON.parse(read('plan'))).toHaveProperty('hash');
  expect(outputs['page-name']).toBe('access-page-org~acme~dev');
  const packed = /id="content"[^>]*>([^<]*)</.exec(read('page'))?.[1] ?? '';
  expect(inflateRawSync(Buffer.from(packed, 'base64')).toString()).toContain('"ipModel":"allow-wins"');

  const commented = await comment(run, { REVIEW_PAGE: LINK });
  expect([run.exitCode, commented.exitCode]).toEqual([0, 0]);
  expect(summary).toContain('9.9.9.0/24');
  expect(api.comments.map(({ body }) => body)).toEqual([
    `<!-- edge-policy-review org%2Facme%2Fdev -->\n${summary}\n[Who gets in, before and after](${LINK}): a page to download.\n\nReviewed commit: abc123\n`,
  ]);

  expect(run.log + commented.log).not.toContain('canary-token');
  expect(readFileSync(path.join(folder, 'environment'), 'utf8')).not.toContain('canary-token');
  expect(api.requests.every((request) => request.endsWith('Bearer canary-token'))).toBe(true);
  // Nothing of the stack is taken for a command of the workflow.
  const [stopped = '', token = ''] = /::stop-commands::(\S+)/.exec(run.log) ?? [];
  expect(run.log.indexOf('::error::')).toBeGreaterThan(run.log.indexOf(stopped));
  expect(run.log.indexOf('::error::')).toBeLessThan(run.log.indexOf(`::${token}::`));
});

describe('several stacks', () => {
  /** Runs the job that merges what those of a matrix have left. */
  const summarise = (more: Variables = {}) =>
    step('summary.mjs', {
      ...{ GITHUB_RUN_ID: '77', GITHUB_WORKFLOW: 'review' },
      ...{ REVIEW_PULL_REQUESTS: '7', REVIEW_COMMIT: 'abc123', REVIEW_TOKEN: 'canary-token' },
      REVIEW_STACKS: 'org/acme/dev\norg/acme/prod\norg/acme/test\norg/acme/lost',
      ...more,
    });
  const left = (name: string, { outputs }: StepRun, below = ''): void => {
    const text = (file: string) => readFileSync(outputs[file] ?? '', 'utf8');
    const files = { [`${below}report.json`]: text('report'), [`${below}report.md`]: text('markdown') };
    api.artifacts.set(`77/${name}`, zipOf(files, { isStored: true }));
  };

  test('in one job do not overwrite each other, and share one comment, a line each and the worst first', async () => {
    const dev = await act(harmless);
    const prod = await act(opening.replaceAll('pulumi:dev::', 'pulumi:prod::'), {
      REVIEW_STACK: 'org/acme/prod',
    });
    const tested = await act('no preview', { REVIEW_STACK: 'org/acme/test' });
    expect(JSON.parse(readFileSync(dev.outputs['report'] ?? '', 'utf8'))).toMatchObject({ stack: 'dev' });
    expect(readFileSync(dev.outputs['plan'] ?? '', 'utf8')).not.toBe(
      readFileSync(prod.outputs['plan'] ?? '', 'utf8'),
    );
    left(dev.outputs['review-name'] ?? '', dev);
    left('access-review-org~acme~prod', prod, '7/');
    api.artifacts.set('77/access-review-org~acme~test', zipOf({ 'report.md': tested.summary }));
    expect((await summarise()).exitCode).toBe(0);
    const [{ body }] = api.comments as [Comment];
    const lines = body.split('\n').filter((line) => line.startsWith('- `'));
    expect(lines).toEqual([
      '- `org/acme/test` 🔴 **No review could be made: it ended with an error, which is in the log of the job.** Nothing is known about what this change does.',
      '- `org/acme/lost` 🔴 **No review could be made: its job left no report.** Nothing is known about what this change does.',
      expect.stringMatching(/^- `org\/acme\/prod` 🔴 \*\*Look closely: 1 critical/) as string,
      '- `org/acme/dev` 🟢 **This change does not affect access.**',
    ]);
    expect(body).toContain(`<details><summary>org/acme/prod</summary>\n\n${prod.summary}\n</details>`);
    await summarise();
    expect(api.comments).toHaveLength(1);
  });

  test('that a change does not affect get no comment, and too long a report only its line', async () => {
    left('access-review-org~acme~dev', await act(harmless));
    const only = { REVIEW_STACKS: 'org/acme/dev' };
    await summarise(only);
    expect(api.comments).toEqual([]);
    const run = await act(affecting);
    writeFileSync(run.outputs['markdown'] ?? '', `🟡 **Access changes.**\n${'x'.repeat(70_000)}`);
    left('access-review-org~acme~dev', run);
    await summarise(only);
    expect(api.comments[0]?.body).toContain(
      '- `org/acme/dev` 🟡 **Access changes.**\n\nToo long for a comment',
    );
  });
});

test('nothing is installed, no .npmrc is read, and no command of the project is run', async () => {
  for (const name of ['npm', 'npx', 'pulumi-edge-policy-cli'])
    program(folder, name, `touch ${folder}/was-run; exit 1`);
  const bin = path.join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  program(bin, 'pulumi-edge-policy-cli', `touch ${folder}/was-run`);
  for (const name of ['pulumi-edge-policy', 'pulumi-edge-policy-cli', 'pulumi-edge-policy-review']) {
    mkdirSync(path.join(project, 'node_modules', name), { recursive: true });
    writeFileSync(
      path.join(project, 'node_modules', name, 'index.js'),
      `require('fs').writeFileSync(${JSON.stringify(path.join(folder, 'was-run'))}, '')`,
    );
  }
  writeFileSync(path.join(project, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const { outputs } = await act(affecting);
  expect(outputs['exit-code']).toBe('1');
  expect(existsSync(path.join(folder, 'was-run'))).toBe(false);
});

test('a commit without the bundle reviews nothing, and says so', async () => {
  const bundle = path.join(action, 'dist');
  execFileSync('mv', [bundle, `${bundle}-away`]);
  const { outputs, summary } = await act(affecting);
  execFileSync('mv', [`${bundle}-away`, bundle]);
  expect(outputs['exit-code']).toBe('3');
  expect(summary).toContain(
    'No review could be made: this commit of the action carries no review; run `npm ci && npm run bundle:action`',
  );
});

test('what a template leaves open is refused before anything runs, each by the name of its input', async () => {
  const { outputs, summary } = await act(affecting, {
    ...{
      REVIEW_STACK: '<organization>/<project>/<stack>',
      REVIEW_DIRECTORY: '<folder>',
      PULUMI_ACCESS_TOKEN: '',
    },
  });
  expect(outputs['exit-code']).toBe('3');
  expect(summary).toContain(
    'the workflow lacks `stack`, which is still `<organization>/<project>/<stack>`; ',
  );
  expect(summary).toContain(
    '`working-directory`, which is still `<folder>`; the secret behind PULUMI_ACCESS_TOKEN',
  );
  expect(existsSync(path.join(folder, 'pulumi-calls'))).toBe(false);
});

test('what is new stands on its lines, at most ten, the worst first, and no name of the program is a command', async () => {
  const rules = Array.from({ length: 12 }, (_, at) => added(`rule-${at}`, rule(`${at + 11}.0.0.0/16`)));
  const sourcePosition = `project:///${encodeURIComponent('a,title=b%0A::error::c.ts')}#9,1`;
  const open = { ...added('open', rule('0.0.0.0/0')), newState: { sourcePosition } };
  mkdirSync(path.join(project, 'infra'));
  const more = { REVIEW_DIRECTORY: 'infra', GITHUB_WORKSPACE: project };
  const { log } = await act(previewText([...rules, open]), more);
  const lines = log.split('\n').filter((line) => line.startsWith('::warning '));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatch(
    /^::warning file=infra\/a%2Ctitle=b%250A%3A%3Aerror%3A%3Ac\.ts,line=9,title=critical%3A /,
  );
  expect(lines[9]).toMatch(/^::warning file=infra\/index\.ts,line=\d+,title=low%3A .*::.*/);
});

describe('the comment', () => {
  let affects: StepRun;
  let opens: StepRun;
  let harms: StepRun;
  beforeAll(async () => {
    const reviewIn = async (preview: string): Promise<StepRun> => {
      folder = folderOf({}, 'file');
      project = path.join(folder, 'project');
      mkdirSync(project);
      return act(preview);
    };
    affects = await reviewIn(affecting);
    opens = await reviewIn(opening);
    harms = await reviewIn(harmless);
  });

  test('is updated in place, and left alone when nothing is new', async () => {
    await comment(affects);
    await comment(opens);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain('open-to-all');
    const before = api.requests.length;
    await comment(opens);
    expect(api.requests.slice(before).map((request) => request.split(' ', 2).join(' '))).toEqual([
      'POST /graphql',
      'GET /repos/acme/edge/issues/7/comments?per_page=100&page=1',
    ]);
  });

  test('says so when the change no longer affects access, and there is none if it never did', async () => {
    await comment(harms);
    expect(api.comments).toEqual([]);
    await comment(affects);
    await comment(harms);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain('no longer affects access');
    await comment(affects);
    expect(api.comments[0]?.body).not.toContain('no longer affects access');
  });

  test.each<[fact: string, again: () => Promise<Pick<StepRun, 'outputs'>>, said: string]>([
    ['the review refuses its input', () => act('no preview'), ': it ended with an error'],
    [
      'the preview does not end',
      () => {
        program(folder, 'cat', 'exec sleep 60');
        return act(affecting, { REVIEW_PREVIEW_MINUTES: '0.002' });
      },
      ': the preview took too long',
    ],
    ['the step was killed', () => Promise.resolve({ outputs: {} }), ''],
  ])('is replaced by that of a review that cannot be made: %s', async (_fact, again, said) => {
    await comment(affects);
    const { outputs } = await again();
    expect(outputs).not.toHaveProperty('page');
    expect((await comment({ outputs })).exitCode).toBe(0);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain(`No review could be made${said}`);
    expect(api.comments[0]?.body).not.toContain('9.9.9.0/24');
  });

  test('is found behind a hundred others, and each stack has its own', async () => {
    await comment(affects);
    const [own] = api.comments.splice(0);
    for (let id = 1000; id < 1150; id += 1)
      api.comments.push({ id, body: 'a discussion', user: { login: 'somebody' } });
    if (own) api.comments.push({ ...own, id: 2000 });
    await comment(harms);
    expect(api.comments).toHaveLength(151);
    await comment(affects, { REVIEW_STACK: 'org/acme-2/dev' });
    expect(api.comments).toHaveLength(152);
    expect(api.comments.at(-1)?.body.split('\n', 1)[0]).toBe(
      '<!-- edge-policy-review org%2Facme%2D2%2Fdev -->',
    );
  });

  test('that somebody else starts with the marker is never touched, whatever its text', async () => {
    await comment(affects);
    const [{ body }] = api.comments.splice(0) as [Comment];
    const foreign = [
      { id: 1, body: '<!-- edge-policy-review org%2Facme%2Fdev -->\n', user: { login: 'somebody' } },
      { id: 2, body, user: { login: 'github-actions' } },
    ];
    api.comments.push(...foreign.map((one) => ({ ...one })));
    await comment(affects);
    expect(api.comments).toEqual([...foreign, { id: 3, body, user: { login: OWN_LOGIN } }]);
  });

  test.each([
    ['a page that was not uploaded', ''],
    ['a link that is none', 'https://example.com/) ![x](y'],
  ])('does not link %s', async (_what, REVIEW_PAGE) => {
    await comment(affects, { REVIEW_PAGE });
    expect(api.comments[0]?.body).toContain('9.9.9.0/24');
    expect(api.comments[0]?.body).not.toContain('Who gets in, before and after');
  });

  test.each([429, 502])('is written once, whatever calls are answered with %d at first', async (status) => {
    const comments = '/repos/acme/edge/issues/7/comments';
    const calls = ['POST /graphql', `GET ${comments}`, `POST ${comments}`];
    api.outages.push(...calls.map((call) => ({ call, status })));
    api.outages.push({ call: `POST ${comments}`, status, isDone: true });
    await comment(affects);
    api.outages.push({ call: 'PATCH ', status });
    await comment(opens);
    expect([api.outages, api.comments.length]).toEqual([[], 1]);
    expect(api.comments[0]?.body).toContain('open-to-all');
  });

  test('that cannot be written for long is given up, with a warning', async () => {
    const call = 'PATCH ';
    await comment(affects);
    api.outages.push(...Array.from({ length: 5 }, () => ({ call, status: 503 })));
    expect((await comment(opens)).log).toContain('::warning::The review could not be posted as a comment');
    expect(api.outages).toHaveLength(1);
  });

  test('that a token may not write is a warning, and costs no review', async () => {
    api.outages.push({ call: 'POST /repos/acme/edge/issues/7/comments', status: 403 });
    const { exitCode, log } = await comment(affects);
    expect(exitCode).toBe(0);
    expect(log).toContain('::warning::The review could not be posted as a comment');
  });
});

const git = (...args: string[]): string => gitIn(project, ...args);
const commitAll = (): string => commitAllIn(project);

/** The base branch with this commit as its tip, as a checkout with the whole history has it. */
const against = (tip: string): Variables => {
  git('update-ref', 'refs/remotes/origin/main', tip);
  return { REVIEW_BASE: 'main' };
};

describe('the published networks of the base', () => {
  const [old, young] = [['8.8.8.0/24'], ['8.8.8.0/24', '9.9.9.0/24']];
  const commit = (networks: readonly string[], url: string): string => {
    const checked = new Date().toISOString().slice(0, 10);
    const texts = feedTexts({ cdn: { networks, checked, source: { url: [url], format: 'text' } } });
    writeFileSync(path.join(folder, 'project', 'edge-policy.feeds.json'), texts.declarations);
    writeFileSync(path.join(folder, 'project', 'edge-policy.feeds.lock.json'), texts.lock);
    return commitAll();
  };

  test('the publisher is asked, from a folder below that of the feeds, too', async () => {
    const publisher = await PublisherServer.start();
    git('init', '-q');
    const url = publisher.publish('/list', young.join('\n'));
    const base = commit(old, url);
    commit(young, url);
    project = path.join(project, 'infra');
    mkdirSync(project);
    const { summary } = await act(affecting, against(base));
    expect(summary).toContain('`cdn`: 1 network more, 0 fewer, confirmed with the publisher.');
    expect(publisher.requests).toBe(1);
  });

  test('a base that cannot be read is high', async () => {
    git('init', '-q');
    commit(old, 'https://lists.example.com/');
    const { summary } = await act(harmless, { REVIEW_BASE: 'main' });
    expect(summary).toContain('base-feeds-unread');
  });

  test('a project without feeds hears nothing of them', async () => {
    git('init', '-q');
    writeFileSync(path.join(project, 'file'), '');
    const { summary } = await act(harmless, against(commitAll()));
    expect(summary).not.toContain('feed');
  });
});

describe('the assertions of the base', () => {
  const FILE = 'edge-policy.assertions.json';
  const STRICT = '{ "gate": { "failOn": "low" } }';
  const WEAKENED = 'removes or weakens: `failOn`';
  const UNREAD = 'The assertions of the base revision cannot be read';
  const write = (text: string): void => {
    writeFileSync(path.join(project, FILE), text);
  };
  const summaryAgainst = async (base: string, more: Variables = {}): Promise<string> => {
    const { summary } = await act(harmless, { ...against(base), ...more });
    return summary;
  };
  let base: string;
  beforeEach(() => {
    git('init', '-q');
    write(STRICT);
    base = commitAll();
    write('{}');
    commitAll();
  });

  test.each([
    ['is the default one', () => ''],
    ['is absolute', () => `--assertions\n${path.join(project, FILE)}`],
    ['is roundabout', () => `--assertions\n../project/./${FILE}`],
  ])('show what the change takes from them, by a path that %s', async (_, argumentsOf) => {
    const { summary, log } = await act(harmless, { ...against(base), REVIEW_ARGUMENTS: argumentsOf() });
    expect(summary).toContain(WEAKENED);
    expect(log).not.toContain('::notice::');
  });

  test('are none where the file is new, which is not said where the change has none either', async () => {
    rmSync(path.join(project, FILE));
    const without = commitAll();
    expect((await act(harmless, against(without))).log).not.toContain('::notice::');
    write(STRICT);
    commitAll();
    const { summary, log } = await act(harmless, against(without));
    expect(summary).toContain('does not affect access');
    expect(log).toContain(`::notice::The base has no ${FILE} yet: `);
  });

  test('are those of the stack, too, which count in the change whatever other files its arguments name', async () => {
    const OWN = 'edge-policy.assertions.dev.json';
    write(STRICT);
    writeFileSync(path.join(project, OWN), STRICT);
    const both = commitAll();
    write('{}');
    const other = { ...against(both), REVIEW_ARGUMENTS: '--assertions=other.json' };
    writeFileSync(path.join(project, 'other.json'), '{}');
    expect((await act(harmless, other)).summary).toContain('does not affect access');
    rmSync(path.join(project, OWN));
    for (const more of [against(both), other])
      expect((await act(harmless, more)).summary).toContain(WEAKENED);
  });

  test('are not what a replacement ref says', async () => {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: project,
      input: '{}',
      encoding: 'utf8',
    }).trim();
    git('replace', git('rev-parse', `${base}:${FILE}`), blob);
    expect(await summaryAgainst(base)).toContain(WEAKENED);
  });

  test('are unread, and not missing, where a partial clone lacks the file', async () => {
    const object = git('rev-parse', `${base}:${FILE}`);
    rmSync(path.join(project, '.git/objects', object.slice(0, 2), object.slice(2)));
    expect(await summaryAgainst(base)).toContain(UNREAD);
  });

  test('are unread where the history is missing, or where the file is outside of the repository', async () => {
    expect((await act(harmless, { REVIEW_BASE: 'main' })).summary).toContain(UNREAD);
    writeFileSync(path.join(folder, 'outside.json'), '{}');
    expect(await summaryAgainst(base, { REVIEW_ARGUMENTS: '--assertions\n../outside.json' })).toContain(
      UNREAD,
    );
  });

  test('are unread where the base has a link in place of the file', async () => {
    rmSync(path.join(project, FILE));
    symlinkSync('elsewhere.json', path.join(project, FILE));
    const linked = commitAll();
    rmSync(path.join(project, FILE));
    write('{}');
    commitAll();
    expect(await summaryAgainst(linked)).toContain(UNREAD);
  });

  test('are those at the tip of its branch, not where the change began', async () => {
    git('checkout', '-q', '-b', 'feature', base);
    write('{}');
    commitAll();
    git('checkout', '-q', '-b', 'newer', base);
    write('{ "gate": { "failOn": "info" } }');
    const tip = commitAll();
    git('checkout', '-q', 'feature');
    expect(await summaryAgainst(tip)).toContain('`failOn` `info` (now `high`)');
  });

  describe('are found by the name of the project, whatever the change does to folders and links', () => {
    const at = (...parts: string[]): string => path.join(project, ...parts);
    const projectIn = (place: string, name: string, guards: string): void => {
      mkdirSync(at(place));
      writeFileSync(at(place, 'Pulumi.yaml'), `name: ${name}\nruntime: nodejs\n`);
      writeFileSync(at(place, FILE), guards);
    };
    beforeEach(() => {
      rmSync(at(FILE));
      projectIn('infra', 'acme', STRICT);
      projectIn('lax', 'other', '{}');
      base = commitAll();
    });
    const summaryIn = async (place: string): Promise<string> => {
      commitAll();
      git('update-ref', 'refs/remotes/origin/main', base);
      project = at(place);
      const { summary } = await act(harmless, { REVIEW_BASE: 'main' });
      return summary;
    };

    test('a folder that is as it was has what it had', async () => {
      writeFileSync(at('other'), '');
      expect(await summaryIn('infra')).toContain('does not affect access');
    });

    const rename = (): void => {
      renameSync(at('infra'), at('renamed'));
      writeFileSync(at('renamed', FILE), '{}');
    };

    test('a folder with another name', async () => {
      rename();
      expect(await summaryIn('renamed')).toContain(WEAKENED);
    });

    test.each([
      ['folder', 'infra', 'lax'],
      ['file', `infra/${FILE}`, `../lax/${FILE}`],
    ])('a link in place of the %s', async (_, place, target) => {
      rmSync(at(place), { recursive: true });
      symlinkSync(target, at(place));
      expect(await summaryIn('infra')).toContain(WEAKENED);
    });

    test.each([
      ['a space before the colon', 'Pulumi.yaml', 'name : acme\nruntime: nodejs\n'],
      ['a key in quotes', 'Pulumi.yaml', '"name": acme\nruntime: nodejs\n'],
      ['JSON', 'Pulumi.json', '{ "name": "acme", "runtime": "nodejs" }'],
    ])('a name that the base spells with %s may be any', async (_, file, text) => {
      rmSync(at('infra', 'Pulumi.yaml'));
      writeFileSync(at('infra', file), text);
      base = commitAll();
      rename();
      expect(await summaryIn('renamed')).toContain(UNREAD);
    });

    test('two folders of the base with one name are not decided', async () => {
      projectIn('copy', '"acme" # twice', '{}');
      base = commitAll();
      writeFileSync(at('other'), '');
      expect(await summaryIn('copy')).toContain(UNREAD);
    });
  });

  test('are read before any program of the change runs', async () => {
    program(folder, 'git', `test ! -e ${folder}/pulumi-calls && echo early >> ${folder}/git-calls; exit 1`);
    await act(harmless, against(base));
    expect(readFileSync(path.join(folder, 'git-calls'), 'utf8')).toContain('early');
  });
});

test('the step with the token runs one script of ours, also after a failure, and only for a pull request', () => {
  const steps = stepsOf('action.yml');
  const withToken = steps.filter((step) => step.includes('github-token'));
  expect(withToken).toHaveLength(1);
  expect(withToken[0]).toContain("always() && inputs.comment == 'true' && github.event.pull_request.number");
  expect(withToken[0]).toContain('run: node "$REVIEW_ACTION_PATH/action/comment-step.mjs"');
  expect(withToken[0]).not.toContain('working-directory');
  // The page is uploaded before the comment links it.
  const upload = steps.findIndex((step) => step.includes('actions/upload-artifact@'));
  expect(steps[upload]).toContain('id: page\n');
  expect(steps[upload]).toContain('path: ${{ steps.review.outputs.page }}');
  expect(steps[upload]).toContain('name: ${{ steps.review.outputs.page-name }}');
  expect(steps[upload + 1]).toContain('REVIEW_PAGE: ${{ steps.page.outputs.artifact-url }}');
});

test('the step that previews asks nothing of the API, and knows no token', () => {
  const scripts = ['main.mjs', 'bundled-review.mjs', 'run-quietly.mjs', 'base-assertions.mjs'].map((name) =>
    textOf(`action/${name}`),
  );
  expect(scripts.join('\n')).not.toMatch(/TOKEN|github\.mjs|fetch\(/);
});
