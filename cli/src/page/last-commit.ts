import { execFile } from 'node:child_process';
import path from 'node:path';
import type { CliContext } from '../command/context';
import type { Made } from './page-data';

const LIMITS = { timeout: 60_000, maxBuffer: 1024 * 1024 };

/** Settings that override those of the repository, by which an attacker could have a program run, such as a file monitor. */
const SETTINGS = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['protocol.allow', 'never'],
].flatMap(([name = '', value = '']) => ['-c', `${name}=${value}`]);

const QUESTION = ['log', '-1', '--no-ext-diff', '--no-textconv', '--format=%H %cI', 'HEAD'];

/** The last commit of the repository around a folder; undefined if git names none. Runs no program that the repository names. */
export function lastCommit(
  folder: string,
  { environment }: Pick<CliContext, 'environment'>,
): Promise<Made['commit'] | undefined> {
  const options = {
    ...LIMITS,
    encoding: 'utf8' as const,
    env: environmentOf(environment),
    // On Windows a program is first looked for in the current folder, where the repository may contain one of this name.
    cwd: path.dirname(process.execPath),
  };
  return new Promise((resolve) => {
    execFile('git', ['--no-pager', ...SETTINGS, '-C', folder, ...QUESTION], options, (error, stdout) => {
      const [, hash, date] = /^([0-9a-f]{10})[0-9a-f]* (\S+)\n$/.exec(stdout) ?? [];
      resolve(error || hash === undefined || date === undefined ? undefined : { hash, date });
    });
  });
}

/** Without environment variables that change what git does; missing objects of a partial clone are not fetched. */
function environmentOf(environment: CliContext['environment']): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}
