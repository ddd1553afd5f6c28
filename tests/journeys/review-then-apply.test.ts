import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../emulator/src/index';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

const networks = { amsterdam: '192.0.2.0/26', nairobi: '192.0.2.64/26', 'vpn-exit': '203.0.113.7' };
/** What the pull request is about. */
const reviewed = { ...networks, osaka: '198.51.100.0/25' };

let stack: PulumiStack;
let emulator: Emulator;

/** The state of main when the pull request is opened. */
beforeEach(async () => {
  const folder = path.join(checkout, 'examples', 'review-then-apply');
  const config = { 'review-then-apply:ipPolicyId': 'ipp_2ZnDevPolicyOfTheOfficeList1' };
  ({ stack, emulator } = await stackOnService({ program: { folder }, project: 'review-then-apply', config }));
  await stack.up();
});

const write = (content: Readonly<Record<string, string>>): void => {
  writeFileSync(path.join(stack.folder.project, 'networks.json'), JSON.stringify(content));
};

/** Runs a script of the example, as a pipeline does. */
const job = (script: string): Promise<{ exitCode: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', [`pipeline/${script}.sh`, 'dev'], {
      cwd: stack.folder.project,
      env: stack.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      stack.secrets.assertClean('the job', output);
      resolve({ exitCode, output });
    });
  });

const live = (): string[] =>
  emulator
    .state()
    .rules.map(({ cidr }) => cidr)
    .sort();

test('what was reviewed is applied, once', async () => {
  write(reviewed);
  const review = await job('review');
  expect(review.output).toContain('198.51.100.0/25');
  expect(review).toMatchObject({ exitCode: 0 });
  const apply = await job('apply');
  expect(apply.output).toContain('This is the reviewed plan');
  expect(apply).toMatchObject({ exitCode: 0 });
  expect(live()).toEqual(['192.0.2.0/26', '192.0.2.64/26', '198.51.100.0/25', '203.0.113.7/32']);
  await stack.expectEmptyPreview();
  const again = await job('apply');
  expect(again.output).toContain('"osaka" is not in this plan any more');
  expect(again).toMatchObject({ exitCode: 1 });
});

test('nothing is applied where another change has come in between', async () => {
  write(reviewed);
  await job('review');
  // Somebody else's pull request was merged and applied; ours is merged on top of it.
  write({ ...networks, nairobi: '192.0.2.0/25' });
  await stack.up();
  write({ ...reviewed, nairobi: '192.0.2.0/25' });
  const before = live();
  const apply = await job('apply');
  expect(apply.output).toContain('This is not the reviewed plan');
  expect(apply.output).toContain('"nairobi" would end up with "allow 192.0.2.0/25"');
  expect(apply).toMatchObject({ exitCode: 1 });
  expect(live()).toEqual(before);
});
