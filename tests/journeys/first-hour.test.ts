import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deferCleanup } from '../support/cleanup';
import { folderOf } from '../support/folder';
import { packed } from '../support/installed-package';
import { freePort } from '../support/listening';
import { type CodeBlock, codeBlocks } from '../support/pages';
import { liveCidrs, startService } from '../support/service-stack';
import { checkout, cliBin, quickNode } from '../support/workspace';

jest.setTimeout(600_000);

/** The line of README.md that packs; `prepack.test.ts` packs from a clean clone. */
const PACK =
  '(cd ../pulumi-edge-policy && npm ci && npm pack --workspaces --pack-destination ../infra/vendor)';

/** Puts what {@link PACK} makes where it puts it. */
function takePacked(vendor: string): void {
  for (const name of ['provider', 'review', 'cli', 'policy-pack', 'emulator'] as const)
    copyFileSync(packed(name), path.join(vendor, path.basename(packed(name))));
}

/** Somebody who types the blocks of pages into one terminal, with changed texts only where a page has a value of theirs. */
class Reader {
  private readonly notes = folderOf();
  /** What the last block has printed. */
  printed = '';

  constructor(private readonly replaced: Readonly<Record<string, string>>) {
    this.note('cwd', folderOf());
    this.note('env', '');
  }

  get folder(): string {
    return readFileSync(path.join(this.notes, 'cwd'), 'utf8').trim();
  }

  private note(name: string, text: string): void {
    writeFileSync(path.join(this.notes, name), text);
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: [cliBin(), quickNode, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      EDGE_POLICY_TEST_NODE: process.execPath,
      HOME: this.notes,
      npm_config_cache: path.join(process.env['HOME'] ?? '', '.npm'),
      ...{ LANG: 'C.UTF-8', PULUMI_SKIP_UPDATE_CHECK: 'true', NO_COLOR: '1' },
      ...{ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true', PULUMI_CONFIG_PASSPHRASE: 'readme' },
      PULUMI_BACKEND_URL: `file://${folderOf()}`,
      ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' },
      ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
    };
  }

  private readonly env = this.environment();

  private textOf({ text }: CodeBlock): string {
    const whole = Object.entries(this.replaced).reduce((read, [from, to]) => read.replaceAll(from, to), text);
    return whole.replace(/^pulumi up$/gm, 'pulumi up --yes');
  }

  /** Runs a block where the last one has left the terminal. */
  async type(block: CodeBlock): Promise<void> {
    const script = `set -e\nsource '${this.notes}/env'\n${this.textOf(block)}\npwd > '${this.notes}/cwd'\nexport -p > '${this.notes}/env'\n`;
    const options = { cwd: this.folder, env: this.env };
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], options).catch(
      (error: unknown) => {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${block.text}\n${stdout}${stderr}`);
      },
    );
    this.printed = `${stdout}${stderr}`;
  }

  /** Runs a block in a second terminal, until the test ends, and waits for its first output. */
  async leaveRunning(block: CodeBlock): Promise<void> {
    const script = `source '${this.notes}/env'\nexec ${this.textOf(block).trim()}`;
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env: this.env, detached: true });
    // The whole group: npx starts the emulator as a process of its own.
    deferCleanup(() => void process.kill(-(child.pid ?? NaN), 'SIGTERM'));
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(complaint)));
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
}

/** Types the blocks of a page in order; what the page shows must have been printed. */
async function follow(reader: Reader, blocks: readonly CodeBlock[]): Promise<void> {
  for (const block of blocks) {
    if (block.language === 'ts') writeFileSync(path.join(reader.folder, 'index.ts'), block.text);
    else if (block.language === 'text') expect(reader.printed).toContain(block.text.trim());
    else if (block.text.startsWith('npx --no-install edge-policy-emulator')) await reader.leaveRunning(block);
    else if (block.text.includes(PACK)) {
      await reader.type({ ...block, text: 'mkdir vendor' });
      takePacked(path.join(reader.folder, 'vendor'));
      expect(block.text).toMatch(/^mkdir vendor\n.*\nnpm install \.\/vendor\/\*\.tgz\n$/);
      await reader.type({ ...block, text: 'npm install ./vendor/*.tgz' });
    } else await reader.type(block);
  }
}

test('README.md from an empty folder, then docs/tutorial.md: every block works as printed, and the first project loses nothing', async () => {
  const { emulator, apiKey } = await startService();
  const port = String(await freePort());
  const reader = new Reader({
    ...{ 'https://api.example.com': emulator.url, '…': apiKey },
    ...{ '--port 4010': `--port ${port}`, '127.0.0.1:4010': `127.0.0.1:${port}` },
  });
  mkdirSync(path.join(reader.folder, 'pulumi-edge-policy'));
  cpSync(path.join(checkout, 'template'), path.join(reader.folder, 'pulumi-edge-policy', 'template'), {
    recursive: true,
  });
  const readme = codeBlocks('README.md');
  const useIt = readme.findIndex(({ text }) => text.includes('pulumi new'));
  await follow(reader, readme.slice(useIt));
  const live = liveCidrs(emulator);
  expect(live).toEqual(['2001:db8:40::/48', '203.0.113.0/24']);

  await follow(reader, codeBlocks(path.join('docs', 'tutorial.md')));
  expect(reader.printed).toMatch(/- 1 deleted/);
  expect(liveCidrs(emulator)).toEqual(live);
});
