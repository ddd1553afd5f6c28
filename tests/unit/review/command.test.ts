import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_ASSERTION_FILE, review } from '../../../provider/src/cli/review';
import type { ReviewOptions, ReviewResult } from '../../../provider/src/cli/review';
import { added, kept, previewText, rule } from './preview-builder';

const options: ReviewOptions = {
  preview: 'preview.json',
  format: 'text',
  failOn: 'high',
  assertionFiles: [],
  userAgentFiles: [],
  assumptions: {},
  sourceRoot: '.',
};
const run = (files: Readonly<Record<string, string>>, more: Partial<ReviewOptions> = {}): ReviewResult =>
  review(
    { ...options, ...more },
    {
      readFile: (path) => {
        const text = files[path];
        if (text === undefined)
          throw Object.assign(new Error(`ENOENT: no such file: ${path}`), { code: 'ENOENT' });
        return text;
      },
      fileExists: (path) => path in files,
      readStandardInput: () => files['-'] ?? '',
      runPreview: (stack) => files[`stack ${stack}`] ?? '',
      isTerminal: false,
      today: () => '2026-06-15',
    },
  );

const office = kept('office', rule('8.8.8.0/24'));
const widened = previewText([office, added('new', rule('9.9.9.0/24'))]);
const opened = previewText([office, added('new', rule('0.0.0.0/0'))]);

test('exit code 0: nothing at or above the threshold', () => {
  expect(run({ 'preview.json': widened }).exitCode).toBe(0);
  expect(run({ 'preview.json': opened }, { failOn: 'never' }).exitCode).toBe(0);
});

test('exit code 1: findings at or above the threshold', () => {
  expect(run({ 'preview.json': opened }).exitCode).toBe(1);
  expect(run({ 'preview.json': widened }, { failOn: 'medium' }).exitCode).toBe(1);
});

test('exit code 2: not decidable, whatever the threshold', () => {
  const secret = previewText([office, added('new', rule('[secret]'))]);
  const failed = readFileSync(join(__dirname, 'fixtures/failed-check.json'), 'utf8');
  for (const text of [secret, failed, '']) {
    expect(run({ 'preview.json': text }, { failOn: 'never' }).exitCode).toBe(2);
  }
});

test('exit code 3: input that cannot be used, with the reason and no report', () => {
  const refused = run({ 'preview.json': 'no json' });
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toContain('pulumi preview --json --show-sames');
  expect(run({}).stderr).toContain('no such file: preview.json');
  expect(run({ 'preview.json': widened, a: '{"policy":1}' }, { assertionFiles: ['a'] }).exitCode).toBe(3);
});

test('the preview comes from a file, from standard input, or from a stack', () => {
  const outputs = [
    run({ 'preview.json': widened }),
    run({ '-': widened }, { preview: '-' }),
    run({ 'stack dev': widened }, { stack: 'dev' }),
  ].map((result) => result.stdout);
  expect(new Set(outputs).size).toBe(1);
});

test('the default assertion file is read where it exists, and not where another is named', () => {
  const asks = (address: string) =>
    JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', mustAllow: [address] }] });
  const files = {
    'preview.json': widened,
    [DEFAULT_ASSERTION_FILE]: asks('1.1.1.1'),
    other: asks('8.8.8.8'),
  };
  expect(run(files).exitCode).toBe(1);
  expect(run(files, { assertionFiles: ['other'] }).exitCode).toBe(0);
});

test('own user agents are added to the table', () => {
  const filter = {
    edgeId: 'edghts_1',
    routeId: 'edghtsrt_1',
    enabled: true,
    allow: [],
    deny: ['^OurMonitor/'],
  };
  const text = previewText([{ type: 'HttpsEdgeRouteUserAgentFilterModule', name: 'ua', after: filter }]);
  const files = { 'preview.json': text, agents: 'OurMonitor/1.0\r\n\r\nOther/2\n' };
  expect(run(files).stdout).toContain('user-agent-pattern-unmatched');
  expect(run(files, { userAgentFiles: ['agents'] }).stdout).toMatch(/"OurMonitor\/1\.0" +let in +refused/);
});

test('assumptions of the switches are used and shown', () => {
  const result = run({ 'preview.json': opened }, { assumptions: { ipModel: 'block-list' } });
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain('--ip-model block-list');
});
