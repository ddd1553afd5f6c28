import type { Life } from '../life';
import {
  allow,
  deny,
  life,
  overwrites,
  policyA,
  policyB,
  program,
  route,
  routeA,
  routeB,
  rule,
  run,
  set,
} from '../notation';

export const interruptedRuns: Readonly<Record<string, Life>> = {
  'recover names a rule in doubt that it leaves to the next up, which no longer declares it': life(
    { seed: 2850 },
    program(
      set('set0', policyA, [
        allow('10.0.0.0/8'),
        deny('10.1.0.0/16', 'office'),
        allow('192.0.2.0/24', 'office v1'),
        allow('2001:db8:1::/48'),
      ]),
      rule('rule0', policyB, allow('198.51.100.0/24', 'office v1'), overwrites),
    ),
    run('up', { seed: 551, death: { of: 'cli', atEvent: 14, lingerMs: 60000, then: 'nothing' } }),
    program(
      set('set0', policyA, [
        allow('10.0.0.0/8'),
        deny('10.1.0.0/16', 'office'),
        allow('192.0.2.0/24', 'office v1'),
        allow('2001:db8:1::/48'),
      ]),
    ),
    run('up', { seed: 922 }),
  ),
  'a destroy that deletes a part of a set says that the state still holds all of it': life(
    { seed: 4100 },
    program(
      set(
        'set0',
        policyA,
        [
          allow('10.1.0.0/16'),
          allow('10.1.2.3/32', 'office'),
          deny('192.0.2.0/24', 'office v1'),
          allow('198.51.100.0/24'),
          allow('203.0.113.0/24', 'office'),
        ],
        overwrites,
      ),
    ),
    run('up', { seed: 674 }),
    run('destroy', {
      seed: 301,
      latencyMs: 1000,
      faults: [{ method: 'DELETE', kind: '403', nth: 2, times: 1 }],
    }),
    run('up', { seed: 623, latencyMs: 20 }),
  ),
  'recover finds in state a set that an interrupted run was renaming, and keeps what that run made': life(
    { switches: { duplicateCidr: 'accepted' }, seed: 109748 },
    program(
      route('filter0', routeA, 0, overwrites),
      route('filter1', routeB, 0, overwrites),
      set('set0', policyB, [
        allow('10.0.0.0/8'),
        deny('10.1.2.0/24', 'office'),
        allow('10.1.2.3/32', 'office v1'),
        allow('192.0.2.0/24'),
      ]),
      set('set1', policyA, [
        allow('10.1.2.3/32'),
        allow('192.0.2.0/24', 'office'),
        deny('198.51.100.0/24', 'office v1'),
      ]),
    ),
    run('up', { seed: 946 }),
    program(
      route('filter0', routeA, 0, overwrites),
      route('filter1', routeB, 3, overwrites),
      set('set0', policyB, [allow('10.0.0.0/8'), deny('10.1.2.0/24', 'office')]),
      set('set1', policyA, [
        allow('10.1.2.3/32'),
        allow('192.0.2.0/24', 'office'),
        deny('198.51.100.0/24', 'office v1'),
      ]),
      set('set2', policyB, [allow('10.1.2.3/32', 'office v1'), allow('192.0.2.0/24')]),
    ),
    run('up', {
      seed: 48,
      latencyMs: 1000,
      faults: [{ method: 'GET', kind: 'refused', nth: 2, times: 5 }],
      parallel: 2,
    }),
    program(
      route('filter0', routeA, 0, overwrites),
      route('filter1', routeB, 3, overwrites),
      set('set0', policyB, [allow('10.0.0.0/8'), deny('10.1.2.0/24', 'office')]),
      set('set1', policyA, [
        allow('10.1.2.3/32'),
        allow('192.0.2.0/24', 'office'),
        deny('198.51.100.0/24', 'office v1'),
      ]),
      set('set2-1', policyB, [allow('10.1.2.3/32', 'office v1'), allow('192.0.2.0/24')], {
        aliases: ['set2'],
      }),
    ),
    run('up', {
      seed: 501,
      latencyMs: 20,
      parallel: 1,
      death: { of: 'cli', atEvent: 5, lingerMs: 60000, then: 'recover' },
    }),
  ),
  'recover --failed-run names a rule that it leaves to the next up, and which the program no longer declares':
    life(
      { switches: { duplicateCidr: 'accepted' }, seed: 2003040 },
      program(rule('a', policyA, allow('192.0.2.0/24', 'office'), overwrites)),
      run('up', {
        faults: [{ method: 'POST', kind: 'reset though done', nth: 1, times: 1 }],
        death: { of: 'plugin', atEvent: 6, lingerMs: 0, then: 'recover' },
      }),
      program(),
    ),
};
