import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from './eventually';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The environment variable by which all processes of a run are found, orphans included. */
export const runMarkVariable = 'EDGE_POLICY_TEST_RUN';

/**
 * The live processes of a run. The engine gives every plugin a process group of its own, and plugins outlive a killed CLI, so
 * neither groups nor parents find them all; the environment does.
 */
export const processesOfRun = async (runMark: string): Promise<RunningProcess[]> => {
  const mark = ` ${runMarkVariable}=${runMark}`;
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,stat=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, status, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || status === undefined || command === undefined) return [];
    if (!`${command} `.includes(`${mark} `) || status.startsWith('Z')) return [];
    return [{ pid: Number(pid), command }];
  });
};

/** Sends a signal; a process that has ended in the meantime is no error. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Kills all processes of a run and returns when none is left. */
export const killRun = async (runMark: string): Promise<void> => {
  await eventually(`all processes of run ${runMark} killed`, async () => {
    const alive = await processesOfRun(runMark);
    for (const { pid } of alive) sendSignal(pid, 'SIGKILL');
    return alive.length === 0 ? true : undefined;
  });
};
