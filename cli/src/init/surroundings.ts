import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { CliContext } from '../command/context';
import { repositoryAround } from '../pulumi/local-places';
import { PulumiCli } from '../pulumi/pulumi-cli';

/** The folder of the repository around a folder. @throws UserError if there is none. */
export function requireRepository(from: string): string {
  const found = repositoryAround(from);
  if (found !== undefined) return found;
  throw new UserError(`${from} is in no git repository: run "git init" at its root.`);
}

/** The default branch, as a clone records it; a repository may contain programs that git would run, so git is not asked. */
export function defaultBranch(repository: string): string {
  const head = path.join(repository, '.git/refs/remotes/origin/HEAD');
  const text = existsSync(head) ? readFileSync(head, 'utf8') : '';
  const [, branch] = /^ref: refs\/remotes\/origin\/(\S+)\n?$/.exec(text) ?? [];
  if (branch !== undefined) return branch;
  throw new UserError('git does not name the default branch: pass --branch NAME.');
}

/** The full name of the only stack of the project, or of the selected one. @throws UserError if there is no such stack. */
export async function fullStackName(context: CliContext, projectFolder: string): Promise<string> {
  const { isSuccess, stdout } = await new PulumiCli(context, projectFolder).run(['stack', 'ls', '--json']);
  const stacks = isSuccess ? (JSON.parse(stdout) as { name: string; current: boolean; url?: string }[]) : [];
  const stack = stacks.length === 1 ? stacks[0] : stacks.find(({ current }) => current);
  const named = [stack?.name, stack?.url?.replace(/^https?:\/\/[^/]+\//, '')];
  const found = named.find((name) => name !== undefined && isFullName(name));
  if (found !== undefined) return found;
  throw new UserError('Name the stack in full: pass --stack ORGANIZATION/PROJECT/STACK.');
}

/** A short name could be that of a stack of any project. */
export const isFullName = (name: string): boolean => /^[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(name);
