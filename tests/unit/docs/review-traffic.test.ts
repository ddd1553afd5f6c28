// The example of docs/review-traffic.md, run as it stands there.
import path from 'node:path';
import { CommandLine } from '../../support/command-line';
import { folderOf } from '../../support/folder';
import { previewText, ruleSet } from '../review/preview-builder';
import { textOf } from '../../support/workspace';

const page = textOf('docs/review-traffic.md');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';

const rules = (...lines: string[]) => ({ ipPolicyId: 'ipp_1', rules: ['@rules', ...lines, ''].join('\n') });
const preview = previewText([
  ruleSet('site', {
    before: rules('192.0.2.0/24: allow', '198.51.100.0/24: allow', '203.0.113.0/24: allow'),
    after: rules('192.0.2.0/24: allow', '198.51.100.0/24: allow until 2026-11-30'),
  }),
]);

test('the log and the change of the page give the lines of the page, in the review and in explain', async () => {
  const log = path.join(folderOf({ 'access.log': block('log') }), 'access.log');
  const commands = new CommandLine();
  commands.write('preview.json', preview);
  const call = ['review', 'preview.json', '--traffic', log, '--format', 'text'];
  const review = await commands.run(...call, '--now', '2026-06-15T12:00:00Z');
  for (const line of block('text').trim().split('\n')) expect(review.stdout).toContain(line);
  const explained = await commands.run('explain', '--traffic', log, '--preview', 'preview.json');
  for (const line of block('console').trim().split('\n')) expect(explained.stdout).toContain(line);
  expect(review.exitCode).toBe(1);
  expect(explained.exitCode).toBe(0);
});
