import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 50;

/** The kernel's unit of processor time, in parts of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Watches the processes of one run that serve dynamic resources, and returns the peak memory of any of them and the processor
 * time of all of them (Linux; elsewhere undefined).
 *
 * @param {string} runMark The value of EDGE_POLICY_BENCH_RUN in their environment.
 */
export const watchPlugin = (runMark) => {
  let peakBytes = 0;
  const cpuMs = new Map();
  const sample = () => {
    for (const id of pluginProcesses(runMark)) {
      peakBytes = Math.max(peakBytes, peakMemoryOf(id));
      cpuMs.set(id, Math.max(cpuMs.get(id) ?? 0, cpuTimeOf(id)));
    }
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (peakBytes === 0) return { peakMemoryBytes: undefined, pluginCpuMs: undefined };
      return {
        peakMemoryBytes: peakBytes,
        pluginCpuMs: [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0),
      };
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

/** A process changes its program a moment after it starts, so only a positive answer is cached. */
const isPlugin = (id, runMark) => {
  if (known.get(id) === runMark) return true;
  const isOne =
    /dynamic-provider|pulumi-resource-edge-policy/.test(read(id, 'cmdline')) &&
    read(id, 'environ').includes(`EDGE_POLICY_BENCH_RUN=${runMark}`) &&
    // Not the shell that started it, whose command line contains the name, too.
    /^[^\0]*node\0/.test(read(id, 'cmdline'));
  if (isOne) known.set(id, runMark);
  return isOne;
};

/** The kernel keeps the peak (high water mark) itself, so sampling only misses the last moment. */
const peakMemoryOf = (id) => Number(/VmHWM:\s+(\d+) kB/.exec(read(id, 'status'))?.[1] ?? 0) * 1024;

/** In user and in system mode: fields 14 and 15, counted after the name, which may contain blanks. */
const cpuTimeOf = (id) => {
  const fields = read(id, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
};

const read = (id, name) => {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
