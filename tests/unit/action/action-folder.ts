import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../../support/folder';
import { checkout } from '../../support/workspace';

/** The action as a release has it: with the review as one bundle. */
export async function releasedAction(): Promise<string> {
  const action = path.join(folderOf({}, 'file'), 'action');
  cpSync(path.join(checkout, 'action'), action, {
    recursive: true,
    filter: (source) => !source.endsWith('/dist'),
  });
  await promisify(execFile)(process.execPath, [
    path.join(checkout, 'tools', 'bundle-review.mjs'),
    path.join(action, 'dist'),
  ]);
  return action;
}

export interface ScriptRun {
  readonly exitCode: number;
  readonly log: string;
}

/** Runs a script of the action as a step does. */
export const runScript = (
  script: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  [shell, ...options]: readonly string[] = [process.execPath],
): Promise<ScriptRun> =>
  new Promise((resolve) => {
    execFile(shell ?? '', [...options, script], { env, cwd }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, log: stdout + stderr });
    });
  });

/** A program of this name in a folder that goes into PATH. */
export const program = (folder: string, name: string, script: string): void => {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, name), 0o755);
};

/** What a step has written to GITHUB_OUTPUT. */
export const outputsIn = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(readFileSync(file, 'utf8').matchAll(/^([^=\n]+)=(.*)$/gm), ([, name, value]) => [name, value]),
  ) as Record<string, string>;

/** The steps of a composite action, each as its text. */
export const stepsOf = (file: string): string[] =>
  readFileSync(path.join(checkout, file), 'utf8')
    .replace(/^[^]*?\n {2}steps:\n/, '')
    .split(/^ {4}- /m)
    .slice(1);

/** Runs git in a folder. */
export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

export const commitAllIn = (folder: string): string => {
  gitIn(folder, 'add', '-A');
  gitIn(folder, 'commit', '-qm', 'a commit');
  return gitIn(folder, 'rev-parse', 'HEAD');
};
