// Packs our packages once, before the tests that install them, as two packs of one checkout at a time would disturb each other.
// Jest runs it before the first journey; `packed` in installed-package.ts finds the files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const checkout = path.join(import.meta.dirname, '..', '..');

export default function packOnce() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-packages-'));
  process.env['EDGE_POLICY_PACKAGES'] = JSON.stringify(
    Object.fromEntries(
      ['provider', 'review', 'cli', 'policy-pack', 'emulator'].map((workspace) => {
        const args = ['pack', '--json', '--pack-destination', folder, '--loglevel=error'];
        const printed = execFileSync('npm', args, {
          cwd: path.join(checkout, workspace),
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('[')));
        return [workspace, path.join(folder, filename)];
      }),
    ),
  );
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
