import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CliResult } from './cli-result';
import { folderOf } from './folder';
import { codeBlocks } from './pages';
import type { PulumiStack } from './pulumi-stack';
import { stackOnService } from './service-stack';
import { checkout } from './workspace';

/** The command lines of a page of the documentation, in order: those of its shell blocks. */
export const commandsOf = (page: string): string[] =>
  codeBlocks(path.join('docs', page))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A node_modules folder as a user's: everything in the workspace, and the package's command where `npx` looks for it. */
export const installedModules = (): string => {
  const main = path.join(checkout, 'cli', 'dist', 'main.js');
  const command = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  const modules = folderOf({ '.bin/pulumi-edge-policy-cli': command });
  const installed = path.join(checkout, 'node_modules');
  for (const name of readdirSync(installed).filter((one) => !one.startsWith('.')))
    symlinkSync(path.join(installed, name), path.join(modules, name));
  return modules;
};

/** The stack of a reader who begins: an empty program that has the package, with the stack selected. */
export async function emptyProjectOnService(): Promise<Awaited<ReturnType<typeof stackOnService>>> {
  const site = await stackOnService({ program: { ts: 'export {};\n' }, nodeModules: installedModules() });
  writeFileSync(
    path.join(site.stack.folder.project, 'package.json'),
    '{ "main": "index.ts", "dependencies": { "pulumi-edge-policy": "*" } }',
  );
  await site.stack.call(['stack', 'select']);
  return site;
}

/** Runs one line of a page in the stack's project, as a reader would type it; fails if it ends otherwise. */
export const runLine = async (stack: PulumiStack, line: string, exitCode = 0): Promise<CliResult> => {
  const result = await stack.run('sh', ['-c', line]);
  if (result.exitCode !== exitCode) throw new Error(`${line}\n${result.describe()}`);
  return result;
};
