import { spawn } from 'node:child_process';
import { runMarkVariable } from './processes';

// Waits for the end of its input, which comes with the end of the parent process in whatever way, and cleans up.
const script = `
  cat > /dev/null
  ps axeww -o pid=,command= | grep " [${runMarkVariable.charAt(0)}]${runMarkVariable.slice(1)}=$RUN_MARK" |
    while read -r pid rest; do kill -9 "$pid"; done
  rm -rf "$RUN_FOLDER"
`;

/**
 * Makes sure that a run's processes are killed and its folder is removed even if the tests themselves are interrupted or
 * killed, as the engine's plugins do not notice the death of their parents. Returns a function that ends the watch.
 */
export const watchOver = (runMark: string, folder: string): (() => void) => {
  const reaper = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], RUN_MARK: runMark, RUN_FOLDER: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own, which Ctrl-C does not reach.
    detached: true,
  });
  reaper.unref();
  return () => {
    reaper.stdin.end();
  };
};
