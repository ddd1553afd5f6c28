import type { Life } from '../life';
import {
  allow,
  deny,
  edge,
  edgeA,
  life,
  others,
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

export const lostAndLateAnswers: Readonly<Record<string, Life>> = {
  'a list that does not show a young rule yet is no proof that it is gone, where a proxy answers the delete':
    life(
      { switches: { listLagMs: 10000 }, seed: 15365 },
      program(rule('rule0', policyB, deny('192.0.2.0/24', 'v2'))),
      run('up', { seed: 432 }),
      program(),
      run('up', { seed: 166, faults: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 5 }] }),
    ),
  'the rule of a create that the way carries out twice is named, though the list does not show it yet': life(
    { switches: { missingRule: 'empty', listLagMs: 10000 }, seed: 16325 },
    program(
      set('set0', policyB, [
        allow('10.0.0.0/8'),
        allow('10.1.2.3/32', 'office'),
        deny('192.0.2.0/24', 'office v1'),
        allow('203.0.113.0/25'),
      ]),
      rule('rule0', policyA, deny('192.0.2.0/24')),
    ),
    run('up', { seed: 345 }),
    program(
      set('set0', policyB, [
        allow('10.0.0.0/8'),
        allow('10.1.2.3/32', 'office'),
        deny('192.0.2.0/24', 'office v1'),
        allow('203.0.113.0/25'),
      ]),
      rule('rule0', policyA, deny('192.0.2.0/24')),
      set('set1', policyB, [
        allow('10.1.0.0/16'),
        allow('10.1.2.0/24', 'office'),
        deny('198.51.100.0/24', 'office v1'),
        allow('2001:db8:1::/48'),
      ]),
    ),
    run('destroy', {
      seed: 352,
      faults: [
        { method: 'LIST', kind: '403', nth: 1, times: 1 },
        { method: 'DELETE', kind: 'nothing though done', nth: 2, times: 1 },
      ],
    }),
    program(
      set('set0', policyB, [
        allow('10.0.0.0/8'),
        allow('10.1.2.3/32', 'office'),
        deny('192.0.2.0/24', 'office v1'),
        allow('203.0.113.0/25'),
      ]),
      rule('rule0', policyA, deny('192.0.2.0/24')),
      set('set1', policyB, [
        allow('10.1.0.0/16'),
        allow('10.1.2.0/24', 'office'),
        deny('198.51.100.0/24', 'office v1'),
        allow('2001:db8:1::/48'),
      ]),
      rule('rule1', policyA, allow('203.0.113.0/25', 'v2'), overwrites),
    ),
    run('up', { seed: 938, faults: [{ method: 'POST', kind: 'doubled', nth: 1, times: 3 }] }),
    others('move', `${policyB} 10.1.2.0/24`),
  ),
  'in the update of a set, a list that does not show a young rule yet is no proof that the rule is gone':
    life(
      { switches: { duplicateCidr: 'accepted', listLagMs: 10000 }, seed: 48201 },
      program(
        set('set0', policyA, [allow('10.0.0.0/8'), deny('10.1.2.0/24', 'office')]),
        route('filter0', routeA, 3, overwrites),
        rule('rule0', policyB, allow('2001:db8:1::/48', 'office v1')),
        edge('module0', edgeA, 3, overwrites),
        route('filter1', routeB, 5),
        set(
          'set1',
          policyA,
          [
            deny('10.1.0.0/16'),
            allow('2001:db8::/32', 'office'),
            allow('2001:db8:1::/48', 'office v1'),
            deny('203.0.113.0/25'),
          ],
          overwrites,
        ),
        set('set2', policyB, [
          allow('10.1.2.0/24'),
          deny('198.51.100.0/24', 'office'),
          allow('203.0.113.0/25', 'office v1'),
        ]),
      ),
      run('up', { seed: 314 }),
      program(
        set('set0', policyA, [allow('10.0.0.0/8'), allow('10.1.2.0/24', 'office')]),
        route('filter0', routeA, 3, overwrites),
        rule('rule0', policyB, allow('2001:db8:1::/48', 'office v1')),
        edge('module0', edgeA, 3, overwrites),
        route('filter1', routeB, 5),
        set(
          'set1',
          policyA,
          [
            deny('10.1.0.0/16'),
            allow('2001:db8::/32', 'office'),
            allow('2001:db8:1::/48', 'office v1'),
            deny('203.0.113.0/25'),
          ],
          overwrites,
        ),
        set('set2', policyB, [
          allow('10.1.2.0/24'),
          deny('198.51.100.0/24', 'office'),
          allow('203.0.113.0/25', 'office v1'),
        ]),
      ),
      run('up', { seed: 115, faults: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 6 }] }),
    ),
  'for an up that follows at once, a list from before a lost create is no proof that the rule does not exist':
    life(
      { switches: { duplicateCidr: 'accepted', listLagMs: 10000 }, seed: 109368 },
      program(set('set0', policyB, [deny('198.51.100.0/24'), allow('2001:db8::/32', 'office')])),
      run('up', {
        seed: 43,
        faults: [
          { method: 'POST', kind: 'cut', nth: 1, times: 1 },
          { method: 'LIST', kind: 'reset though done', nth: 2, times: 6 },
        ],
      }),
      run('up', { seed: 171 }),
    ),
  'a young rule is not taken for gone before any answer has told that our clock is two minutes ahead': life(
    { switches: { listLagMs: 10000 }, skewMs: -118552, seed: 136715 },
    program(rule('rule0', policyB, deny('10.0.0.0/8', 'office'))),
    run('up', { seed: 758 }),
    program(),
    run('up', { seed: 502, faults: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 4 }] }),
  ),
  'the 404 to the delete of a young rule that a set has taken over is no proof that the rule is gone': life(
    { seed: 2004973, unknownForMs: 4000 },
    program(rule('a', policyA, allow('192.0.2.0/24', 'office'), overwrites)),
    run('up'),
    program(set('b', policyA, [allow('192.0.2.0/24', 'office')], overwrites)),
    run('up'),
    program(),
    run('up'),
  ),
};
