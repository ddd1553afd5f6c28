import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmulator } from '../demo/emulator-process.mjs';
import { PulumiProject } from '../demo/demo-project.mjs';
import { readRecord } from '../setup/cli-record.mjs';
import { checkout, cliRecordFile } from '../setup/paths.mjs';

/**
 * The edit that the pictures show: an office with a wider network, a removed and an added office, another network of a scanner,
 * one more pattern.
 *
 * @param {string} program
 */
const edit = (program) =>
  program
    .replace('91.238.64.0/24', '91.238.64.0/22')
    .replace("  '133.242.18.0/25': 'Osaka',\n", '')
    .replace("  '185.21.188.0/24'", "  '179.43.188.64/27': 'Montevideo',\n  '185.21.188.0/24'")
    .replace('141.98.11.0/24', '141.98.10.0/24')
    .replace("'(?i)nikto'", "'(?i)nikto', '(?i)masscan'");

/** Deploys the site of the pictures on an emulator and edits its program; `openByHand` then opens a policy past the program. */
export const editedSite = async () => {
  const cli = readRecord(cliRecordFile);
  if (cli === undefined) throw new Error('no Pulumi CLI is set up: run `node tools/setup.mjs` first');
  const apiKey = 'picture-key';
  const emulator = await startEmulator(apiKey);
  const project = new PulumiProject({
    example: path.join(checkout, 'tools', 'picture', 'site'),
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
  writeFileSync(main, edit(readFileSync(main, 'utf8')));
  const openByHand = async () => {
    const rule = { cidr: '0.0.0.0/0', ip_policy_id: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa', action: 'allow' };
    await emulator.control('POST', 'seed', {
      rules: [{ ...rule, description: 'just for the demo on Friday' }],
    });
  };
  return { project, openByHand };
};
