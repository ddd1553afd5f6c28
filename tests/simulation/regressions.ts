import type { Life } from './life';
import {
  allow,
  deny,
  edge,
  edgeA,
  edgeB,
  fault,
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
} from './notation';
import { edges } from '../support/random-program/program';

/** Lives that have failed and that chance hardly makes, by what holds in them. */
export const regressions: Readonly<Record<string, Life>> = {
  'after an interrupted exchange, a replacement keeps the module that another entry of state holds too': life(
    { seed: 219 },
    program(edge('a', edgeA, 2), edge('b', edgeB, 2)),
    run('up'),
    run('destroy', { faults: [fault('DELETE', '403', { nth: 2 })] }),
    program(edge('a', edgeB, 2), edge('b', edgeA, 2)),
    run('up', { death: { of: 'interrupt', atEvent: 1, lingerMs: 0, then: 'nothing' } }),
  ),
  'what moves to a provider whose process cannot be reached stays live, as nothing is deleted': life(
    { seed: 1 },
    program(edge('module0', edgeA, 4), rule('rule0', policyA, deny('10.0.0.0/8'))),
    run('up'),
    program(
      edge('module1', edgeA, 4, { provider: 'two' }),
      rule('rule1', policyA, deny('10.0.0.0/8'), { ...overwrites, provider: 'two' }),
    ),
    run('up', { hasNoFolder: true, continuesOnError: true }),
  ),
  'a list that does not show a young rule yet is no proof that it is gone, where a proxy answers the delete':
    life(
      { switches: { listLagMs: 10000 }, seed: 15365 },
      program(rule('rule0', policyB, deny('192.0.2.0/24', 'v2'))),
      run('up', { seed: 432 }),
      program(),
      run('up', { seed: 166, faults: [fault('DELETE', '404 with HTML', { times: 5 })] }),
    ),
  'a young rule is not taken for gone before any answer has told that our clock is two minutes ahead': life(
    { switches: { listLagMs: 10000 }, skewMs: -118552, seed: 136715 },
    program(rule('rule0', policyB, deny('10.0.0.0/8', 'office'))),
    run('up', { seed: 758 }),
    program(),
    run('up', { seed: 502, faults: [fault('DELETE', '404 with HTML', { times: 4 })] }),
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
  'a rule whose create lost its answer is not adopted after a set that read the same list has taken it over':
    life(
      { seed: 5009563 },
      program(
        set('set0', policyA, [deny('10.1.2.3/32'), deny('203.0.113.0/24')]),
        set('set3', policyA, [deny('192.0.2.0/24')], overwrites),
        set('set4', policyA, [deny('203.0.113.0/24')], overwrites),
      ),
      run('up', { seed: 68, faults: [fault('POST', 'HTML though done', { nth: 2 })] }),
    ),
  'a preview refuses no rule that a set has taken over because it does not know its new network': life(
    { seed: 7005390 },
    program(rule('rule1', policyB, deny('10.1.2.0/24'))),
    run('up'),
    program(
      set('set1', policyB, [deny('10.1.2.0/24'), allow('10.1.0.0/16')], overwrites),
      set('set2', policyB, [allow('10.1.0.0/16')], overwrites),
      rule('rule1', policyB, deny('198.51.100.0/24')),
    ),
    run('up', { seed: 547, apartMs: 1500 }),
    { do: 'preview', unknown: { name: 'rule1', input: 'cidr' } },
  ),
  'of two creates that were both lost, the one that is listed later is named, too': life(
    { seed: 7094514, switches: { duplicateCidr: 'accepted', listLagMs: 10000 } },
    program(
      set('set1', policyB, [
        deny('10.1.2.0/24'),
        deny('10.1.2.3/32'),
        allow('2001:db8:1::/48', 'v2'),
        allow('203.0.113.0/25'),
      ]),
      edge('module1', edgeB, 0, overwrites),
      edge('module2', edges[2], 4),
    ),
    run('up', {
      seed: 106,
      latencyMs: 1000,
      faults: [fault('POST', 'late', { nth: 4 }), fault('POST', 'reset though done', { nth: 4, times: 3 })],
    }),
  ),
  'a rule that a resource of another provider keeps is not moved by a second entry of state': life(
    { seed: 5014422 },
    program(rule('rule0', policyB, allow('10.1.0.0/16'))),
    run('up'),
    program(
      set('set1', policyB, [allow('10.1.0.0/16')], { ...overwrites, provider: 'two' }),
      rule('rule0', policyB, allow('203.0.113.0/25'), overwrites),
    ),
    run('up', { seed: 313, latencyMs: 20, apartMs: 1500 }),
    run('up', { seed: 778 }),
  ),
  'a resource whose replacement did not finish, and whose rule others had taken, gets the rule under a new name':
    life(
      { seed: 300660 },
      program(set('set0', policyB, [allow('10.1.0.0/16')], overwrites)),
      run('up', { seed: 749 }),
      program(
        set('set0', policyB, [allow('10.1.0.0/16')], overwrites),
        set('set1', policyB, [allow('10.1.0.0/16')], overwrites),
      ),
      run('up', { seed: 552, latencyMs: 20, refresh: 'as registered', replace: 'set0' }),
      program(set('set0', policyB, [allow('10.1.0.0/16')], overwrites)),
    ),
  'the same for a rule that moved with another entry of the state': life(
    { seed: 302158 },
    program(rule('rule0', policyB, deny('10.1.2.0/24'))),
    run('up', { seed: 286 }),
    { do: 'duplicate', name: 'rule0' },
    program(
      rule('rule0', policyB, deny('198.51.100.0/24'), overwrites),
      rule('rule0-again', policyB, deny('198.51.100.0/24'), overwrites),
    ),
    run('up', { seed: 852 }),
    program(rule('rule0-again', policyB, deny('198.51.100.0/24'), overwrites)),
  ),
  'a rule that was taken over just after its create is not gone because a replica does not know it yet': life(
    { seed: 1930109541, switches: { duplicateCidr: 'accepted' }, unknownForMs: 4000 },
    program(
      route('filter0', routeA, 5),
      rule('rule0', policyA, allow('198.51.100.0/24', 'office v1'), { ignoredText: 'office' }),
      set('set0', policyA, [allow('198.51.100.0/24', 'office v1')], overwrites),
    ),
    run('up', { seed: 190 }),
  ),
  'a module that an update makes again once its delete has ended is kept by the delete of another entry':
    life(
      { seed: 1930110913 },
      program(edge('module0', edgeA, 3)),
      run('up', { seed: 37 }),
      program(edge('module0', edgeB, 1), edge('module1', edgeA, 3)),
      { do: 'duplicate', name: 'module0' },
      run('up', { seed: 395, target: 'module1' }),
    ),
  'a set that an option replaces only because an answer was lost leaves none of its old rules': life(
    { switches: { duplicateCidr: 'accepted' } },
    program(set('set0', policyA, [deny('10.1.0.0/16')])),
    run('up'),
    program(set('set0', policyA, [deny('10.1.0.0/16', 'v2')])),
    run('up', {
      faults: [fault('PATCH', 'reset though done', { times: 9 }), fault('GET', '500', { times: 50 })],
    }),
    program(set('set0', policyA, [deny('10.1.0.0/16', 'v2')], { replaceOnChanges: true })),
  ),
  'a rule that a killed plugin has made, and which the program no longer declares, is named and removed':
    life(
      { switches: { duplicateCidr: 'accepted' }, seed: 2003040 },
      program(rule('a', policyA, allow('192.0.2.0/24', 'office'), overwrites)),
      run('up', {
        faults: [fault('POST', 'reset though done')],
        death: { of: 'plugin', atEvent: 6, lingerMs: 0, then: 'recover' },
      }),
      program(),
    ),
};
