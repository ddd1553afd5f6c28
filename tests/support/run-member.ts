import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { deferCleanup } from './cleanup';
import { sourcesHook } from './workspace';

/** The service of all processes. */
export const service = 'https://api.example.com';

interface MemberOptions {
  /** The address of its engine. */
  readonly engine: string;
  /** The variables that say where the folder is. */
  readonly places: Readonly<Record<string, string>>;
}

/** Starts a process of a run, which really ends; it has joined its run, or has said why it cannot. */
export async function startMember({ engine, places }: MemberOptions) {
  const child = fork(join(__dirname, 'run-member-child.ts'), [engine, service], {
    execArgv: sourcesHook,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...places },
  });
  const answers = on(child, 'message', { close: ['exit'] });
  const answer = async (): Promise<unknown> => ((await answers.next()).value as unknown[] | undefined)?.[0];
  const asking = (method: string) => (key: string) => {
    child.send([method, key]);
    return answer();
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  deferCleanup(kill);
  return {
    joined: await answer(),
    own: asking('own'),
    isOwned: asking('isOwned'),
    beginDelete: asking('beginDelete'),
    take: asking('take'),
    pid: child.pid ?? 0,
    kill,
  };
}

export type RunMember = Awaited<ReturnType<typeof startMember>>;
