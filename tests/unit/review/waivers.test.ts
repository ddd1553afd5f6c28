// A waiver accepts one thing: what it names of its subject, and nothing that comes later.
import { NO_ASSERTIONS, type Report } from '../../../review/src';
import { logOf, trafficOf } from './made-log';
import { added, agents, kept, office, removed, ruleSet } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { filterInputs, rule, SECRET, setInputs } from './inputs';
import { asserting, newIds, reviewed, told, type Wishes } from './reviewing';

const ofPolicy = (demands: object) => ({ policies: [{ ipPolicyId: 'ipp_1', ...demands }] });
const waiver = (finding: string, names: object, subject = 'policy:ipp_1') => ({
  ...{ finding, subject, reason: 'legacy', expires: '2026-12-31' },
  ...names,
});
const review = (
  waivers: object[],
  resources: readonly MadeResource[],
  demands: object = {},
  wishes: Wishes = {},
) => reviewed(resources, { assertions: asserting({ ...demands, waivers }), failOn: 'never', ...wishes });
const left = (report: Report, id: string): number =>
  report.findings.filter((found) => found.id === id && !found.waiver && found.isNew).length;

const six = rule('2600::/16');
const vendor = added('vendor', rule('9.9.9.0/24'));
const ceiling = ofPolicy({ neverWiderThan: ['8.8.8.0/24'] });
const ours = { neverWiderThan: ['8.8.8.0/24'] };
const route = 'route:edghts_1/edghtsrt_1';
const filter = (deny: string[], allow: string[] = []) =>
  agents('bots', { before: filterInputs(['curl', 'wget']), after: filterInputs(deny, allow) });
const log = trafficOf(logOf([{ network: '203.0.113.7/32' }, { network: '203.0.113.9/32' }]));
const home = removed('home', rule('203.0.113.0/24'));

test.each<
  [left: number, fact: string, one: ReturnType<typeof waiver>, resources: MadeResource[], demands?: object]
>([
  [0, 'all that gain', waiver('access-widened', { networks: ['9.9.9.0/24'] }), [office, vendor]],
  [0, 'more than gain', waiver('access-widened', { networks: ['9.9.0.0/16'] }), [office, vendor]],
  [1, 'a part of what gains', waiver('access-widened', { networks: ['9.9.9.0/25'] }), [office, vendor]],
  [1, 'only IPv4', waiver('access-narrowed', { networks: ['8.8.8.0/24'] }), [office, removed('six', six)]],
  [1, 'half of it', waiver('open-to-all', { networks: ['0.0.0.0/1'] }), [added('o', rule('0.0.0.0/0'))]],
  [
    1,
    'not all that may gain',
    waiver('access-may-change', { networks: ['9.9.9.0/24'] }),
    [office, kept('guests', rule(SECRET, 'deny')), vendor, added('b', rule('7.7.7.0/24'))],
  ],
  [
    0,
    'all that may gain',
    waiver('access-may-change', { networks: ['9.9.9.0/24', '7.7.7.0/24'] }),
    [office, kept('guests', rule(SECRET, 'deny')), vendor, added('b', rule('7.7.7.0/24'))],
  ],
  [
    0,
    'the legacy network that is denied',
    waiver('assertion-failed', { assertion: { mustDeny: ['9.9.9.0/24'] } }),
    [office, vendor],
    ofPolicy({ mustDeny: ['9.9.9.0/24'] }),
  ],
  [
    1,
    'the legacy network, and not who must get in',
    waiver('assertion-failed', { assertion: { mustDeny: ['9.9.9.0/24'] } }),
    [office, vendor, removed('home', rule('7.7.7.7/32'))],
    ofPolicy({ mustDeny: ['9.9.9.0/24'], mustAllow: ['7.7.7.7'] }),
  ],
  [
    0,
    'an exception to a ceiling, with an end',
    waiver('assertion-failed', { assertion: ours, networks: ['9.9.9.0/24'] }),
    [office, vendor],
    ceiling,
  ],
  [1, 'a ceiling by itself', waiver('assertion-failed', { assertion: ours }), [office, vendor], ceiling],
  [
    1,
    'a ceiling, and not what exceeds it further',
    waiver('assertion-failed', { assertion: ours, networks: ['9.9.9.0/24'] }),
    [office, vendor, added('more', rule('9.9.8.0/24'))],
    ceiling,
  ],
  [
    1,
    'another ceiling',
    waiver('assertion-failed', { assertion: { neverWiderThan: [] }, networks: ['9.9.9.0/24'] }),
    [office, vendor],
    ceiling,
  ],
  [0, 'the lost pattern', waiver('user-agents-widened', { patterns: ['wget'] }, route), [filter(['curl'])]],
  [1, 'another pattern', waiver('user-agents-widened', { patterns: ['curl'] }, route), [filter(['curl'])]],
  [0, 'all clients', waiver('user-agents-widened', { patterns: ['.*'] }, route), [filter(['curl'])]],
  [1, 'patterns of a filter', waiver('protection-lost', { patterns: ['curl', 'wget'] }, route), [filter([])]],
  [0, 'everybody of a lost filter', waiver('protection-lost', { patterns: ['.*'] }, route), [filter([])]],
])('of what happens, %i stays if a waiver names %s', (stays, _fact, one, resources, demands = {}) => {
  expect(left(review([one], resources, demands), one.finding)).toBe(stays);
});

test('of the clients of a log, those that are named', () => {
  const of = (networks: string[]) =>
    left(
      review([waiver('clients-refused', { networks })], [office, home], {}, { traffic: log }),
      'clients-refused',
    );
  expect([of(['203.0.113.7']), of(['203.0.113.7', '203.0.113.9'])]).toEqual([1, 0]);
});

test('a kind that has nothing to name is waived by its subject', () => {
  const owner = ruleSet('all', { after: setInputs([], true) });
  const report = review([waiver('exclusive-set-takes-over', {})], [office, owner]);
  expect(left(report, 'exclusive-set-takes-over')).toBe(0);
});

describe('a waiver that names nothing', () => {
  const bare = waiver('access-widened', {});

  test('is refused in the change, with the line to add, and nobody can accept it', () => {
    const report = review([bare], [office, vendor]);
    expect(told(report, 'waiver-incomplete')).toEqual([
      'high waiver-incomplete: The waiver of "access-widened" for "policy:ipp_1" does not name what it accepts, and covers nothing: add "\\"networks\\": [\\"9.9.9.0/24\\"]".',
    ]);
    expect(report.verdict.outcome).toBe('findings');
    expect(report.acceptance).toBeUndefined();
    expect(left(report, 'access-widened')).toBe(1);
    expect(report.waivers).toMatchObject([{ state: 'incomplete', coveredFindings: 0 }]);
  });

  test.each<[string, object, MadeResource[], object]>([
    [
      '"assertion": { "mustDeny": ["9.9.9.0/24"] }',
      waiver('assertion-failed', {}),
      [office, vendor],
      ofPolicy({ mustDeny: ['9.9.9.0/24'] }),
    ],
    [
      '"assertion": { "neverWiderThan": ["8.8.8.0/24"] }, "networks": ["9.9.9.0/24"]',
      waiver('assertion-failed', {}),
      [office, vendor],
      ceiling,
    ],
    ['"patterns": ["wget"]', waiver('user-agents-widened', {}, route), [filter(['curl'])], {}],
    ['"networks": ["192.0.2.0/24"]', waiver('access-widened', {}), [office], {}],
  ])('the line %s', (line, one, resources, demands) => {
    const [said] = told(review([one], resources, demands), 'waiver-incomplete');
    expect(said).toContain(`add ${JSON.stringify(line)}`);
  });

  test('in the base alone is a warning, so that a change can repair it', () => {
    const base = { assertions: asserting({ waivers: [bare] }) };
    const gone = reviewed([office], { assertions: NO_ASSERTIONS, base });
    expect(told(gone)).toEqual([
      'low base-assertions-outdated: the waiver of "access-widened" for "policy:ipp_1" does not name what it accepts, and covers nothing.',
    ]);
    const assertions = asserting({ waivers: [waiver('access-widened', { networks: ['9.9.9.0/24'] })] });
    const repaired = reviewed([office], { assertions, base });
    expect(newIds(repaired)).toEqual(['guard-weakened', 'base-assertions-outdated']);
    expect(repaired.acceptance?.isAccepted).toBe(false);
  });
});

describe('a waiver that the change widens is a weakened guard; one that it narrows is in force', () => {
  const of = (...networks: string[]) => asserting({ waivers: [waiver('access-widened', { networks })] });
  const weakened = (base: string[], change: string[]) =>
    left(
      reviewed([office], { assertions: of(...change), base: { assertions: of(...base) } }),
      'guard-weakened',
    );
  test.each<[number, string[], string[]]>([
    [0, ['9.9.9.0/24'], ['9.9.9.0/24']],
    [0, ['9.9.9.0/24', '7.7.7.0/24'], ['9.9.9.0/24']],
    [1, ['9.9.9.0/24'], ['9.9.9.0/24', '7.7.7.0/24']],
    [1, ['9.9.9.0/24'], ['9.9.0.0/16']],
  ])('%i: from %j to %j', (found, base, change) => {
    expect(weakened(base, change)).toBe(found);
  });

  test('and it covers by what the base has', () => {
    const report = reviewed([office, vendor], {
      assertions: of('9.9.9.0/24'),
      base: { assertions: of('9.9.9.0/24', '7.7.7.0/24') },
    });
    expect(left(report, 'access-widened')).toBe(0);
  });
});

test.each<[string, object, string]>([
  ['access-widened', { patterns: ['.*'] }, 'waivers[0]: names patterns, which no access-widened has'],
  ['module-off', { networks: ['9.9.9.0/24'] }, 'waivers[0]: names networks, which no module-off has'],
  [
    'access-widened',
    { networks: ['9.9.9.0/33'] },
    'waivers[0].networks[0] must be an address or a network such as',
  ],
  [
    'assertion-failed',
    { assertion: { mustDney: [] } },
    'waivers[0].assertion has the unknown key "mustDney"',
  ],
])('%s with %j is refused', (id, names, message) => {
  expect(() => asserting({ waivers: [waiver(id, names)] })).toThrow(message);
});
