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
  rule,
  run,
  set,
} from '../notation';

export const rulesTakenOver: Readonly<Record<string, Life>> = {
  'a renamed set whose lost creates are taken over later keeps the rules when its old name is deleted': life(
    { seed: 357 },
    program(set('set0', policyA, [allow('10.0.0.0/8'), allow('10.1.0.0/16', 'office')])),
    run('up'),
    program(set('set0-1', policyA, [allow('10.0.0.0/8'), allow('10.1.0.0/16', 'office')])),
    run('up', {
      seed: 728,
      faults: [
        { method: 'POST', kind: 'cut', nth: 1, times: 2 },
        { method: 'LIST', kind: 'cut', nth: 1, times: 4 },
      ],
    }),
  ),
  'a single rule that moves to the network of a rule which another resource replaces leaves it covered': life(
    { seed: 1910 },
    program(
      rule('rule0', policyB, allow('10.1.0.0/16', 'office v1')),
      rule('rule1', policyB, allow('198.51.100.0/24', 'v2'), overwrites),
    ),
    run('up', { seed: 607 }),
    program(
      set('set0', policyB, [allow('10.1.0.0/16', 'office v1')], overwrites),
      rule('rule0', policyB, allow('198.51.100.0/24', 'v2'), overwrites),
      rule('rule1', policyA, deny('198.51.100.0/24', 'office')),
    ),
  ),
  'a later up goes on after a set has taken over the rule that a resource was to move away': life(
    { seed: 1626 },
    program(
      set(
        'set0',
        policyB,
        [allow('10.1.0.0/16'), deny('2001:db8::/32', 'office'), allow('2001:db8:1::/48', 'office v1')],
        overwrites,
      ),
      rule('rule0', policyA, allow('198.51.100.0/24', 'office'), overwrites),
      set('set1', policyB, [allow('198.51.100.0/24'), allow('203.0.113.0/24', 'office')]),
    ),
    run('up', { seed: 248 }),
    program(
      set(
        'set0',
        policyB,
        [allow('10.1.0.0/16'), deny('2001:db8::/32', 'office'), allow('2001:db8:1::/48', 'office v1')],
        overwrites,
      ),
      set('set1', policyB, [allow('198.51.100.0/24')]),
      set('set3', policyA, [allow('198.51.100.0/24', 'office')], overwrites),
      set('set4', policyB, [allow('203.0.113.0/24', 'office')]),
      rule('rule0', policyA, allow('10.1.2.0/24'), overwrites),
      rule('rule1', policyA, allow('2001:db8::/32', 'office'), overwrites),
      rule('rule2', policyA, deny('203.0.113.0/25', 'office v1'), overwrites),
    ),
    run('up', { seed: 201, latencyMs: 20, parallel: 2 }),
  ),
  'a single rule takes over no rule of an earlier list that a set has deleted meanwhile to change its action':
    life(
      { seed: 137614 },
      program(set('set0', policyB, [allow('10.1.0.0/16', 'office v1')], overwrites)),
      run('up', { seed: 934 }),
      program(
        set('set0', policyB, [deny('10.1.0.0/16', 'office v1')], overwrites),
        rule('rule0', policyB, allow('10.1.0.0/16', 'office v1'), overwrites),
      ),
      run('up', { seed: 775, latencyMs: 1000 }),
    ),
  'a renamed rule and a rule of its former name do not end with one rule that the second moves away': life(
    { seed: 204204 },
    program(
      rule('rule0', policyB, allow('198.51.100.0/24'), overwrites),
      set('set0', policyB, [
        deny('10.1.0.0/16'),
        allow('192.0.2.0/24', 'office'),
        allow('203.0.113.0/24', 'office v1'),
      ]),
    ),
    run('up', { seed: 794 }),
    program(
      rule('rule0-1', policyB, allow('198.51.100.0/24'), overwrites),
      set('set0', policyB, [deny('10.1.0.0/16')]),
      set('set1', policyB, [allow('192.0.2.0/24', 'office'), allow('203.0.113.0/24', 'office v1')]),
    ),
    run('up', {
      seed: 76,
      latencyMs: 1000,
      faults: [{ method: 'POST', kind: 'silence though done', nth: 1, times: 1 }],
    }),
    program(
      rule('rule0-1', policyB, allow('198.51.100.0/24'), overwrites),
      set('set0', policyB, [deny('10.1.0.0/16')]),
      set('set1', policyB, [allow('192.0.2.0/24', 'office'), allow('203.0.113.0/24', 'office v1')]),
      rule('rule0', policyB, allow('10.1.2.3/32', 'office'), overwrites),
    ),
  ),
  'a rule that a targeted up has taken over is not moved to another network by its former resource': life(
    { seed: 207186 },
    program(
      route('filter0', routeA, 3, overwrites),
      rule('rule0', policyA, deny('10.0.0.0/8', 'office v1')),
      set('set0', policyA, [
        allow('10.1.0.0/16'),
        deny('10.1.2.3/32', 'office'),
        allow('203.0.113.0/24', 'office v1'),
      ]),
      set('set1', policyB, [
        allow('10.0.0.0/8'),
        deny('10.1.0.0/16', 'office'),
        allow('192.0.2.0/24', 'office v1'),
      ]),
      rule('rule1', policyB, deny('10.1.2.0/24', 'office v1')),
    ),
    run('up', { seed: 176 }),
    program(
      route('filter0', routeA, 3, overwrites),
      set('set0', policyA, [
        allow('10.1.0.0/16'),
        deny('10.1.2.3/32', 'office'),
        allow('203.0.113.0/24', 'office v1'),
      ]),
      set('set1', policyB, [
        allow('10.0.0.0/8'),
        deny('10.1.0.0/16', 'office'),
        allow('192.0.2.0/24', 'office v1'),
      ]),
      set('set3', policyA, [deny('10.0.0.0/8', 'office v1')], overwrites),
      rule('rule0', policyB, deny('10.1.2.0/24', 'office v1'), overwrites),
    ),
    run('up', { seed: 254, latencyMs: 1000, target: 'rule0' }),
    program(
      route('filter0', routeA, 3, overwrites),
      set('set0', policyA, [
        allow('10.1.0.0/16'),
        deny('10.1.2.3/32', 'office'),
        allow('203.0.113.0/24', 'office v1'),
      ]),
      set('set1', policyB, [allow('10.0.0.0/8'), allow('192.0.2.0/24', 'office v1')]),
      set('set3', policyA, [deny('10.0.0.0/8', 'office v1')], overwrites),
      rule('rule0', policyB, deny('10.1.2.0/24', 'office v1'), overwrites),
      rule('rule1', policyB, deny('10.1.0.0/16', 'office')),
    ),
  ),
  'a set that is replaced along with what it depends on, and whose create fails in part, is in state once':
    life(
      { seed: 77340438 },
      program(
        rule('rule0', policyB, deny('2001:db8::/32')),
        set('set0', policyB, [allow('10.1.2.3/32')], { dependsOn: ['rule0'], link: 'replace' }),
      ),
      run('up', { seed: 802 }),
      program(
        rule('rule0', policyB, deny('2001:db8::/32'), { provider: 'one' }),
        set('set0', policyB, [allow('10.1.2.3/32'), allow('203.0.113.0/25')], { dependsOn: ['rule0'] }),
        rule('rule1', policyB, allow('10.1.2.3/32'), overwrites),
      ),
      run('up', { seed: 543 }),
    ),
};
