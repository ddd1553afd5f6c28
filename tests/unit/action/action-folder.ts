import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../../support/folder';
import { checkout } from '../../support/workspace';
import { added, kept, previewText } from '../review/preview-builder';
import { rule } from '../review/inputs';

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
  const entry = path.join(action, 'dist', 'edge-policy.cjs');
  renameSync(entry, path.join(action, 'dist', 'bundle.cjs'));
  cpSync(path.join(checkout, 'tests', 'support', 'compiled-once.cjs'), entry);
  return action;
}

/** How a step has ended, with its log and what it has left in the files of the runner. */
export interface StepRun {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** What the runner tells a step; programs in the folder go before all others. */
export const environmentIn = (folder: string, api: { readonly url: string }) => ({
  PATH: `${folder}:${process.env['PATH'] ?? ''}`,
  RUNNER_TEMP: folder,
  GITHUB_API_URL: api.url,
  GITHUB_REPOSITORY: 'acme/edge',
  REVIEW_STACK: 'org/acme/dev',
});

/** Runs a script of the action as a step does. */
export async function runStep(
  script: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  [shell, ...options]: readonly [shell: string, ...options: string[]] = [process.execPath],
): Promise<StepRun> {
  const folder = folderOf({ output: '', summary: '' });
  const [output, summary] = [path.join(folder, 'output'), path.join(folder, 'summary')];
  const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  const ended = await new Promise<{ exitCode: number; log: string }>((resolve) => {
    execFile(shell, [...options, script], { env: { ...env, ...files }, cwd }, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), log: stdout + stderr });
    });
  });
  const lines = readFileSync(output, 'utf8').matchAll(/^([^=\n]+)=(.*)$/gm);
  const outputs = Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]));
  return { ...ended, outputs, summary: readFileSync(summary, 'utf8') };
}

/** A program of this name in a folder that goes into PATH. */
export const program = (folder: string, name: string, script: string): void => {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};

const office = kept('office', rule('8.8.8.0/24'));
/** Previews of a stack with one rule. */
export const harmless = previewText([office]);
export const affecting = previewText([office, added('new', rule('9.9.9.0/24'))]);
export const opening = previewText([office, added('open', rule('0.0.0.0/0'))]);

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
