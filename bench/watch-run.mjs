import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 20;

/** The kernel's unit of processor time, in parts of a second. */
const TICKS_PER_SECOND = 100;

/** What a process of a run is, by its command line; the first that fits. Everything else is the program. */
const KINDS = [
  { kind: 'plugin', fits: /^[^\0]*node\0.*(?:dynamic-provider|pulumi-resource-edge-policy)/ },
  { kind: 'host', fits: /pulumi-language-[a-z]+\0/ },
  { kind: 'engine', fits: /^(?:[^\0]*\/)?pulumi\0/ },
];

/**
 * Watches the processes of one run, and returns the peak memory of any process that serves resources, and the processor time by the
 * kind of process (Linux; elsewhere undefined).
 *
 * @param {string} runMark The value of EDGE_POLICY_BENCH_RUN in their environment.
 */
export const watchRun = (runMark) => {
  let peakBytes = 0;
  const seen = new Map();
  const sample = () => {
    for (const id of processesOf(runMark)) {
      // A process changes its program a moment after it starts, and has no command line once it has ended.
      const commandLine = read(id, 'cmdline');
      if (commandLine === '') continue;
      const kind = kindOf(commandLine);
      if (kind === 'plugin') peakBytes = Math.max(peakBytes, peakMemoryOf(id));
      seen.set(id, { kind, ms: Math.max(seen.get(id)?.ms ?? 0, cpuTimeOf(id)) });
    }
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (seen.size === 0) return { peakMemoryBytes: undefined, pluginCpuMs: undefined, cpuMsOf: undefined };
      const cpuMsOf = { engine: 0, host: 0, program: 0, plugin: 0 };
      for (const { kind, ms } of seen.values()) cpuMsOf[kind] += ms;
      return { peakMemoryBytes: peakBytes, pluginCpuMs: cpuMsOf.plugin, cpuMsOf };
    },
  };
};

const kindOf = (commandLine) => KINDS.find(({ fits }) => fits.test(commandLine))?.kind ?? 'program';

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
