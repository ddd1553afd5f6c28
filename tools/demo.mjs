// `npm start`: the quickstart on the real Pulumi CLI against the emulator, as users will see it. `npm start -- --keep` leaves
// emulator and stack behind for experiments.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmulator } from './demo/emulator-process.mjs';
import { PulumiProject } from './demo/demo-project.mjs';
import { readRecord } from './setup/cli-record.mjs';
import { checkout, cliRecordFile } from './setup/paths.mjs';

const interruption = new AbortController();
const isKept = process.argv.includes('--keep');

/** @param {string} text */
const heading = (text) => {
  console.log(`\n=== ${text}`);
};

const demonstrate = async () => {
  const cli = readRecord(cliRecordFile);
  if (cli === undefined) throw new Error('no Pulumi CLI is set up: run `node tools/setup.mjs` first');

  const apiKey = `demo-${randomBytes(8).toString('hex')}`;
  heading('An emulator of the service');
  const emulator = await startEmulator(apiKey);
  console.log(`listens on ${emulator.url}`);

  const project = new PulumiProject({
    example: path.join(checkout, 'examples', 'quickstart'),
    nodeModules: path.join(checkout, 'node_modules'),
    cliRoot: cli.root,
    interruption: interruption.signal,
    settings: { EDGE_POLICY_BASE_URL: emulator.url, EDGE_POLICY_API_KEY: apiKey },
  });
  if (!isKept) {
    process.once('exit', () => {
      project.remove();
    });
  }

  await walkThrough(project);
  heading('What the service holds now');
  console.log(JSON.stringify(await emulator.control('GET', 'state'), undefined, 2));

  heading('Who gets in, as a page');
  console.log(`Open it in a browser: ${writeAccessPage(project)}`);
  if (isKept) {
    emulator.keep();
    explainHowToGoOn(project, emulator.pid);
  }
};

/**
 * Writes the page into a folder that stays.
 *
 * @param {PulumiProject} project
 */
const writeAccessPage = (project) => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'edge-policy-page-')), 'access.html');
  const command = path.join(checkout, 'cli', 'bin', 'pulumi-edge-policy-cli.js');
  const { status, stderr } = spawnSync(process.execPath, [command, 'page', '--live', '--out', file], {
    cwd: project.folder,
    env: { ...process.env, ...project.variables },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the page could not be written: ${stderr}`);
  return file;
};

/** @param {PulumiProject} project */
const walkThrough = async (project) => {
  heading('Deploying the quickstart to a new stack');
  await project.run('stack', 'init', 'demo');
  await project.run('up', '--yes', '--skip-preview');

  heading('The office moves: what a reviewer would see');
  await project.run('config', 'set', 'quickstart:officeCidr', '198.51.100.0/24');
  await project.run('preview', '--diff');

  heading('Deploying the change');
  await project.run('up', '--yes', '--skip-preview');

  heading('Nothing is left to do');
  await project.run('preview', '--expect-no-changes');
};

/**
 * @param {PulumiProject} project
 * @param {number} emulatorPid
 */
const explainHowToGoOn = (project, emulatorPid) => {
  heading('The emulator and the stack stay for you');
  console.log('Continue in a shell with:\n');
  console.log(`  cd ${project.folder}`);
  for (const [name, value] of Object.entries(project.variables)) {
    console.log(`  export ${name}="${name === 'PATH' ? value.replace(/:.*/, ':$PATH') : value}"`);
  }
  console.log('\nThen edit index.ts, and try:\n');
  console.log('  pulumi preview --diff');
  console.log('  pulumi up');
  console.log('  pulumi refresh');
  console.log('  curl -H "Authorization: Bearer $EDGE_POLICY_API_KEY" -H "Service-Version: 2" \\');
  console.log('    $EDGE_POLICY_BASE_URL/ip_policy_rules');
  console.log('\nWhen you are done:\n');
  console.log(`  kill ${emulatorPid} && rm -r ${project.root}`);
};

/** @param {NodeJS.Signals} signal */
const interrupt = (signal) => {
  interruption.abort(new Error(`${signal} received`));
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

try {
  await demonstrate();
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
