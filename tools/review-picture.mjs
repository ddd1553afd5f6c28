// `npm run picture:review`: draws docs/review.png, the review of an edit of the quickstart as a pull request shows it:
// a real preview, the report in Markdown, and a headless Chromium (CHROMIUM names one that is not on the PATH).
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmulator } from './demo/emulator-process.mjs';
import { PulumiProject } from './demo/pulumi-project.mjs';
import { photographMarkdown } from './picture/browser.mjs';
import { editQuickstart } from './picture/quickstart-edit.mjs';
import { readRecord } from './setup/cli-record.mjs';
import { checkout, cliRecordFile } from './setup/paths.mjs';

const cli = readRecord(cliRecordFile);
if (cli === undefined) throw new Error('no Pulumi CLI is set up: run `node tools/setup.mjs` first');

const apiKey = 'picture-key';
const emulator = await startEmulator(apiKey);
const project = new PulumiProject({
  example: path.join(checkout, 'examples', 'quickstart'),
  nodeModules: path.join(checkout, 'node_modules'),
  cliRoot: cli.root,
  interruption: new AbortController().signal,
  settings: { EDGE_POLICY_BASE_URL: emulator.url, EDGE_POLICY_API_KEY: apiKey },
});
process.once('exit', () => {
  project.remove();
});

await project.capture('stack', 'init', 'prod');
await project.capture('up', '--yes', '--skip-preview');
const main = path.join(project.folder, 'index.ts');
writeFileSync(main, editQuickstart(readFileSync(main, 'utf8')));
const preview = await project.capture('preview', '--json', '--show-sames', '--non-interactive');
const command = path.join(checkout, 'provider', 'bin', 'edge-policy.js');
const { stdout: report, stderr } = spawnSync(process.execPath, [command, 'review', '-'], {
  cwd: project.folder,
  input: preview,
  encoding: 'utf8',
});
if (report === '') throw new Error(`the review failed: ${stderr}`);

const picture = path.join(checkout, 'docs', 'review.png');
photographMarkdown(report, { picture, folder: project.root });
console.log(`drawn: ${path.relative(checkout, picture)}`);
process.exit(0);
