import { median } from './figures.mjs';
import { variants } from './variants.mjs';

/**
 * One measured step.
 *
 * @typedef {object} Result
 * @property {string} variant
 * @property {number} count How many rules.
 * @property {string} step
 * @property {number} [requestsPerSecond] The rate limit of the service, if it has one.
 * @property {number} wallMs The median of the repetitions.
 * @property {number} requests
 * @property {number} [stateBytes]
 * @property {number} [peakMemoryBytes] The most that one process of the plugin held.
 */

/** Steps in an order in which each finds what it needs. */
export const allSteps = ['create', 'preview', 'change', 'update', 'refresh', 'destroy'];

/** A step that changes nothing can be repeated, as noise is larger than its time. */
const REPEATABLE = new Set(['preview', 'refresh']);

/**
 * Runs the steps of one variant on an empty account.
 *
 * @param {{
 *   service: Awaited<ReturnType<typeof import('./main.mjs').startService>>,
 *   variant: string,
 *   count: number,
 *   steps?: readonly string[],
 *   switches?: Record<string, number>,
 *   repetitions?: number,
 * }} options
 * @returns {Promise<Result[]>}
 */
export const measure = async ({
  service,
  variant,
  count,
  steps = allSteps,
  switches = {},
  repetitions = 1,
}) => {
  await service.reset(switches);
  const prepared = await variants[variant].start({ service, count });
  const results = [];
  try {
    for (const step of steps) {
      const work = prepared[step];
      if (work === undefined) continue;
      const before = await service.requestCount();
      const runs = [];
      for (let run = 0; run < (REPEATABLE.has(step) ? repetitions : 1); run += 1) runs.push(await work());
      const requests = (await service.requestCount()) - before;
      const result = {
        variant,
        count,
        step,
        requestsPerSecond: rateOf(switches),
        ...runs[0],
        wallMs: Math.round(median(runs.map(({ wallMs }) => wallMs))),
        requests: Math.round(requests / runs.length),
      };
      results.push(result);
      process.stderr.write(
        `${variant} x ${count}: ${step} ${(result.wallMs / 1000).toFixed(1)} s, ${result.requests} requests\n`,
      );
    }
  } finally {
    prepared.remove?.();
  }
  return results;
};

const rateOf = (/** @type {Record<string, number>} */ { rateLimit, rateLimitWindowMs }) =>
  rateLimit === undefined ? undefined : (rateLimit / rateLimitWindowMs) * 1000;
