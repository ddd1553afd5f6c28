import { execFile } from 'node:child_process';
import path from 'node:path';
import type { CliContext } from '../command/context';

/** Why git could not answer, in words. */
export class GitProblem extends Error {
  override readonly name = 'GitProblem';

  constructor(
    message: string,
    readonly exitCode?: number,
  ) {
    super(message);
  }
}

/** Limits for every call of git: its time, and the size of its output. */
const LIMITS = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };

/**
 * Settings that override those of the repository, by which an attacker could have a program run, such as a hook or a file monitor.
 * Each call below disables what concerns itself: text conversions and signatures.
 */
const SETTINGS = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  ['protocol.allow', 'never'],
].flatMap(([name = '', value = '']) => ['-c', `${name}=${value}`]);

/** Queries on the objects of a repository. They read none of its files, and run no program that it names. */
export class Git {
  constructor(
    private readonly folder: string,
    private readonly context: Pick<CliContext, 'environment'>,
  ) {}

  /** @throws GitProblem if git has no answer. */
  ask(args: readonly string[]): Promise<string> {
    const options = {
      ...LIMITS,
      encoding: 'utf8' as const,
      env: environmentOf(this.context.environment),
      // On Windows a program is first looked for in the current folder, where the repository may contain one of this name.
      cwd: path.dirname(process.execPath),
    };
    return new Promise((resolve, reject) => {
      execFile(
        'git',
        ['--no-pager', ...SETTINGS, '-C', this.folder, ...args],
        options,
        (error, stdout, stderr) => {
          if (error) reject(problemOf(error, stderr));
          else resolve(stdout);
        },
      );
    });
  }
}

/** Without environment variables that change what git does; missing objects of a partial clone are not fetched. */
function environmentOf(environment: CliContext['environment']): Record<string, string | undefined> {
  const own = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
  };
}

function problemOf(error: Error, stderr: string): GitProblem {
  const { code, killed } = error as Error & { readonly code?: unknown; readonly killed?: boolean };
  if (code === 'ENOENT') return new GitProblem('git is not installed');
  if (killed === true) return new GitProblem('git took too long, or printed too much');
  const exitCode = typeof code === 'number' ? code : undefined;
  const said = /^fatal: (.*)$/m.exec(stderr)?.[1];
  if (said === undefined) return new GitProblem('git failed', exitCode);
  return new GitProblem(`git says: ${said}`, exitCode);
}
