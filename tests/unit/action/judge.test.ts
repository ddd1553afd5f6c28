import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { folderOf } from '../../support/folder';
import { textOf } from '../../support/workspace';
import { PublisherServer } from '../../support/feeds/publisher-server';
import { feedTexts } from '../review/pinned-feeds';
import { added, previewText, rule } from '../review/preview-builder';
import {
  affecting,
  environmentIn,
  harmless,
  opening,
  program,
  releasedAction,
  runStep,
  type StepRun,
} from './action-folder';
import { StandInGitHub, zipOf } from './stand-in-github';

const HEAD = 'aaa111';
const BASE = 'bbb222';
const FILE = 'infra/edge-policy.assertions.json';
const STRICT = '{ "gate": { "failOn": "medium" } }';
const pull = { number: 7, branch: 'feature', head: HEAD, into: 'main', base: '000aaa' };

let action: string;
let folder: string;
let api: StandInGitHub;

beforeAll(async () => {
  action = await releasedAction();
});
beforeEach(async () => {
  folder = folderOf();
  api = await StandInGitHub.start();
  api.pulls.push(pull);
  api.tips.set('main', BASE);
  [HEAD, BASE].forEach((commit) => api.commits.add(commit));
  api.files.set(`${BASE}:infra/Pulumi.yaml`, 'name: acme\nruntime: nodejs\n');
});

type Judged = StepRun & { readonly comment: string };

/** Runs the step of the workflow on `workflow_run`; the preview is what the other workflow has uploaded. */
async function judge(
  preview: string | Buffer | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Judged> {
  const archive = typeof preview === 'string' ? zipOf({ 'preview.json': preview }) : preview;
  if (archive) api.artifacts.set('55/edge-policy-preview', archive);
  else api.artifacts.clear();
  const workflowRun = {
    id: 55,
    event: 'pull_request',
    head_sha: HEAD,
    head_branch: 'feature',
    head_repository: { full_name: 'acme/edge', owner: { login: 'acme' } },
  };
  const event = path.join(folder, 'event');
  writeFileSync(event, JSON.stringify({ workflow_run: workflowRun }));
  const environment = {
    ...environmentIn(folder, api),
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_RUN_ID: '77',
    GITHUB_EVENT_PATH: event,
    REVIEW_BRANCHES: 'main\nrelease/1',
    REVIEW_DIRECTORY: 'infra',
    REVIEW_TOKEN: 'canary-token',
    ...more,
  };
  const run = await runStep(path.join(action, 'judge.mjs'), environment, folder);
  return { ...run, comment: api.comments.at(-1)?.body ?? '' };
}

test('an ordinary gain is commented with its commit, and fails no status', async () => {
  const { exitCode, comment, outputs } = await judge(affecting);
  expect(exitCode).toBe(0);
  expect(comment).toContain('9.9.9.0/24');
  expect(comment).toMatch(new RegExp(`\\nReviewed commit: ${HEAD}, against main at ${BASE}\\n$`));
  expect(outputs['exit-code']).toBe('0');
  expect(api.statuses).toEqual([
    {
      sha: HEAD,
      state: 'success',
      context: 'access review: org/acme/dev into main',
      description: `Nothing stops this change. Guards: main at ${BASE}.`,
    },
  ]);
});

test('what is not served at first is asked for again', async () => {
  const calls = [
    'GET /repos/acme/edge/pulls',
    'GET /repos/acme/edge/actions',
    'GET /storage',
    'POST /repos/acme/edge/statuses',
  ];
  api.outages.push(...calls.map((call) => ({ call, status: 503 })));
  await judge(affecting);
  expect([api.outages, api.statuses.length]).toEqual([[], 1]);
});

describe('what the workflow lacks is named', () => {
  test.each([
    ['REVIEW_BRANCHES', '<branch>', 'the workflow lacks `branches`, which is still `<branch>`'],
    ['REVIEW_DIRECTORY', 'infar', 'the `working-directory` of the workflow has no Pulumi.yaml'],
    ['REVIEW_STATE', 'state.json', 'exported no state: look at its log, and at its secret'],
  ])('%s', async (variable, value, said) => {
    writeFileSync(path.join(folder, 'state.json'), '');
    const { exitCode, comment, log } = await judge(harmless, { [variable]: value });
    expect(exitCode).toBe(1);
    expect(comment + log).toContain(said);
  });
});

test('a change of nothing gets a status and no comment', async () => {
  await judge(harmless);
  expect(api.comments).toEqual([]);
  expect(api.statuses).toMatchObject([{ state: 'success' }]);
});

test('guards are those at the tip of the base, read from the service and not from the artifact', async () => {
  // The pull request was opened against an earlier commit of the branch.
  api.commits.add(pull.base);
  api.files.set(`${pull.base}:${FILE}`, '{}');
  api.files.set(`${BASE}:${FILE}`, STRICT);
  api.files.set(`${HEAD}:${FILE}`, '{}');
  const { outputs, comment, log } = await judge(affecting);
  expect(outputs['exit-code']).toBe('1');
  expect(comment).toContain('removes or weakens: `failOn`');
  expect(log).not.toContain('::notice::');
});

describe('a change of guards is accepted in an environment', () => {
  const LENIENT = 'the environment for accepting guards lets authors accept their own changes';
  const accepting = async (rules: readonly object[], environment = 'guards'): Promise<Judged> => {
    api.files.set(`${BASE}:${FILE}`, STRICT);
    const { outputs } = await judge(affecting);
    api.environmentRules = [...rules];
    return judge(affecting, {
      REVIEW_ACCEPT_GUARDS: outputs['guards'] ?? '',
      REVIEW_GUARDS_ENVIRONMENT: environment,
    });
  };

  test('whose reviewers cannot approve their own runs', async () => {
    const { outputs, comment } = await accepting([{ type: 'required_reviewers', prevent_self_review: true }]);
    expect(outputs).toMatchObject({ 'exit-code': '0', guards: '' });
    expect(comment).toContain('guards-accepted');
  });

  test.each<[string, object[], string]>([
    ['has no protection', [], 'guards'],
    ['only waits', [{ type: 'wait_timer', prevent_self_review: true }], 'guards'],
    ['lets reviewers approve their own runs', [{ type: 'required_reviewers' }], 'guards'],
    ['has no name', [{ type: 'required_reviewers', prevent_self_review: true }], ''],
  ])('and not in one that %s', async (_what, rules, environment) => {
    const { exitCode, comment } = await accepting(rules, environment);
    expect(exitCode).toBe(1);
    expect(comment).toContain(environment === '' ? 'none is named' : LENIENT);
  });
});

describe('the assertion file of the stack', () => {
  const OWN = 'infra/edge-policy.assertions.dev.json';

  test('counts with the common one; one that the change deletes is a weakened guard, also where others are named', async () => {
    api.files.set(`${BASE}:${OWN}`, STRICT);
    api.files.set(`${BASE}:infra/edge-policy.assertions.prod.json`, '{ "gate": { "noNewAccess": true } }');
    const { comment, outputs } = await judge(affecting, { REVIEW_ASSERTIONS: 'other.json' });
    expect(comment).toContain('removes or weakens: `failOn` `medium` (now `high`).');
    api.files.set(`${HEAD}:${OWN}`, STRICT);
    expect((await judge(affecting)).comment).not.toContain('removes or weakens');
    expect(outputs['exit-code']).toBe('1');
  });

  test('is refused where its name differs only in case', async () => {
    api.files.set(`${HEAD}:infra/edge-policy.assertions.Dev.json`, STRICT);
    expect((await judge(affecting)).comment).toContain(
      'differs only in case from edge-policy.assertions.json or edge-policy.assertions.dev.json',
    );
  });
});

test('an assertion that the change itself adds is checked', async () => {
  const assertion = { ipPolicyId: 'ipp_1', mustDeny: ['9.9.9.9'] };
  api.files.set(`${HEAD}:${FILE}`, JSON.stringify({ policies: [assertion] }));
  const { comment, log } = await judge(affecting);
  expect(comment).toContain('assertion-failed');
  expect(log).toContain(`::notice::The base has no ${path.basename(FILE)} yet: `);
});

describe('what cannot be read has no "no file": no review is made', () => {
  test.each([
    ['the base', () => api.commits.delete(BASE)],
    ['the head', () => api.commits.delete(HEAD)],
    ['the tip of the branch', () => api.tips.delete('main')],
  ])('%s', async (_, lose) => {
    lose();
    const { exitCode, comment } = await judge(affecting);
    expect(exitCode).toBe(1);
    expect(comment).toContain('No review could be made: GitHub did not return what is needed to make one');
    expect(api.statuses).toMatchObject([{ sha: HEAD, state: 'error' }]);
  });
});

describe('the pull request is found by its head', () => {
  test.each([
    ['a newer push makes the run moot', { head: 'ccc333' }],
    ['one of another repository with the same branch and commit is not it', { repository: 'acme/fork' }],
  ])('%s: no comment, no status', async (_, found) => {
    api.pulls[0] = { ...pull, ...found };
    const { exitCode, log } = await judge(opening);
    expect([exitCode, api.comments, api.statuses]).toEqual([0, [], []]);
    expect(log).toContain('No open pull request has this commit as its head');
  });

  test('whatever number the artifact claims', async () => {
    const claiming = JSON.stringify({ ...(JSON.parse(opening) as object), pull_request: 8, number: 8 });
    await judge(claiming);
    expect(api.requests.filter((request) => request.startsWith('POST /repos/acme/edge/issues/'))).toEqual([
      expect.stringContaining('/issues/7/comments') as string,
    ]);
  });

  test('of several with one head each is judged by its own base, and has a status of its own', async () => {
    api.pulls.push({ ...pull, number: 8, into: 'release/1' });
    api.tips.set('release/1', 'ddd444');
    api.commits.add('ddd444');
    api.files.set(`${BASE}:${FILE}`, STRICT);
    api.files.set(`ddd444:${FILE}`, '{}');
    const { outputs } = await judge(affecting);
    expect(api.statuses).toMatchObject([
      { sha: HEAD, state: 'failure', context: 'access review: org/acme/dev into main' },
      { sha: HEAD, state: 'success', context: 'access review: org/acme/dev into release/1' },
    ]);
    expect(outputs['exit-code']).toBe('1');
  });
});

describe('a verdict is about the branch, the commit and the stack that the job names', () => {
  test('a pull request against a branch that the job does not name is refused, and gives no green status', async () => {
    api.pulls[0] = { ...pull, into: 'mine' };
    api.tips.set('mine', BASE);
    const { exitCode, comment } = await judge(harmless);
    expect(exitCode).toBe(1);
    expect(comment).toContain(
      'No review could be made: this job judges changes of main, release/1 only, not those of other branches',
    );
    expect(api.statuses).toMatchObject([
      { state: 'error', context: 'access review: org/acme/dev into mine' },
    ]);
  });

  test.each([
    ['another stack, without a state', 'acme/prod', {}],
    ['another project, with an empty state', 'other/dev', { deployment: {} }],
  ])('a preview of %s is refused', async (_, named, state) => {
    writeFileSync(path.join(folder, 'state.json'), JSON.stringify(state));
    const { outputs, comment } = await judge(previewText([added('new', rule('9.9.9.0/24'))]), {
      REVIEW_STACK: `org/${named}`,
      ...('deployment' in state && { REVIEW_STATE: path.join(folder, 'state.json') }),
    });
    expect(outputs['exit-code']).toBe('2');
    expect(comment).toContain(`belongs to \`acme/dev\`, but the stack to review is \`org/${named}\``);
    expect(api.statuses).toMatchObject([{ state: 'failure' }]);
  });

  test('so is a state of another stack, even one that holds nothing of ours', async () => {
    const state = path.join(folder, 'state.json');
    const urn = 'urn:pulumi:prod::acme::pulumi:pulumi:Stack::acme-prod';
    writeFileSync(
      state,
      JSON.stringify({ deployment: { resources: [{ urn, type: 'pulumi:pulumi:Stack' }] } }),
    );
    const { outputs } = await judge(previewText([added('new', rule('9.9.9.0/24'))]), { REVIEW_STATE: state });
    expect(outputs['exit-code']).toBe('2');
  });

  test.each(['acme/dev', 'org/acme/dev/x', 'org//dev'])(
    'the name %s does not say which stack of which project it is, so nothing is judged',
    async (named) => {
      const { exitCode, log } = await judge(harmless, { REVIEW_STACK: named });
      expect(exitCode).toBe(1);
      expect(log).toContain('give the full name of the stack, as ORGANIZATION/PROJECT/STACK');
      expect(api.statuses).toEqual([]);
    },
  );
});

describe('an artifact that anybody may have made', () => {
  const bomb = (): Buffer => zipOf({ 'preview.json': ' '.repeat(129 * 1024 * 1024) });
  test.each([
    ['no zip archive', () => Buffer.from('hello')],
    ['an empty one', () => Buffer.alloc(0)],
    ['noise', () => Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(500), Buffer.from('PK\x05\x06')])],
    ['an archive without the preview', () => zipOf({ '../preview.json': affecting })],
    ['an archive that unpacks to more than it may', bomb],
    [
      'an archive with offsets outside of it',
      () => {
        const archive = zipOf({ 'preview.json': affecting });
        archive.writeUInt32LE(0xfffffff0, archive.length - 6);
        return archive;
      },
    ],
  ])('is refused: %s', async (_, made) => {
    const { exitCode, comment } = await judge(made());
    expect(exitCode).toBe(1);
    expect(comment).toContain('No review could be made: the artifact of the preview cannot be read');
    expect(api.statuses).toMatchObject([{ state: 'error' }]);
  });

  test('is refused by its size before it is fetched', async () => {
    api.archiveSize = 1024 ** 3;
    const { comment } = await judge(affecting);
    expect(comment).toContain('the artifact of the preview is too large');
    expect(api.requests.some((request) => request.includes('/zip'))).toBe(false);
  });

  test('may be missing, which takes the place of the old comment', async () => {
    await judge(opening);
    const { comment } = await judge(undefined);
    expect(api.comments).toHaveLength(1);
    expect(comment).toContain('No review could be made: the preview left no artifact');
    expect(comment).not.toContain('open-to-all');
  });

  test('may hold no preview, or the shortest one: neither passes', async () => {
    await judge('[]');
    await judge('{"steps":[]}');
    expect(api.statuses.map(({ state }) => state)).toEqual(['error', 'failure']);
  });
});

test('the storage that an artifact lies in gets no token, and neither does the review', async () => {
  writeFileSync(path.join(folder, 'state.json'), '');
  await judge(affecting);
  expect(api.requests.filter((request) => request.startsWith('GET /storage/'))).toEqual([
    'GET /storage/100 ',
  ]);
});

test('nothing of a checkout is read or run: no assertion file, no settings of npm, no program beside the job', async () => {
  writeFileSync(path.join(folder, 'edge-policy.assertions.json'), '{ "gate": { "failOn": "never" } }');
  writeFileSync(path.join(folder, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  for (const name of ['npm', 'npx', 'git', 'pulumi', 'edge-policy'])
    program(folder, name, `touch ${folder}/was-run; exit 1`);
  const { outputs } = await judge(opening);
  expect(outputs['exit-code']).toBe('1');
  expect(existsSync(path.join(folder, 'was-run'))).toBe(false);
});

describe('published networks', () => {
  const [DECLARATIONS, LOCK] = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];
  const old = ['8.8.8.0/24'];
  const young = ['8.8.8.0/24', '9.9.9.0/24'];
  let publisher: PublisherServer;
  let elsewhere: PublisherServer;
  let url: string;
  beforeEach(async () => {
    [publisher, elsewhere] = [await PublisherServer.start(), await PublisherServer.start()];
    url = publisher.publish('/list', young.join('\n'));
  });
  const commit = (sha: string, place: string, networks: readonly string[], source: string = url): void => {
    const feed = { networks, source: { url: [source], format: 'text' }, checked: today };
    const texts = feedTexts({ cdn: feed });
    api.files.set(`${sha}:${place}${DECLARATIONS}`, texts.declarations);
    api.files.set(`${sha}:${place}${LOCK}`, texts.lock);
  };
  const today = new Date().toISOString().slice(0, 10);

  test('the job asks the publisher by the declaration of the base, which may lie at the root', async () => {
    commit(BASE, '', old);
    commit(HEAD, '', young);
    const { comment, outputs } = await judge(affecting);
    expect(outputs['exit-code']).toBe('0');
    expect(comment).toContain('`cdn`: 1 network more, 0 fewer, confirmed with the publisher.');
    expect(publisher.requests).toBe(1);
  });

  test('nothing that the change declares is ever fetched, in whichever folder it declares it', async () => {
    const evil = elsewhere.publish('/list', young.join('\n'));
    publisher.publish('/list', old.join('\n'));
    commit(BASE, '', old);
    commit(HEAD, 'infra/', young, evil);
    const { comment } = await judge(affecting);
    expect(comment).toContain('guard-weakened');
    expect(comment.split('<details>')[0]).toContain(
      'its publisher does not list `9.9.9.0/24` (256 addresses)',
    );
    expect(api.statuses).toMatchObject([{ state: 'failure' }]);
    expect(publisher.requests).toBe(1);
    api.files.delete(`${BASE}:${DECLARATIONS}`);
    await judge(affecting);
    expect(publisher.requests).toBe(1);
    expect(elsewhere.requests).toBe(0);
  });

  test('no change of a lock, no request', async () => {
    commit(BASE, '', old);
    commit(HEAD, '', old);
    await judge(harmless);
    expect(api.statuses).toMatchObject([{ state: 'success' }]);
    expect(publisher.requests).toBe(0);
  });

  test('a lock that is larger than any leaves the change without a review', async () => {
    commit(BASE, '', old);
    commit(HEAD, '', young);
    api.files.set(`${HEAD}:${LOCK}`, ' '.repeat(17 * 1024 * 1024));
    await judge(affecting);
    expect(api.statuses).toMatchObject([{ state: 'error' }]);
  });
});

test('a path of assertions that leaves the repository is refused', async () => {
  for (const name of ['/etc/passwd', '../../x.json']) {
    const { comment } = await judge(affecting, { REVIEW_ASSERTIONS: name });
    expect(comment).toContain('an assertion file must be in the repository');
  }
});

test('the action that judges and the workflow that calls it give no code of the change a chance to run', () => {
  const workflow = textOf('docs/review-workflows/access-review.yml');
  expect(workflow).toContain('workflow_run:');
  expect(workflow).not.toMatch(/checkout|npm |setup-node|run-id|github\.head_ref/);
  const preview = textOf('docs/review-workflows/access-preview.yml');
  expect(preview).not.toMatch(/: write|pull_request_target|API_KEY/);
});

describe('no job is killed before a review that cannot be made has replaced the old comment', () => {
  const [, one = ''] =
    /```yaml\n(on:\n {2}pull_request:\n[^]*?)```/.exec(textOf('docs/review-pull-requests.md')) ?? [];

  test.each([
    ['the workflow of authors who need not be trusted', textOf('docs/review-workflows/access-review.yml'), 2],
    ['the job of authors who are trusted', one, 1],
  ])('%s', (_, workflow, jobs) => {
    const found = workflow.split(/^ {2}[\w-]+:$/m).filter((part) => part.includes('    steps:'));
    expect(found).toHaveLength(jobs);
    for (const job of found) {
      const [head = '', ...steps] = job.split(/^ {6}- /m);
      const minutes = (text: string) => Number(/timeout-minutes: (\d+)/.exec(text)?.[1]);
      // A step without a limit of its own would make this no number.
      expect(steps.reduce((sum, step) => sum + minutes(step), 0)).toBeLessThan(minutes(head));
      const last = steps.at(-1) ?? '';
      expect(last).toContain('<owner>/<repository>');
      expect(last).toContain('if: ${{ always() }}');
    }
  });
});
