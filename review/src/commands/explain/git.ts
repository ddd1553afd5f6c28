import { execFile } from 'node:child_process';
import path from 'node:path';
import type { CliContext } from 'pulumi-edge-policy/internal/cli/context';

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

/** Whatever a question is, it does not take longer, and its answer is not larger. */
const LIMITS = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };

/**
 * Settings that win over those of the repository, whose configuration may be somebody's who wants a command run: of a hook, of a
 * monitor of files, of what else a setting can name. Each question below leaves out its own: text conversions and signatures.
 */
const SETTINGS = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  ['protocol.allow', 'never'],
].flatMap(([name = '', value = '']) => ['-c', `${name}=${value}`]);

/** Questions to the objects of a repository. Nothing of its files is read, and nothing that it names is run. */
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
      // On Windows a program is looked for in this folder first, and the repository may hold one of this name.
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

/** Without what the surroundings tell git to do; objects that a partial clone lacks are not fetched. */
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
  if (said.includes('not a git repository')) return new GitProblem('there is no git repository here');
  if (said.includes('dubious ownership'))
    return new GitProblem('the repository belongs to another user, and git does not trust it');
  return new GitProblem(`git says: ${said}`, exitCode);
}
