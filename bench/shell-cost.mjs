import { spawnSync } from 'node:child_process';

/**
 * Runs a script of bash, which counts what its commands take of the processors, and what these start in turn.
 *
 * @param {string} script
 * @param {readonly string[]} args `$1` and so on in the script
 * @param {string} [cwd]
 */
export const shellCost = (script, args, cwd = process.cwd()) => {
  const timed = `TIMEFORMAT="%U %S"; time { ${script}; }`;
  const env = { ...process.env, LC_ALL: 'C' };
  const startedAt = performance.now();
  const done = spawnSync('bash', ['-c', timed, 'bash', ...args], { cwd, env, encoding: 'utf8' });
  const wallMs = performance.now() - startedAt;
  const [line = ''] = done.stderr.trim().split('\n').slice(-1);
  const cpuMs = 1000 * line.split(' ').reduce((sum, seconds) => sum + Number(seconds), 0);
  return { status: done.status, stdout: done.stdout, stderr: done.stderr, wallMs, cpuMs };
};
