import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rulesFrom } from '../../provider/src';
import { at } from '../support/at-time';
import { commandsOf, installedModules, runLine } from '../support/documentation';
import { folderOf } from '../support/folder';
import { otherPolicyId, policyId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import { stackOnService } from '../support/service-stack';

const blocks = codeBlocks(path.join('docs', 'lists.md'));
const textOf = (language: string, index = 0): string =>
  blocks.filter((block) => block.language === language)[index]?.text ?? '';

/** A file after the edits that the page shows: its line, above the action. */
const withLine = (text: string, line: string): string =>
  text.replace('    "action"', `${line}\n    "action"`);
const VENDOR = textOf('text').trimEnd();
const exceptions = textOf('json', 1);

test('docs/lists.md: from the line to the end of the access, as it is written', async () => {
  const ts = textOf('ts').replace('ipp_…', policyId).replace('ipp_…', otherPolicyId);
  const { stack, emulator } = await stackOnService({
    program: { ts },
    nodeModules: installedModules(),
  });
  const file = (name: string) => path.join(stack.folder.project, name);
  writeFileSync(file('offices.json'), textOf('json', 0));
  writeFileSync(file('exceptions.json'), exceptions);
  for (const line of ['git init -q', 'git config user.name Ada', 'git config user.email ada@example.com'])
    await runLine(stack, line);
  await stack.up();
  await stack.call(['stack', 'select']);
  const rules = (ipPolicyId = policyId) =>
    Object.values(emulator.state().rules)
      .filter(({ ip_policy: own }) => own.id === ipPolicyId)
      .map(({ cidr, description, metadata }) => [cidr, description, metadata].filter(Boolean).join(' '))
      .sort();
  const offices = ['2001:db8:40::/48 Lisbon', '203.0.113.0/24 Amsterdam'];
  expect(rules()).toEqual(offices);

  const until = new Date(Date.now() + 4 * 3_600_000).toISOString().slice(0, 19);
  writeFileSync(
    file('exceptions.json'),
    withLine(exceptions, VENDOR.replace(/"until": "[^"]*"/, `"until": "${until}Z"`)),
  );
  const outputs = new Map<string, string>();
  for (const line of commandsOf('lists.md')) {
    expect(rules()).toEqual(offices);
    outputs.set(line, (await runLine(stack, line)).output);
  }
  const [review = '', , , last] = [...outputs.keys()];
  expect(last).toBe('pulumi up --yes');
  expect(outputs.get(review)).toMatch(/`exceptions`: 1 network more.*198\.51\.100\.7\/32/);
  expect(rules()).toEqual([
    '198.51.100.7/32 vendor on call {"owner":"ada@example.com","ticket":"OPS-7"}',
    ...offices,
  ]);
  expect(JSON.stringify(emulator.journal)).not.toContain('exceptions');
  // The shop is in two files, the admin pages in one.
  expect(rules(otherPolicyId)).toEqual(offices);
  await stack.expectEmptyPreview();
  const later = at(stack, new Date(Date.now() + 5 * 3_600_000).toISOString());
  await stack.up(later);
  expect(rules()).toEqual(offices);
  await stack.expectEmptyPreview(later);

  // The line can go. A list that two policies share changes both, and the review reports it once.
  writeFileSync(file('exceptions.json'), exceptions);
  writeFileSync(file('offices.json'), withLine(textOf('json'), '    "192.0.2.0/24": { "reason": "Porto" },'));
  const reviewed = await runLine(
    stack,
    'pulumi preview --json --show-sames | npx --no-install pulumi-edge-policy-cli review - --format text',
  );
  expect(
    reviewed.stdout.match(
      /"offices": 1 network more, in 2 policies\. .*192\.0\.2\.0.* can get in .* · "\w+" and "\w+"$/gm,
    ),
  ).toHaveLength(1);
});

test('two edits of a list at different places, as the page has it: git merges them', () => {
  const folder = folderOf({});
  const file = path.join(folder, 'exceptions.json');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
  const commit = (text: string): void => {
    writeFileSync(file, text);
    git('add', 'exceptions.json');
    git('commit', '-q', '--no-verify', '-m', 'edit');
  };
  const entry = (address: string): string => VENDOR.replace('198.51.100.7', address);
  const base = withLine(exceptions, [entry('198.51.100.10'), entry('198.51.100.50')].join('\n'));
  git('init', '-q', '-b', 'base');
  commit(base);
  git('checkout', '-q', '-b', 'first');
  commit(base.replace(entry('198.51.100.10'), `${entry('198.51.100.7')}\n$&`));
  git('checkout', '-q', '-b', 'last', 'base');
  commit(withLine(base, entry('198.51.100.90')));
  git('merge', '-q', '--no-edit', 'first');
  expect(rulesFrom(file).map(({ cidr }) => cidr)).toEqual([
    '198.51.100.7/32',
    '198.51.100.10/32',
    '198.51.100.50/32',
    '198.51.100.90/32',
  ]);
});
