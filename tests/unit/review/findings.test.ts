import { newIds, reviewed } from './reviewing';
import {
  added,
  kept,
  type MadeResource,
  previewOf,
  removed,
  rule,
  ruleSet,
  policyRule,
} from './preview-builder';

const reasonOf = (id: string, ...resources: MadeResource[]): string | undefined => {
  const found = reviewed(previewOf(...resources)).findings.find((candidate) => candidate.id === id);
  return found?.reason.map((run) => (typeof run === 'string' ? run : run.foreign)).join('');
};
const idsOf = (...resources: MadeResource[]): string[] => newIds(reviewed(previewOf(...resources)));
/** A set of allow rules of ipp_1. */
const setOf = (rules: Readonly<Record<string, string>>, more = {}) => ({
  ipPolicyId: 'ipp_1',
  exclusive: false,
  rules: JSON.stringify(
    Object.fromEntries(Object.entries(rules).map(([cidr, action]) => [cidr, { action }])),
  ),
  ...more,
});
const office = kept('office', rule('8.8.8.0/24'));
const officeSix = kept('office-six', rule('2600:1::/32'));

test('no change: nothing is found, whatever is odd already', () => {
  expect(idsOf(office, kept('inside', rule('8.8.8.0/25')))).toEqual([]);
  expect(reviewed(previewOf(office)).verdict).toEqual({
    outcome: 'clear',
    failOn: 'high',
    affectsAccess: false,
  });
});

test('access-widened: a new network is worse the larger it is', () => {
  const severityOf = (cidr: string) =>
    reviewed(previewOf(office, officeSix, added('new', rule(cidr)))).findings.find(
      (found) => found.id === 'access-widened',
    )?.severity;
  expect(severityOf('9.9.9.0/24')).toBe('medium');
  expect(severityOf('9.9.0.0/16')).toBe('high');
  expect(severityOf('2600:2::/33')).toBe('medium');
  expect(severityOf('2600:2::/32')).toBe('high');
});

test('access-widened: points to the rule that lets them in', () => {
  const found = reviewed(previewOf(office, officeSix, added('new', rule('9.9.9.0/24')))).findings[0];
  expect(found?.where).toMatchObject({
    subject: 'ipp_1',
    property: 'cidr',
    origin: { name: 'new', source: { file: 'index.ts', line: 3 } },
  });
});

test('open-to-all: ::/0, and everything but a denied address', () => {
  expect(idsOf(office, added('open', rule('::/0')))).toContain('open-to-all');
  const reason = reasonOf(
    'open-to-all',
    added('open', rule('0.0.0.0/0')),
    added('block', rule('8.8.8.8/32', 'deny')),
  );
  expect(reason).toBe('Every IPv4 address but 1 can get in, by allow rule 0.0.0.0/0.');
});

test('protection-lost: not of a policy that only lets in whom it allows, however many these are', () => {
  expect(idsOf(added('four', rule('0.0.0.0/0')), added('six', rule('::/0')))).not.toContain(
    'protection-lost',
  );
});

test('exclusive-set-contested: news if one more rule shares the policy', () => {
  const set = { ipPolicyId: 'ipp_1', exclusive: true, rules: '{}' };
  const owner: MadeResource = ruleSet('set', { before: set, after: set });
  expect(idsOf(owner, office)).not.toContain('exclusive-set-contested');
  expect(idsOf(owner, office, added('more', rule('9.9.9.0/24')))).toContain('exclusive-set-contested');
});

test.each([
  ['0.0.0.0/1', '130.0.0.0/25', '2,147,483,776 IPv4 addresses (50 %) can get in'],
  ['2000::/4', '3000::/5', '75 % of the public IPv6 addresses can get in'],
])('open-to-most: %s and %s are told by amount and share', (first, second, said) => {
  expect(reasonOf('open-to-most', added('one', rule(first)), added('two', rule(second)))).toContain(said);
});

test('open-to-most: half of the public addresses of a family', () => {
  expect(idsOf(officeSix, added('half', rule('0.0.0.0/1')))).toContain('open-to-most');
  expect(idsOf(officeSix, added('reserved', rule('128.0.0.0/1')))).not.toContain('open-to-most');
});

test('nobody-let-in: critical when somebody was let in before, high for a new policy', () => {
  const severityOf = (...resources: MadeResource[]) =>
    reviewed(previewOf(...resources)).findings.find((found) => found.id === 'nobody-let-in')?.severity;
  expect(severityOf(removed('office', rule('8.8.8.0/24')))).toBe('critical');
  expect(severityOf(office, added('block', rule('8.8.0.0/16', 'deny')))).toBe('critical');
  expect(severityOf(added('block', rule('8.8.0.0/16', 'deny')))).toBe('high');
  expect(
    idsOf(kept('block', rule('8.8.0.0/16', 'deny')), kept('block-six', rule('::/0', 'deny'))),
  ).not.toContain('nobody-let-in');
});

test('deny-removed: says which rules went; what gets in by it is graded by its size', () => {
  const ids = (...resources: MadeResource[]) =>
    Object.fromEntries(reviewed(previewOf(...resources)).findings.map(({ id, severity }) => [id, severity]));
  const block = (cidr: string) => removed('block', rule(cidr, 'deny'));
  expect(ids(office, block('8.8.8.8/32'))).toMatchObject({
    'deny-removed': 'low',
    'access-widened': 'medium',
  });
  expect(ids(kept('wide', rule('8.0.0.0/8')), block('8.8.0.0/16'))).toMatchObject({
    'access-widened': 'high',
  });
  expect(ids(office, block('9.9.9.9/32'))).toMatchObject({ 'deny-removed': 'low' });
  expect(ids(office, block('9.9.9.9/32'), kept('wider', rule('9.9.9.0/24', 'deny')))).not.toHaveProperty(
    'deny-removed',
  );
});

test('replacement-gap: a replaced allow rule locks out for a moment, a replaced deny rule lets in', () => {
  const replaced = (inputs: Readonly<Record<string, unknown>>): MadeResource =>
    policyRule('again', {
      op: 'replace',
      before: inputs,
      after: inputs,
      state: { pendingReplacement: true },
    });
  expect(idsOf(officeSix, replaced(rule('8.8.8.0/24')))).toEqual(['replacement-gap']);
  expect(reasonOf('replacement-gap', office, replaced(rule('8.8.8.8/32', 'deny')))).toBe(
    'While rules are replaced, 8.8.8.8/32 (1 address) can get in for a moment (IPv4).',
  );
  expect(idsOf(office, officeSix, replaced(rule('8.8.8.0/25')))).not.toContain('replacement-gap');
  expect(idsOf(officeSix, { ...replaced(rule('8.8.8.0/24')), state: { delete: true } })).toEqual([]);
});

test('rule-covered: names the widest rule that covers it', () => {
  expect(
    reasonOf('rule-covered', kept('wide', rule('8.0.0.0/8')), office, added('inner', rule('8.8.8.8/32'))),
  ).toBe('Nothing depends on allow rule 8.8.8.8/32: already covered by wider rule 8.0.0.0/8.');
});

test('rule-covered-by-union: two halves say what the whole says', () => {
  const halves = ruleSet('halves', { after: setOf({ '8.8.8.0/25': 'allow', '8.8.8.128/25': 'allow' }) });
  expect(reasonOf('rule-covered-by-union', office, officeSix, halves)).toBe(
    'The allow rule 8.8.8.0/24 does the same as 2 narrower rules (8.8.8.0/25 and 8.8.8.128/25) together.',
  );
  const quarters = ruleSet('quarters', { after: setOf({ '8.8.8.0/26': 'allow', '8.8.8.64/26': 'allow' }) });
  for (const less of [added('half', rule('8.8.8.0/25')), quarters])
    expect(idsOf(office, officeSix, less)).not.toContain('rule-covered-by-union');
});

test('allow-without-effect: by a deny rule of the same network, and by several together', () => {
  const block = added('block', rule('8.8.8.0/24', 'deny'));
  expect(idsOf(office, kept('other', rule('9.9.9.0/24')), block)).toContain('allow-without-effect');
  const halves = [added('low', rule('8.8.8.0/25', 'deny')), added('high', rule('8.8.8.128/25', 'deny'))];
  expect(reasonOf('allow-without-effect', kept('other', rule('9.9.9.0/24')), office, ...halves)).toBe(
    'Allow rule 8.8.8.0/24 has no effect: denied by 2 deny rules (8.8.8.0/25 and 8.8.8.128/25).',
  );
  expect(idsOf(office, halves[0] ?? office)).not.toContain('allow-without-effect');
});

test('cidr-declared-twice: by a rule and by a set', () => {
  const set = ruleSet('set', { after: setOf({ '8.8.8.0/24': 'allow' }) });
  expect(idsOf(office, officeSix, set)).toEqual(['cidr-declared-twice']);
  expect(idsOf(office, officeSix, added('elsewhere', rule('8.8.8.0/24', 'allow', 'ipp_2')))).not.toContain(
    'cidr-declared-twice',
  );
});

test('cidr-declared-twice: news for a third declaration, although the first two are unchanged', () => {
  const twice = [kept('a', rule('8.8.8.0/24')), kept('b', rule('8.8.8.0/24'))];
  const isNewIn = (...resources: MadeResource[]) =>
    reviewed(previewOf(...resources)).findings.find(({ id }) => id === 'cidr-declared-twice')?.isNew;
  expect(isNewIn(...twice, added('c', rule('8.8.8.0/24')))).toBe(true);
  expect(isNewIn(...twice, added('c', rule('9.9.9.0/24')))).toBe(false);
});

test('not-decidable: an unknown network, a secret one, a set that is secret as a whole, an unknown entry of a set', () => {
  const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
  const cases: MadeResource[] = [
    added('new', rule(unknown)),
    added('new', rule('[secret]')),
    ruleSet('set', { after: { ipPolicyId: 'ipp_1', rules: '[secret]' } }),
    ruleSet('set', { after: setOf({ '(unknown 1)': 'allow' }) }),
    added('new', rule('0.0.0.0/0', '[secret]')),
    policyRule('new', { op: 'update', before: rule('[secret]'), after: rule('[secret]') }),
  ];
  for (const resource of cases) {
    const report = reviewed(previewOf(office, officeSix, resource));
    expect(newIds(report)).toContain('not-decidable');
    expect(report.verdict).toMatchObject({ outcome: 'not-decidable', affectsAccess: true });
  }
});

test('access-undecided: what is hidden leaves a bound on what can change', () => {
  const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
  const set = { ipPolicyId: 'ipp_1', rules: '{"9.9.9.0/24":{"(unknown)":"action"}}' };
  const report = reviewed(previewOf(office, officeSix, ruleSet('set', { after: set })));
  expect(newIds(report)).toEqual(['access-undecided']);
  expect(report.verdict).toMatchObject({ outcome: 'clear', affectsAccess: true });
  const elsewhere = added('new', rule('9.9.9.0/24', 'allow', unknown));
  expect(idsOf(office, officeSix, elsewhere)).toContain('access-widened');
  expect(idsOf(office, added('open', rule('0.0.0.0/0', 'allow', unknown)))).toContain('open-to-all');
});

test('access-undecided: a secret that stays as it is hides nothing but itself', () => {
  const secret = kept('secret', rule('[secret]', 'deny'));
  expect(idsOf(office, officeSix, secret)).toEqual([]);
  const added9 = added('new', rule('9.9.9.0/24'));
  expect(idsOf(office, officeSix, secret, added9)).toEqual(['access-undecided']);
  expect(reasonOf('access-undecided', office, officeSix, secret, added9)).toBe(
    'Not decided for ipp_1: at most 9.9.9.0/24 (256 addresses) may gain access because the cidr of secret is secret.',
  );
  expect(
    idsOf(
      office,
      officeSix,
      secret,
      kept('b', rule('8.8.8.0/24', 'allow', 'ipp_2')),
      added('new', rule('9.9.9.0/24', 'allow', 'ipp_2')),
    ),
  ).not.toContain('not-decidable');
});

test('modules: declared off, declared twice; one without effect that goes is no finding', () => {
  const module = (enabled: boolean) => ({ edgeId: 'edgtcp_1', enabled, value: '{"inbound":[]}' });
  const tcp = (name: string, before?: object, after?: object): MadeResource => ({
    type: 'TcpEdgeTrafficPolicyModule',
    name,
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  });
  expect(idsOf(tcp('a', module(true)))).toEqual([]);
  expect(idsOf(tcp('a', module(true), module(false)))).toEqual(['module-off']);
  expect(idsOf(tcp('a', undefined, module(false)))).toEqual(['module-off']);
  expect(idsOf(tcp('a', module(false), module(false)))).toEqual([]);
  expect(idsOf(tcp('a', module(true), module(true)), tcp('b', undefined, module(true)))).toEqual([
    'module-declared-twice',
  ]);
  expect(idsOf(tcp('a', module(true)), tcp('b', undefined, module(true)))).toEqual([]);
});

describe('a set that stops owning its policy lets rules of others stay', () => {
  const owner = (more: object = {}) => ({ ipPolicyId: 'ipp_1', exclusive: true, rules: '{}', ...more });
  const changed = (name: string, before?: object, after?: object): MadeResource =>
    ruleSet(name, { before, after });
  const releases = (...resources: MadeResource[]) =>
    reviewed(previewOf(...resources)).findings.filter(({ id }) => id === 'exclusive-set-released');

  test.each<[string, MadeResource[]]>([
    ['it stops being exclusive', [changed('set', owner(), owner({ exclusive: false }))]],
    ['nobody can tell whether it is', [changed('set', owner(), owner({ exclusive: '[secret]' }))]],
    ['it moves to another policy', [changed('set', owner(), owner({ ipPolicyId: 'ipp_2' }))]],
    ['it is deleted', [changed('set', owner())]],
  ])('%s', (_name, resources) => {
    const [first] = releases(...resources);
    expect(first).toMatchObject({ severity: 'medium', where: { subject: 'ipp_1' } });
    expect(reviewed(previewOf(...resources)).verdict.affectsAccess).toBe(true);
  });

  test.each<[string, MadeResource[]]>([
    ['it stays as it is', [changed('set', owner(), owner())]],
    [
      'a hidden switch stays hidden',
      [changed('set', owner({ exclusive: '[secret]' }), owner({ exclusive: '[secret]' }))],
    ],
    ['another set takes its place', [changed('old', owner()), changed('new', undefined, owner())]],
  ])('not if %s', (_name, resources) => {
    expect(releases(...resources)).toEqual([]);
  });
});
