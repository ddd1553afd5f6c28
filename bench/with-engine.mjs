import { mkdtempSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { bareAxiosApart } from './client.mjs';
import { atMost, plain } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { empty, one } from './variants/empty.mjs';
import ruleSet from './variants/rule-set.mjs';

const COUNT = 10_000;
const BOUND = 1.5;

/** The first `up` of a new project. */
const createOnce = async (variant, service, count) => {
  const project = await variant.start({ service, count });
  try {
    return await project.create();
  } finally {
    project.remove();
  }
};

/**
 * What a set costs in addition to an `up` that does nothing, compared with axios alone. Of processor time, the plugin's own
 * counts, minus that of a plugin with one rule.
 */
export const measureEngine = async ({ quickService, rounds }) => {
  const costs = await inTurns(
    {
      nothing: () => createOnce(empty, quickService, 0),
      one: () => createOnce(one, quickService, 1),
      set: () => createOnce(ruleSet, quickService, COUNT),
      bare: () => bareAxiosApart(quickService),
    },
    rounds,
  );
  const name = `IpPolicyRuleSet x ${COUNT}: create on (e)'s service`;
  const time = medianRatio(costs, ({ nothing, set, bare }) => (set.wallMs - nothing.wallMs) / bare.wallMs);
  const figures = [
    atMost(`${name}, less an empty up, times (e), time`, time, BOUND),
    atMost(`IpPolicyRuleSet x ${COUNT}: state bytes per rule`, costs[0].set.stateBytes / COUNT, 110),
  ];
  if (costs.every(({ set }) => set.pluginCpuMs !== undefined)) {
    const processor = medianRatio(costs, (round) => {
      const own = round.set.pluginCpuMs - round.one.pluginCpuMs;
      return own / round.bare.cpuMs;
    });
    figures.push(
      atMost(`${name}, the plugin less one with one rule, times (e), processor`, processor, BOUND),
    );
  }
  return figures;
};

/** What Node.js saves if it keeps compiled code from run to run, from version 22 on. */
export const measureCompileCache = async ({ quickService, rounds }) => {
  if (!('enableCompileCache' in nodeModule)) return [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-cache-'));
  const projects = await Promise.all([
    one.start({ service: quickService, count: 1 }),
    one.start({ service: quickService, count: 1, env: { NODE_COMPILE_CACHE: folder } }),
  ]);
  const [without, withCache] = projects;
  try {
    const costs = await inTurns({ without: without.preview, withCache: withCache.preview }, rounds);
    const ratio = medianRatio(costs, (round) => round.withCache.wallMs / round.without.wallMs);
    return [plain('preview of one rule with NODE_COMPILE_CACHE, times the same without', ratio)];
  } finally {
    for (const project of projects) project.remove();
    rmSync(folder, { recursive: true, force: true });
  }
};
