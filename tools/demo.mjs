// `npm start`: the quickstart on the real Pulumi CLI against the emulator, in four steps: an up, an edit and its preview, the
// review of that edit, what is live. `npm start -- --keep` leaves emulator and stack behind for experiments.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
  const emulator = await startEmulator(apiKey);
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

  heading('1. One resource of each kind, on an emulator of the service');
  await project.capture('stack', 'init', 'demo');
  await project.run('up', '--yes', '--skip-preview', '--suppress-outputs', '--suppress-progress');

  heading('2. An edit opens the rule for the office to everyone: its preview');
  await project.run('config', 'set', 'quickstart:officeCidr', '0.0.0.0/0');
  await project.run('preview', '--diff', '--suppress-outputs', '--suppress-progress');

  heading('3. The review of that edit');
  review(project);

  heading('4. What is live, as the service has it: the edit was not applied');
  const { rules, tcpModules, httpsModules } = await emulator.control('GET', 'state');
  for (const { action, cidr, ip_policy: policy } of rules) console.log(`${policy.id}: ${action} ${cidr}`);
  for (const [place, module] of Object.entries({ ...tcpModules, ...httpsModules }))
    console.log(`${place}: ${JSON.stringify(module)}`);
  if (isKept) {
    emulator.keep();
    explainHowToGoOn(project, emulator.pid);
  }
};

/** @param {PulumiProject} project */
const review = (project) => {
  console.log('\n$ pulumi-edge-policy-cli review --stack demo --format text');
  const command = path.join(checkout, 'cli', 'dist', 'main.js');
  const { status, stdout } = spawnSync(
    process.execPath,
    [command, 'review', '--stack', 'demo', '--format', 'text'],
    {
      cwd: project.folder,
      env: { ...process.env, ...project.variables },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status !== 1) throw new Error(`the review ended with code ${status}, and not with 1`);
  // What follows says more of each finding, of the networks, and of what the review assumes.
  console.log(`${stdout.split('\nFindings, and')[0]}\nExit code 1: this edit fails a pull request.`);
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
