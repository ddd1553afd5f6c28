import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { installedModules, runLine } from '../support/documentation';
import { liveCidrs, stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

const networks = { amsterdam: '192.0.2.0/26', nairobi: '192.0.2.64/26', 'vpn-exit': '203.0.113.7' };
/** What the pull request is about. */
const reviewed = { ...networks, osaka: '198.51.100.0/25' };

test('what was reviewed is applied, once, and nothing where another change has come in between', async () => {
  const folder = path.join(checkout, 'examples', 'review-then-apply');
  const config = { 'review-then-apply:ipPolicyId': 'ipp_2ZnDevPolicyOfTheOfficeList1' };
  const options = { project: 'review-then-apply', config, nodeModules: installedModules() };
  const { stack, emulator } = await stackOnService({ program: { folder }, ...options });
  // The state of main when the pull request is opened.
  await stack.up();
  const write = (content: Readonly<Record<string, string>>): void => {
    writeFileSync(path.join(stack.folder.project, 'networks.json'), JSON.stringify(content));
  };
  /** Runs a script of the example, as a pipeline does; answers what it printed. */
  const job = async (script: string, exitCode = 0): Promise<string> =>
    (await runLine(stack, `sh pipeline/${script}.sh dev`, exitCode)).output;

  write(reviewed);
  await job('review');
  // Somebody else's pull request was merged and applied; ours is merged on top of it.
  write({ ...networks, nairobi: '192.0.2.0/25' });
  await stack.up();
  write({ ...reviewed, nairobi: '192.0.2.0/25' });
  const before = liveCidrs(emulator);
  const refused = await job('apply', 1);
  expect(refused).toContain('This is not the reviewed plan');
  expect(refused).toContain('"nairobi" would end up with "allow 192.0.2.0/25"');
  expect(liveCidrs(emulator)).toEqual(before);

  expect(await job('review')).toContain('198.51.100.0/25');
  expect(await job('apply')).toContain('This is the reviewed plan');
  expect(liveCidrs(emulator)).toEqual(['192.0.2.0/25', '192.0.2.0/26', '198.51.100.0/25', '203.0.113.7/32']);
  expect(await job('apply', 1)).toContain('"osaka" is not in this plan any more');
});
