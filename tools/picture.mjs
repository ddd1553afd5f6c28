// `npm run picture`: draws docs/preview.svg from what the real CLI shows for an edit of the quickstart.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmulator } from './demo/emulator-process.mjs';
import { PulumiProject } from './demo/pulumi-project.mjs';
import { editQuickstart } from './picture/quickstart-edit.mjs';
import { drawTerminal } from './picture/terminal-picture.mjs';
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
const output = await project.capture(
  'preview',
  '--diff',
  '--color=always',
  '--suppress-outputs',
  '--non-interactive',
);
const picture = path.join(checkout, 'docs', 'preview.svg');
writeFileSync(picture, drawTerminal(`$ pulumi preview --diff\n${output}`));
console.log(`drawn: ${path.relative(checkout, picture)}`);
process.exit(0);
