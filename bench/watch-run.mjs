import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 20;

/** The command line of a process that serves resources. */
const PLUGIN = /^[^\0]*node\0.*dynamic-provider/;

/**
 * Watches the processes of one run, and returns the peak memory of any process that serves resources (Linux; elsewhere undefined).
 *
 * @param {string} runMark The value of EDGE_POLICY_BENCH_RUN in their environment.
 */
export const watchRun = (runMark) => {
  let peakBytes;
  const sample = () => {
    for (const id of processesOf(runMark))
      if (PLUGIN.test(read(id, 'cmdline'))) peakBytes = Math.max(peakBytes ?? 0, peakMemoryOf(id));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peakBytes;
    },
  };
};

const known = new Map();

const processesOf = (runMark) => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfRun(name, runMark));
  } catch {
    return [];
  }
};

const isOfRun = (id, runMark) => {
  if (known.get(id) === runMark) return true;
  const isOne = read(id, 'environ').includes(`EDGE_POLICY_BENCH_RUN=${runMark}`);
  if (isOne) known.set(id, runMark);
  return isOne;
};

/** The kernel keeps the peak (high water mark) itself, so sampling only misses the last moment. */
const peakMemoryOf = (id) => Number(/VmHWM:\s+(\d+) kB/.exec(read(id, 'status'))?.[1] ?? 0) * 1024;

const read = (id, name) => {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
