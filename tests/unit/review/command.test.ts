import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMON_ASSERTION_FILE } from '../../../cli/src/judge/assertion-files';
import { type Judge, tooComplex } from '../../../cli/src/judge/judge-case';
import { runReview } from '../../../cli/src/review/run-review';
import { UserError } from '../../../provider/src/errors/user-error';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { CORPUS, type TrafficLog } from '../../../review/src';
import { newest } from '../../../review/src/preview/cli-range.json';
import { logOf } from './made-log';
import type { ReviewOptions, ReviewResult } from '../../../cli/src/review/run-review';
import { CommandLine } from '../../support/command-line';
import { judgeHere } from '../../support/judging';
import { placesTakenOver, resourceChanges } from '../../../review/src/index';
import { cidrOf } from './pinned-feeds';
import {
  added,
  agents,
  denyIf,
  edgeInputs,
  filterInputs,
  kept,
  previewText,
  removed,
  rule,
  ruleSet,
  SECRET,
  tcp,
  within,
} from './preview-builder';

const defaults: ReviewOptions = {
  format: 'text',
  failOn: 'high',
  newAccess: true,
};
let folder: CommandLine;
beforeEach(() => {
  folder = new CommandLine();
});

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<ReviewOptions>;
  readonly liveRules?: readonly Pick<ServiceRule, 'id' | 'cidr' | 'action'>[];
  readonly liveModules?: readonly Readonly<Record<string, unknown>>[];
  readonly judge?: Judge;
  readonly logs?: readonly TrafficLog[];
  /** The stack that is selected. */
  readonly selected?: string;
}
const run = (
  preview: string,
  {
    files = {},
    options = {},
    liveRules = [],
    liveModules = [],
    judge = judgeHere,
    logs = [],
    selected,
  }: Given = {},
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
      live: ({ steps }) =>
        Promise.resolve({
          liveModules: placesTakenOver(resourceChanges(steps)).flatMap(({ type, subject }) =>
            liveModules.map((inputs) => ({
              origin: { urn: subject, name: subject, type },
              inputs,
              outputs: {},
            })),
          ),
          liveRules: liveRules.map((live) => ({ ...live, uri: '', createdAt: '', ipPolicyId: 'ipp_1' })),
        }),
      traffic: () => Promise.resolve(logs),
      judge,
      isTerminal: false,
      now: '2026-06-15T12:00:00Z',
    },
  );
};
const runLive = (preview: string, given: Given = {}): Promise<ReviewResult> =>
  run(preview, { ...given, options: { live: true, ...given.options } });
const exitCodeOf = async (...args: Parameters<typeof run>): Promise<number> => (await run(...args)).exitCode;

const office = kept('office', rule('8.8.8.0/24'));
const widened = previewText([office, added('new', rule('9.9.9.0/24'))]);
const opened = previewText([office, added('new', rule('0.0.0.0/0'))]);

const failedPreview = readFileSync(join(__dirname, 'fixtures/failed-check.json'), 'utf8');

test.each<[exitCode: number, fact: string, preview: string, options: Partial<ReviewOptions>]>([
  [0, 'nothing at the threshold', widened, {}],
  [0, 'no threshold', opened, { failOn: 'never' }],
  [1, 'a finding above the threshold', opened, {}],
  [1, 'a finding at the threshold', widened, { failOn: 'medium' }],
  [1, 'a gain where none is allowed', widened, { failOn: 'never', newAccess: false }],
  [2, 'a secret, whatever the threshold', previewText([added('new', rule(SECRET))]), { failOn: 'never' }],
  [2, 'a preview that failed', failedPreview, { failOn: 'never' }],
  [2, 'no preview', '', { failOn: 'never' }],
])('exit code %d: %s', async (exitCode, _fact, preview, options) => {
  expect(await exitCodeOf(preview, { options })).toBe(exitCode);
});

test('--must-allow fails what would lock the address out, whatever the threshold or the plan', async () => {
  const removal = previewText([office, removed('home', rule('9.9.9.9/32'))]);
  const options = { mustAllow: [cidrOf('9.9.9.9')], failOn: 'never' } as const;
  expect(await exitCodeOf(removal, { options: { failOn: 'never' } })).toBe(0);
  const { exitCode, output } = await run(removal, { options });
  expect(exitCode).toBe(1);
  expect(output).toContain(
    '"9.9.9.9/32" (1 address) must get in, but would be locked out of "ipp_1": "9.9.9.9/32" is kept out because no rule lets it in.',
  );
  await run(removal, { options: { write: [{ format: 'plan', path: 'plan' }] } });
  const approved = { files: { plan: folder.read('plan') }, options: { expect: 'plan' } };
  expect(await exitCodeOf(removal, approved)).toBe(0);
  expect(await exitCodeOf(removal, { ...approved, options: { ...approved.options, ...options } })).toBe(1);
  expect(await exitCodeOf(widened, { options: { ...options, mustAllow: [cidrOf('7.7.7.7')] } })).toBe(0);
});

const asks = (address: string) =>
  JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', mustAllow: [address] }] });

describe('the assertion file of a stack', () => {
  const files = {
    [COMMON_ASSERTION_FILE]: '{ "gate": { "failOn": "high" } }',
    'edge-policy.assertions.dev.json': '{ "gate": { "failOn": "medium" } }',
    'edge-policy.assertions.prod.json': asks('1.1.1.1'),
  };

  test.each<[exitCode: number, fact: string, given: Given]>([
    [1, 'counts with the common one, the stricter of each', { options: { stack: 'org/acme/dev' } }],
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

  test('is never chosen by the preview: without a stack, nothing is reviewed', async () => {
    await expect(run(widened, { files })).rejects.toThrow('none is selected');
  });

  test.each(['Edge-Policy.assertions.json', 'edge-policy.assertions.Dev.json'])(
    'is refused if its name differs only in case: %s',
    async (name) => {
      const asked = run(widened, { files: { ...files, [name]: '{}' }, selected: 'dev' });
      await expect(asked).rejects.toThrow(`${name} differs only in case from edge-policy.assertions`);
    },
  );
});

test('the default assertion file is read where it exists, and not where another is named', async () => {
  const files = { [COMMON_ASSERTION_FILE]: '{ "gate": { "failOn": "medium" } }', other: '{}' };
  expect(await exitCodeOf(widened, { files })).toBe(1);
  expect(await exitCodeOf(widened, { files, options: { assertions: ['other'] } })).toBe(0);
  await expect(run(widened, { options: { assertions: ['missing'] } })).rejects.toThrow(
    'missing cannot be read: ENOENT',
  );
});

test('--live: rules outside of the stack count, before and after', async () => {
  const removal = previewText([removed('office', rule('8.8.8.0/24'))]);
  const live = [{ id: 'ipr_foreign', cidr: '8.8.0.0/16', action: 'allow' as const }];
  const { output } = await run(removal);
  expect(output).toContain('locked out');
  expect(output).toContain('no rules outside the stack');
  const result = await runLive(removal, { liveRules: live });
  expect(result.output).toContain('This change does not affect access');
  expect(result.output).not.toContain('no rules outside the stack');
});

const liveAllow = (id: string, cidr: string) => ({ id, cidr, action: 'allow' as const });
const nine = { ipPolicyId: 'ipp_1', rules: '{"9.9.9.0/24":{"action":"allow"}}' };

test.each([
  [
    'a rule of the stack is not counted twice, neither by its id nor as part of a set',
    [removed('office', rule('8.8.8.0/24')), ruleSet('set', { before: nine })],
    [liveAllow('id-office', '8.8.8.0/24'), liveAllow('ipr_of_set', '9.9.9.0/24')],
    'locked out',
  ],
  [
    'a rule with the content of one of the stack is another one, and stays when that one goes',
    [removed('office', rule('8.8.8.0/24'))],
    [liveAllow('id-office', '8.8.8.0/24'), liveAllow('ipr_foreign', '8.8.8.0/24')],
    'This change does not affect access',
  ],
  [
    'an exclusive set ends the rules that are not its own',
    [ruleSet('set', { after: { ...nine, exclusive: true } })],
    [liveAllow('ipr_foreign', '8.8.8.0/24')],
    '"8.8.8.0/24" (256 addresses) could get in before and no longer can',
  ],
])('--live: %s', async (_fact, resources, liveRules, said) => {
  expect((await runLive(previewText(resources), { liveRules })).output).toContain(said);
});

test.each([
  ['10.0.0.1/8', 'can be read as "10.0.0.0/8" and "10.0.0.1/32"'],
  ['office-lan', 'cannot be read'],
])(
  '--live: a rule for %s, which no program can declare, is named, and leaves the rest decidable',
  async (cidr, how) => {
    const live = (['allow', 'deny'] as const).map((action) => ({ id: `ipr_${action}`, cidr, action }));
    const given = { options: { newAccess: false }, liveRules: live };
    const same = await runLive(previewText([office]), given);
    expect(same.output).toContain('This change does not affect access');
    expect(same.output).toContain(`The "cidr" of "ipr_allow" ${how}`);
    expect(same.exitCode).toBe(0);
    const narrowed = await runLive(previewText([removed('office', rule('8.8.8.0/24'))]), given);
    expect(narrowed.output).not.toContain('Not decidable');
    expect((await runLive(previewText([added('lan', rule('10.9.0.0/16'))]), given)).exitCode).toBe(1);
  },
);

test('--live: what is too complex to judge within limits is not read without them', async () => {
  // Its steps would end the process that reads it.
  const nested = `{"steps":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const { output, exitCode } = await runLive(nested, { judge: tooComplex });
  expect(exitCode).toBe(2);
  expect(output).toContain('too complex');
});

test('--live: what is taken over was there before', async () => {
  const text = previewText([office, added('guest', { ...rule('8.8.8.8/32'), overwriteExisting: true })]);
  const live = [{ id: 'ipr_foreign', cidr: '8.8.8.8/32', action: 'deny' as const }];
  const unseen = (await run(text)).output;
  expect(unseen).toContain('"guest" takes over what it finds on the service');
  const { output } = await runLive(text, { liveRules: live });
  expect(output).toContain('In IPv4, "8.8.8.8/32" (1 address) can get in and could not before');
  expect(output).not.toContain('takes over what it finds');
});

test('--live: a module begins with the one that it takes over', async () => {
  const liveModules = [edgeInputs(denyIf(within('8.8.8.0/24')))];
  const after = { ...edgeInputs(), overwriteExisting: true };
  const text = previewText([tcp('edge', { after })]);
  const { output } = await runLive(text, { liveModules });
  expect(output).toContain('Nothing keeps anyone out of "edgtcp_1" any more');
  expect((await runLive(text)).output).toContain('does not affect access');
});

test.each([
  ['a network', added('guest', rule('9.9.9.0/24'))],
  ['a module', tcp('guest', { after: edgeInputs() })],
])('--live: %s that nobody manages is in the way of a new resource', async (_what, guest) => {
  const given = {
    liveRules: [{ id: 'ipr_foreign', cidr: '9.9.9.0/24', action: 'deny' as const }],
    liveModules: [edgeInputs(denyIf(within('8.8.8.0/24')))],
  };
  const text = previewText([office, guest]);
  const { exitCode, output } = await runLive(text, given);
  expect([exitCode, output]).toEqual([1, expect.stringContaining('which this stack does not manage')]);
  expect((await run(text, given)).output).not.toContain('does not manage');
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
  const files = {
    a: JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', mustAllow: ['8.8.8.8'] }] }),
    ...base,
  };
  const options = { assertions: ['a'], baseAssertions: ['base'] };
  const { exitCode, output } = await run(previewText([office]), { files, options });
  expect(exitCode).toBe(1);
  expect(output).toContain('base-assertions-unread');
});

test('the user agents of a log take the place of the built-in clients, each in the group that it says it is of', async () => {
  const preview = previewText([
    agents('agents', { before: filterInputs(['^Wget/']), after: filterInputs(['acme']) }),
  ]);
  const { userAgent: chrome } = CORPUS.find(({ label }) => label === 'Chrome, Windows') ?? {
    userAgent: null,
  };
  const ours = `${chrome ?? ''} acme/1`;
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
  ['9.0.0', /, but "v9\.0\.0" made the preview/],
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
