import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A copy of an example as a project of its own, with its state in a neighbouring folder: it touches neither the checkout nor
 * the user's own Pulumi.
 */
export class PulumiProject {
  root = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-demo-'));
  folder = path.join(this.root, 'project');

  /**
   * @param {object} options
   * @param {string} options.example
   * @param {string} options.nodeModules
   * @param {string} options.cliRoot
   * @param {Record<string, string>} options.settings   environment variables
   * @param {AbortSignal} options.interruption
   */
  constructor({ example, nodeModules, cliRoot, settings, interruption }) {
    this.interruption = interruption;
    cpSync(example, this.folder, { recursive: true });
    symlinkSync(nodeModules, path.join(this.folder, 'node_modules'));
    // The CLI warns about a program without one; the examples of this repository share the workspace's.
    const manifest = path.join(this.folder, 'package.json');
    if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "main": "index.ts" }\n');
    const [state, temporary] = [path.join(this.root, 'state'), path.join(this.root, 'tmp')];
    for (const made of [state, temporary]) mkdirSync(made);
    /** @type {Record<string, string>} */
    this.variables = {
      PATH: `${path.join(cliRoot, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
      // The Node.js host keeps compiled programs there.
      TMPDIR: temporary,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_HOME: path.join(this.root, 'home'),
      PULUMI_CONFIG_PASSPHRASE: 'demo',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
      // `npm run types` has checked the example; checking it again would take longer than the rest of a run.
      PULUMI_NODEJS_TRANSPILE_ONLY: 'true',
      ...settings,
    };
  }

  /** Runs the CLI as a user would, with visible output. @param {string[]} args */
  async run(...args) {
    console.log(`\n$ pulumi ${args.join(' ')}`);
    await this.#pulumi(args, 'inherit');
  }

  /** Runs the CLI and resolves with its output. @param {string[]} args */
  capture(...args) {
    return this.#pulumi(args, 'pipe');
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** @param {readonly string[]} args @param {'inherit' | 'pipe'} output @returns {Promise<string>} */
  #pulumi(args, output) {
    this.interruption.throwIfAborted();
    return new Promise((resolve, reject) => {
      // In a process group of its own, which Ctrl-C does not reach: interrupted twice, the CLI would not end its plugins.
      const child = spawn('pulumi', args, {
        cwd: this.folder,
        env: { ...process.env, ...this.variables },
        stdio: ['ignore', output, output],
        detached: true,
      });
      const interrupt = () => child.kill('SIGINT');
      this.interruption.addEventListener('abort', interrupt);
      const printed = { stdout: '', stderr: '' };
      for (const stream of /** @type {const} */ (['stdout', 'stderr']))
        child[stream]?.setEncoding('utf8').on('data', (text) => {
          printed[stream] += text;
        });
      child.once('error', reject);
      child.once('close', (code) => {
        this.interruption.removeEventListener('abort', interrupt);
        if (code === 0) resolve(printed.stdout);
        else reject(new Error(`pulumi ${args.join(' ')} ended with code ${code}\n${printed.stderr}`));
      });
    });
  }
}
