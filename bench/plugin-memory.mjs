import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 50;

/**
 * Watches the processes of one run that serve dynamic resources, and answers the most memory that one of them held
 * (Linux; elsewhere undefined).
 *
 * @param {string} runMark The value of EDGE_POLICY_BENCH_RUN in their environment.
 */
export const watchPlugin = (runMark) => {
  let peakBytes = 0;
  const sample = () => {
    for (const id of pluginProcesses(runMark)) peakBytes = Math.max(peakBytes, peakMemoryOf(id));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peakBytes === 0 ? undefined : peakBytes;
    },
  };
};

const known = new Map();

const pluginProcesses = (runMark) => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isPlugin(name, runMark));
  } catch {
    return [];
  }
};

/** A process becomes what it is a moment after it starts, so only a yes is remembered. */
const isPlugin = (id, runMark) => {
  if (known.get(id) === runMark) return true;
  const isOne =
    read(id, 'cmdline').includes('dynamic-provider') &&
    read(id, 'environ').includes(`EDGE_POLICY_BENCH_RUN=${runMark}`) &&
    read(id, 'comm').startsWith('node');
  if (isOne) known.set(id, runMark);
  return isOne;
};

/** The kernel keeps the peak (high water mark) itself, so that sampling misses nothing but the last moment. */
const peakMemoryOf = (id) => Number(/VmHWM:\s+(\d+) kB/.exec(read(id, 'status'))?.[1] ?? 0) * 1024;

const read = (id, name) => {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
