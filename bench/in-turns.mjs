import { median } from './median.mjs';

/**
 * The cost of one piece of work. A busy machine stretches wall time, and hardly affects processor time.
 *
 * @typedef {{ wallMs: number, cpuMs?: number, pluginCpuMs?: number | undefined, cpuMsOf?: Record<string, number>, stateBytes?: number }} Cost
 */

/**
 * Does each work once a round, so that other load of the machine affects all of them alike. A round before the first warms up.
 *
 * @template {string} Name
 * @param {Record<Name, () => Promise<Cost>>} works
 * @param {number} rounds
 * @returns {Promise<Record<Name, Cost>[]>}
 */
export const inTurns = async (works, rounds) => {
  const costs = [];
  for (let round = 0; round <= rounds; round += 1) {
    const entries = [];
    for (const [name, work] of Object.entries(works)) entries.push([name, await work()]);
    costs.push(Object.fromEntries(entries));
  }
  return costs.slice(1);
};

/**
 * The median of the rounds' ratios. Each ratio compares runs of one round, so a slow minute spoils that round only.
 *
 * @template Round
 * @param {readonly Round[]} rounds
 * @param {(round: Round) => number} ratio
 */
export const medianRatio = (rounds, ratio) => median(rounds.map(ratio));

/** Runs work in this process. */
export const timed = async (/** @type {() => Promise<unknown>} */ work) => {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
};
