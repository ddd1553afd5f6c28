import { execFileSync } from 'node:child_process';
import { CommandLine, stackHolding } from './command-line';

/** A project in a repository, whose commits have authors and days. */
export class Repository {
  readonly line: CommandLine;
  private commits = 0;

  constructor(...resources: readonly object[]) {
    this.line = new CommandLine().withPulumi(stackHolding(resources));
    this.line.setEnvironment('PATH', process.env['PATH'] ?? '');
    this.git('init', '-q');
    this.line.write('.gitignore', '.bin\n');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      ...{ cwd: this.line.folder, encoding: 'utf8', env: this.environment },
      ...{ timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'] },
    }).trim();
  }

  get environment(): Record<string, string | undefined> {
    const date = `2026-03-${10 + this.commits}T12:00:00Z`;
    const who = { GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@c', GIT_AUTHOR_EMAIL: 'a@a' };
    return { ...process.env, ...who, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }

  commit(author: string, subject: string, files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) this.line.write(name, text);
    this.git('add', '-A');
    this.commits += 1;
    this.git('commit', '-q', '--no-verify', `--author=${author} <a@a>`, '-m', subject);
    return this.git('rev-parse', 'HEAD').slice(0, 10);
  }
}
