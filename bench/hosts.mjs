import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost, plain } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { median } from './median.mjs';
import { empty, one, oneNative } from './variants/empty.mjs';
import rule, { ruleNative } from './variants/rule.mjs';

/** An address at which nothing listens: enough for a start, and only refused later. */
const NOBODY = '127.0.0.1:1';

const plugins = {
  dynamic: path.join(checkout, 'node_modules', '@pulumi', 'pulumi', 'cmd', 'dynamic-provider'),
  native: path.join(checkout, 'provider', 'plugin', 'pulumi-resource-edge-policy'),
};

/** The time of a preview varies by a fifth from run to run, so a few pairs prove nothing. */
const LEAST_PREVIEWS = 11;

/** How long a plugin takes until it prints its port, which the engine waits for. */
const startOf = (program) => () =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [program, NOBODY], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      child.kill('SIGKILL');
      resolve({ wallMs: performance.now() - startedAt });
    });
  });

/** How much another rule adds to the state, including the engine's stack trace of the program's line. */
const bytesPerRule = async (variant, service) => {
  const sizes = [];
  for (const count of [1, 101]) {
    const project = await variant.start({ service, count });
    try {
      sizes.push((await project.create()).stateBytes);
    } finally {
      project.remove();
    }
  }
  return (sizes[1] - sizes[0]) / 100;
};

/** The plugin compared with the engine's host for dynamic resources, in turns. */
export const measureHosts = async ({ quickService, rounds }) => {
  const scene = { service: quickService, count: 1 };
  const [nothing, dynamic, native] = [
    await empty.start({ ...scene, count: 0 }),
    await one.start(scene),
    await oneNative.start(scene),
  ];
  try {
    const previews = await inTurns(
      { nothing: nothing.preview, dynamic: dynamic.preview, native: native.preview },
      Math.max(rounds, LEAST_PREVIEWS),
    );
    const starts = await inTurns(
      { dynamic: startOf(plugins.dynamic), native: startOf(plugins.native) },
      rounds,
    );
    const ofEmpty = (host) => medianRatio(previews, (round) => round[host].wallMs / round.nothing.wallMs);
    const title = (host) => `preview of one rule, ${host} host, times that of no resource`;
    return [
      plain('start of the dynamic host, ms', median(starts.map((round) => round.dynamic.wallMs))),
      plain('start of the plugin, ms', median(starts.map((round) => round.native.wallMs))),
      plain(title('dynamic'), ofEmpty('dynamic')),
      atMost(title('native'), ofEmpty('native'), 1.25),
      plain('IpPolicyRule: state bytes a rule, dynamic host', await bytesPerRule(rule, quickService)),
      atMost(
        'IpPolicyRule: state bytes a rule, native host',
        await bytesPerRule(ruleNative, quickService),
        1140,
      ),
    ];
  } finally {
    for (const project of [nothing, dynamic, native]) project.remove();
  }
};
