import { COMMON_ASSERTION_FILE } from '../../../cli/src/judge/review-files';
import { type Judge, tooComplex } from '../../../cli/src/judge/judge-case';
import { type ReviewOptions, type ReviewResult, runReview } from '../../../cli/src/review/run-review';
import { UserError } from '../../../provider/src/errors/user-error';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { CORPUS, type TrafficLog } from '../../../review/src';
import { newest } from '../../../review/src/preview/cli-range.json';
import { logOf } from './made-log';
import { CommandLine } from '../../support/command-line';
import { judgeHere } from '../../support/judging';
import { cidrOf } from './pinned-feeds';
import { added, agents, office, previewText, removed } from './preview-builder';
import { filterInputs, rule, SECRET } from './inputs';
import { recorded } from './reviewing';

const defaults: ReviewOptions = { format: 'text', failOn: 'high', newAccess: true };
/** A rule of the service that is not in the stack. */
const OUTSIDE: ServiceRule = {
  ...{ id: 'ipr_outside', cidr: '8.8.0.0/16', action: 'allow', ipPolicyId: 'ipp_1' },
  ...{ uri: '', createdAt: '' },
};
let folder: CommandLine;
beforeEach(() => {
  folder = new CommandLine();
});

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<ReviewOptions>;
  readonly judge?: Judge;
  readonly logs?: readonly TrafficLog[];
  /** The stack that is selected. */
  readonly selected?: string;
}
const run = (
  preview: string,
  { files = {}, options = {}, judge = judgeHere, logs = [], selected }: Given = {},
): Promise<ReviewResult> => {
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return runReview(
    { ...defaults, ...options },
    {
      cwd: folder.folder,
      preview: () => Promise.resolve(preview),
      stackName: () =>
        selected === undefined
          ? Promise.reject(new UserError('none is selected'))
          : Promise.resolve(selected),
      live: () => Promise.resolve({ liveModules: [], livePlaces: [], liveRules: [OUTSIDE] }),
      traffic: () => Promise.resolve(logs),
      judge,
      isTerminal: false,
      now: '2026-06-15T12:00:00Z',
    },
  );
};
const exitCodeOf = async (...args: Parameters<typeof run>): Promise<number> => (await run(...args)).exitCode;

const widened = previewText([office, added('new', rule('9.9.9.0/24'))]);
const opened = previewText([office, added('new', rule('0.0.0.0/0'))]);

test.each<[exitCode: number, fact: string, preview: string, options: Partial<ReviewOptions>]>([
  [0, 'nothing at the threshold', widened, {}],
  [0, 'no threshold', opened, { failOn: 'never' }],
  [1, 'a finding above the threshold', opened, {}],
  [1, 'a finding at the threshold', widened, { failOn: 'medium' }],
  [1, 'a gain where none is allowed', widened, { failOn: 'never', newAccess: false }],
  [2, 'a secret, whatever the threshold', previewText([added('new', rule(SECRET))]), { failOn: 'never' }],
  [2, 'a preview that failed', recorded('failed-check'), { failOn: 'never' }],
  [2, 'no preview', '', { failOn: 'never' }],
])('exit code %d: %s', async (exitCode, _fact, preview, options) => {
  expect(await exitCodeOf(preview, { options })).toBe(exitCode);
});

test('--must-allow fails what would lock the address out, whatever the threshold or the plan', async () => {
  const removal = previewText([office, removed('home', rule('9.9.9.9/32'))]);
  const options = { mustAllow: [cidrOf('9.9.9.9')], failOn: 'never' } as const;
  expect(await exitCodeOf(removal, { options: { failOn: 'never' } })).toBe(0);
  await run(removal, { options: { write: [{ format: 'plan', path: 'plan' }] } });
  const approved = { files: { plan: folder.read('plan') }, options: { expect: 'plan' } };
  expect(await exitCodeOf(removal, approved)).toBe(0);
  expect(await exitCodeOf(removal, { ...approved, options: { ...approved.options, ...options } })).toBe(1);
  expect(await exitCodeOf(widened, { options: { ...options, mustAllow: [cidrOf('7.7.7.7')] } })).toBe(0);
});

const asks = (address: string) =>
  JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', mustAllow: [address] }] });

describe('the assertion file of a stack', () => {
  const MEDIUM = '{ "gate": { "failOn": "medium" } }';
  const files = {
    [COMMON_ASSERTION_FILE]: '{ "gate": { "failOn": "high" } }',
    'edge-policy.assertions.dev.json': MEDIUM,
    'edge-policy.assertions.prod.json': asks('1.1.1.1'),
  };

  test.each<[exitCode: number, fact: string, given: Given]>([
    [1, 'counts with the common one, the stricter of each', { options: { stack: 'org/acme/dev' } }],
    [1, 'is that of all stacks alone', { files: { [COMMON_ASSERTION_FILE]: MEDIUM } }],
    [1, 'is that of the selected stack', { selected: 'dev' }],
    [2, 'of a selected stack whose preview it is not', { selected: 'prod' }],
    [
      0,
      'does not count for another stack',
      { options: { stack: 'dev' }, files: { 'edge-policy.assertions.prod.json': asks('1.1.1.1') } },
    ],
    [0, 'does not count where others are named', { options: { assertions: [COMMON_ASSERTION_FILE] } }],
  ])('%i: %s', async (exitCode, _fact, given) => {
    expect(await exitCodeOf(widened, { files, ...given })).toBe(exitCode);
  });

  test('is never chosen by the preview: without a stack, or the file that is named, nothing is reviewed', async () => {
    await expect(run(widened, { files })).rejects.toThrow('none is selected');
    const missing = run(widened, { options: { assertions: ['missing'] } });
    await expect(missing).rejects.toThrow('missing cannot be read: ENOENT');
  });

  test.each(['Edge-Policy.assertions.json', 'edge-policy.assertions.Dev.json'])(
    'is refused if its name differs only in case: %s',
    async (name) => {
      const asked = run(widened, { files: { ...files, [name]: '{}' }, selected: 'dev' });
      await expect(asked).rejects.toThrow(`${name} differs only in case from edge-policy.assertions`);
    },
  );
});

test('--live: rules outside of the stack count', async () => {
  const removal = previewText([removed('office', rule('8.8.8.0/24'))]);
  expect((await run(removal)).output).toContain('no rules outside the stack');
  const { output } = await run(removal, { options: { live: true } });
  expect(output).toContain('This change does not affect access');
});

test('--live: what is too complex to judge within limits is not read without them', async () => {
  // Its steps would end the process that reads it.
  const nested = `{"steps":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const { output, exitCode } = await run(nested, { judge: tooComplex, options: { live: true } });
  expect(exitCode).toBe(2);
  expect(output).toContain('too complex');
});

test('the models of an assertion file count, and must not contradict the switches', async () => {
  const files = { a: JSON.stringify({ gate: { ipModel: 'block-list' } }) };
  const options = { assertions: ['a'], baseAssertions: ['a'] };
  expect((await run(widened, { files, options })).output).toContain('--ip-model block-list');
  await expect(run(widened, { files, options: { ...options, ipModel: 'allow-wins' } })).rejects.toThrow(
    'ipModel is block-list in one place and allow-wins in another',
  );
});

test.each([
  ['is not there', {}],
  ['is no assertion file', { base: 'nonsense' }],
])('a base that %s is a high finding, and no silence', async (_what, base) => {
  const options = { assertions: ['a'], baseAssertions: ['base'] };
  const files = { a: asks('8.8.8.8'), ...base };
  const { exitCode, output } = await run(previewText([office]), { files, options });
  expect(exitCode).toBe(1);
  expect(output).toContain('base-assertions-unread');
});

test.each([
  ['a member that is no longer read', '{"gate":{"terminalActions":["deny","log"]}}', /gate\.terminalActions/],
  ['a repeated key', '{"gate":{"failOn":"never","failOn":"low"}}', /repeats a key/],
])('%s is refused in an assertion file, and a warning in that of the base', async (_what, old, words) => {
  const change = run(previewText([office]), { files: { a: old }, options: { assertions: ['a'] } });
  await expect(change).rejects.toThrow(/terminalActions|repeats a key/);
  const { output, exitCode } = await run(previewText([office]), {
    files: { a: '{"gate":{"failOn":"low"}}', base: old },
    options: { assertions: ['a'], baseAssertions: ['base'], failOn: 'medium' },
  });
  expect(output).toMatch(words);
  expect(output).toMatch(/LOW .*base/);
  expect(output).not.toContain('base-assertions-unread');
  expect(exitCode).toBe(1);
});

test('the user agents of a log take the place of the built-in clients, each in the group that it says it is of', async () => {
  const preview = previewText([
    agents('agents', { before: filterInputs(['^Wget/']), after: filterInputs(['acme']) }),
  ]);
  const chrome = CORPUS.find(({ label }) => label === 'Chrome, Windows')?.userAgent ?? '';
  const ours = `${chrome} acme/1`;
  const logs = [logOf([ours, 'curl/8'].map((userAgent) => ({ network: '192.0.2.7/32', userAgent })))];
  const { output } = await run(preview, { logs });
  expect(output).toMatch(/HIGH .*acme\/1.* could get in before and no longer can/);
  expect(output).not.toContain('Chrome, Windows');
});

test.each([
  [
    '3.200.0',
    /Judged by the rules of Pulumi CLI [\d.]+ to [\d.]+, but "v3\.200\.0" made the preview or wrote the state\./,
  ],
  [newest, /^(?![^]*Judged by the rules of Pulumi CLI)/],
])('the report on a state of CLI %s, in or outside the range that was tested', async (version, line) => {
  const state = JSON.stringify({ deployment: { manifest: { version: `v${version}` } } });
  const { exitCode, output } = await run(previewText([added('new', rule('9.9.9.0/24'))]), {
    files: { 'state.json': state },
    options: { state: 'state.json', failOn: 'never' },
  });
  expect(exitCode).toBe(0);
  expect(output).toMatch(line);
});
