// Assertions, and the waivers of findings: what they ask for, and what a change may do to them.
import { type AssertionSet, readAssertionFile, type Report } from '../../../review/src';
import { added, agents, assertionsOf, kept, office, tcp, type MadeResource } from './preview-builder';
import { edgeInputs, filterInputs, rule, SECRET, UNKNOWN } from './inputs';
import { answersOf, asserting, newIds, reviewed, told, type Wishes } from './reviewing';

const ofPolicy = (...asked: object[]) => ({
  policies: asked.map((content) => ({ ipPolicyId: 'ipp_1', ...content })),
});
const policy = (mustAllow: readonly string[], mustDeny: readonly string[] = []) =>
  asserting(ofPolicy({ mustAllow, mustDeny }));
const ofRoute = (asked: object) => ({
  userAgentFilters: [{ edgeId: 'edghts_1', routeId: 'edghtsrt_1', ...asked }],
});
const outcomes = (assertions: AssertionSet, ...resources: MadeResource[]): string[] =>
  answersOf(reviewed(resources, { assertions }));

const block = kept('block', rule('8.8.8.128/25', 'deny'));

test.each(
  Object.entries<[asked: object, said: string[]]>({
    'an address, with the deciding rule': [
      { mustAllow: ['8.8.8.1', '8.8.8.200', '9.9.9.9'] },
      [
        'holds: "8.8.8.1/32" is let in by the allow rule "8.8.8.0/24" of "office"',
        'fails: "8.8.8.200/32" is kept out by the deny rule "8.8.8.128/25" of "block"',
        'fails: "9.9.9.9/32" is kept out because no rule lets it in',
      ],
    ],
    'of a network every address must get in, and the first that does not is named': [
      { mustAllow: ['8.8.8.0/24', '8.8.8.0/25'] },
      [
        'fails: "8.8.8.128/25" is kept out by the deny rule "8.8.8.128/25" of "block"',
        'holds: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
      ],
    ],
    'of a network no address may get in': [
      { mustDeny: ['8.8.8.0/24', '8.8.8.128/26', '2600::/12'] },
      [
        'fails: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
        'holds: "8.8.8.128/26" is kept out by the deny rule "8.8.8.128/25" of "block"',
        'holds: "2600::/12" is kept out because no rule lets it in',
      ],
    ],
    'a ceiling: denies count': [{ neverWiderThan: ['8.8.8.0/25'] }, ['holds: all of it is decided that way']],
    'what exceeds it is named': [{ neverWiderThan: ['8.8.8.0/26'] }, ['fails: "8.8.8.64/26" is let in']],
    'nobody may be let in': [{ neverWiderThan: [] }, ['fails: "8.8.8.0/25" is let in']],
    'a ceiling that is no network': [
      { neverWiderThan: ['8.8.8.0/33'] },
      ['not-checked: "8.8.8.0/33" is not an address or network'],
    ],
  }),
)('%s', (_fact, [asked, said]) => {
  expect(outcomes(asserting(ofPolicy(asked)), office, block)).toEqual(said);
});

test('of several rules that match an address, the narrowest is said to decide', () => {
  const wider = [kept('region', rule('8.8.0.0/16')), kept('wide', rule('8.0.0.0/8'))];
  expect(outcomes(policy(['8.8.8.1']), kept('all', rule('0.0.0.0/0')), office, ...wider)).toEqual([
    'holds: "8.8.8.1/32" is let in by the allow rule "8.8.8.0/24" of "office"',
  ]);
});

test('a ceiling counts for IPv6, too', () => {
  const six = kept('six', rule('2600::/12'));
  expect(outcomes(asserting(ofPolicy({ neverWiderThan: ['0.0.0.0/0'] })), office, six)).toEqual([
    'fails: "2600::/12" is let in',
  ]);
});

test.each([
  ['an allow', rule(SECRET), ['holds', 'not-checked', 'fails', 'not-checked', 'not-checked']],
  ['a deny', rule(SECRET, 'deny'), ['not-checked', 'fails', 'not-checked', 'holds', 'holds']],
])('%s that is hidden leaves open only what it could decide', (_what, hidden, words) => {
  const two = ['8.8.8.1', '9.9.9.9'];
  const asked = asserting(ofPolicy({ mustAllow: two, mustDeny: two, neverWiderThan: ['8.8.8.0/24'] }));
  const said = outcomes(asked, office, kept('hidden', hidden));
  expect(said.map((outcome) => outcome.split(':', 1)[0])).toEqual(words);
});

const bots = filterInputs(['curl']);

test('user agents: with the deciding pattern, and the missing header as null', () => {
  const asked = asserting(ofRoute({ mustAllow: ['Mozilla/5.0', 'curl/8'], mustDeny: ['curl/8', null] }));
  expect(outcomes(asked, agents('bots', { after: bots }))).toEqual([
    'holds: no pattern decides',
    'fails: decided by the deny pattern "curl"',
    'holds: decided by the deny pattern "curl"',
    'holds: no pattern decides',
  ]);
  // The missing header is refused by default, and not by a pattern that finds an empty text.
  const allowing = agents('bots', { after: filterInputs(['.*'], ['^curl/']) });
  expect(outcomes(asserting(ofRoute({ mustAllow: ['curl/8'], mustDeny: [null] })), allowing)).toEqual([
    'holds: decided by the allow pattern "^curl/"',
    'holds: no pattern decides',
  ]);
});

test.each([
  ['allow-wins', filterInputs([], ['^$']), { mustAllow: [null] }, 'decided by the allow pattern "^$"'],
  ['deny-wins', filterInputs(['^$']), { mustDeny: [null] }, 'decided by the deny pattern "^$"'],
] as const)('user agents: a missing header under %s, by %j', (userAgentModel, after, asked, because) => {
  const wishes = { assertions: asserting(ofRoute(asked)), assumptions: { userAgentModel } };
  expect(answersOf(reviewed([agents('bots', { after })], wishes))).toEqual([`holds: ${because}`]);
});

test('user agents: a filter that is deleted fails what it had to keep out, and two that disagree decide nothing', () => {
  const asked = asserting(ofRoute({ mustAllow: ['kube-probe/1.31'], mustDeny: ['curl/8.5.0'] }));
  expect(outcomes(asked, agents('bots', { before: bots }))).toEqual([
    'holds: the filter is removed',
    'fails: the filter is removed',
  ]);
  const more = agents('more', { after: filterInputs(['curl', 'kube']) });
  expect(outcomes(asked, agents('bots', { after: bots }), more)).toEqual([
    'not-checked: the filters that may be in force on the route disagree',
    'holds: decided by the deny pattern "curl"',
  ]);
});

test('an assertion that cannot be checked is a finding, and the review is not decidable', () => {
  const of = (assertions: AssertionSet) => reviewed([office], { assertions });
  const elsewhere = asserting(ofPolicy({ ipPolicyId: 'ipp_other', mustAllow: ['8.8.8.8'] }));
  for (const assertions of [elsewhere, policy(['8.8.8.8/33']), asserting(ofRoute({ mustAllow: ['curl'] }))]) {
    expect(newIds(of(assertions))).toEqual(['assertion-not-checked']);
    expect(of(assertions).verdict.outcome).toBe('not-decidable');
  }
});

describe('what the base breaks already is news only as far as the change breaks more of it', () => {
  const vendor = kept('vendor', rule('9.9.9.0/24'));
  const more = added('more', rule('9.9.8.0/24'));
  const [denied, allowed] = [ofPolicy({ mustDeny: ['9.9.0.0/16'] }), ofPolicy({ mustAllow: ['7.7.7.7'] })];
  const client = ofRoute({ mustDeny: ['Wget/1'] });
  const review = (asked: object, ...resources: MadeResource[]) =>
    reviewed(resources, { assertions: asserting(asked) });

  test.each<[fact: string, isNew: boolean, asked: object, resources: MadeResource[]]>([
    ['a network', false, denied, [office, vendor]],
    ['another network, too', true, denied, [office, vendor, more]],
    ['an address', false, allowed, [office]],
    ['an address of a policy that is new', true, allowed, [added('office', rule('8.8.8.0/24'))]],
    ['a ceiling', false, ofPolicy({ neverWiderThan: ['8.8.8.0/24'] }), [office, vendor]],
    ['a client', false, client, [agents('bots', { before: bots, after: bots })]],
    ['a client of a filter that is new', true, client, [agents('bots', { after: bots })]],
  ])('%s: %s', (_fact, isNew, asked, resources) => {
    const failed = review(asked, ...resources).findings.filter(({ id }) => id === 'assertion-failed');
    expect(failed).toMatchObject([{ isNew }]);
  });

  test.each<[fact: string, base: object, isNew: boolean]>([
    ['nothing', {}, true],
    ['something else', allowed, true],
    ['the same', denied, false],
  ])('an assertion of a change whose base asks for %s', (_fact, base, isNew) => {
    const report = reviewed([office, vendor], {
      assertions: asserting(denied),
      base: { assertions: asserting(base) },
    });
    expect(report.findings.filter(({ id }) => id === 'assertion-failed')).toMatchObject([{ isNew }]);
  });

  test('only what the change breaks is named, and what may be let in besides is not known to be broken', () => {
    expect(told(review(denied, office, vendor, more), 'assertion-failed')).toEqual([
      'critical assertion-failed: "9.9.0.0/16" must be kept out, but "9.9.8.0/24" is let in by the allow rule "9.9.8.0/24" of "more".',
    ]);
    const besides = review(denied, office, vendor, added('x', rule(SECRET)));
    expect(newIds(besides)).toContain('assertion-not-checked');
  });
});

describe('a program states its assertions as a component of its own', () => {
  const review = (step: Parameters<typeof assertionsOf>[1], wishes = {}, ...others: MadeResource[]) =>
    reviewed([office, ...others, assertionsOf('access', step)], wishes);

  test.each([
    ['fails', { mustDeny: ['8.8.8.8'] }],
    ['not-checked', { mustDeny: ['8.8.8.8'], ipPolicyId: UNKNOWN }],
    ['not-checked', { mustDeny: [UNKNOWN] }],
    ['not-checked', { mustDeny: SECRET }],
    ['not-checked', { neverWiderThan: ['8.8.8.0/24', SECRET] }],
  ])('one that %s: %j', (outcome, asked) => {
    expect(review({ after: ofPolicy(asked) }).assertions).toMatchObject([{ outcome }]);
  });

  test('of clients: a hidden one is no user agent, and the others are checked', () => {
    const after = { policies: [], ...ofRoute({ mustDeny: ['curl/8', UNKNOWN, SECRET] }) };
    const { assertions } = review({ after }, {}, agents('bots', { after: bots }));
    expect(assertions.map(({ outcome }) => outcome)).toEqual(['holds', 'not-checked', 'not-checked']);
  });

  test('which the preview does not show: not decidable', () => {
    const report = review({ after: {} });
    expect(report.verdict.outcome).toBe('not-decidable');
    expect(newIds(report)).toEqual(['preview-incomplete']);
  });

  const [nine, nothing] = [ofPolicy({ mustDeny: ['9.9.9.9'] }), ofPolicy({ mustDeny: [] })];
  // An alias makes it another type, which states nothing any more; below a component of another type it still does.
  const type = 'edge-policy:index:AccessAssertions';
  const urnOf = (token: string) => ({ urn: `urn:pulumi:dev::acme::${token}::access` });
  const renamed = { more: urnOf('my:index:Notes'), newState: { type: 'my:index:Notes' } };
  test.each<[fact: string, step: Parameters<typeof review>[0], found: string[]]>([
    ['it goes', { before: nine }, ['guard-weakened']],
    ['it asks for less', { before: nine, after: nothing }, ['guard-weakened']],
    ['it asks for more', { before: nothing, after: nine }, []],
    ['it becomes something else', { before: nine, after: nine, ...renamed }, ['guard-weakened']],
    ['it has a parent', { before: nine, after: nine, more: urnOf(`my:index:Guards$${type}`) }, []],
  ])('before and after: %s', (_fact, step, found) => {
    expect(newIds(review(step))).toEqual(found);
  });

  test('a demand that moves to the file is not taken away', () => {
    const assertions = asserting(nine);
    const wishes = { assertions, base: { assertions: asserting({}) } };
    expect(newIds(review({ before: nine }, wishes))).toEqual([]);
  });
});

const WAIVER = {
  ...{ finding: 'open-to-all', subject: 'policy:ipp_1', networks: ['0.0.0.0/0'] },
  ...{ reason: 'public site', expires: '2026-06-15' },
};
const waived = (waiver: object) => asserting({ waivers: [{ ...WAIVER, ...waiver }] });
const open = added('open', rule('0.0.0.0/0'));
const TYPE = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const urnOf = (type: string) => `urn:pulumi:dev::acme::${type}::open`;
const review = (waiver: object, ...resources: MadeResource[]) =>
  reviewed(resources, { assertions: waived(waiver), failOn: 'critical' });

test('a waiver covers findings of its kind alone, which stay visible', () => {
  const { findings } = review({}, open);
  const covered = findings.flatMap(({ id, waiver }) => (waiver ? [[id, waiver.reason]] : []));
  expect(covered).toEqual([['open-to-all', 'public site']]);
});

const namesake = added('ipp_1', rule('0.0.0.0/0', 'allow', 'ipp_2'));
const hidden = added('open', rule('0.0.0.0/0', 'allow', SECRET));
const edge = tcp('edge', { after: { ...edgeInputs(), edgeId: 'ipp_1' } });

test.each<[outcome: string, fact: string, waiver: object, resources: MadeResource[]]>([
  ['clear', 'the resource by its URN', { subject: `resource:${urnOf(TYPE)}` }, [open]],
  ['clear', 'a hidden policy, by the URN', { subject: `resource:${urnOf(TYPE)}` }, [hidden]],
  ...['policy:ipp_2', 'edge:ipp_1', 'route:ipp_1', 'resource:open', 'resource:ipp_1'].map(
    (subject): [string, string, object, MadeResource[]] => ['findings', subject, { subject }, [open]],
  ),
  ['findings', 'a resource that is called like the policy', {}, [namesake]],
  ['findings', 'under another parent', { subject: `resource:${urnOf(`my:index:Office$${TYPE}`)}` }, [open]],
  ['findings', 'a hidden policy, by the name', { subject: 'policy:the hidden policy of open' }, [hidden]],
  ['findings', 'an id that the change uses for two kinds', {}, [open, edge]],
  ['findings', 'the day before yesterday', { expires: '2026-06-14' }, [open]],
  ['clear', 'a year', { expires: '2027-06-15' }, [open]],
])(
  'a waiver ends at its day and names its subject by its id, not by a name: %s: %s',
  (outcome, _fact, waiver, resources) => {
    expect(review(waiver, ...resources).verdict.outcome).toBe(outcome);
  },
);

test('one that has ended is a finding, and an unused one is listed; 29 February is a day', () => {
  expect(newIds(review({ expires: '2026-06-14' }, open))).toContain('waiver-expired');
  const unused = review({}, office);
  expect(newIds(unused)).toEqual([]);
  expect(unused.waivers).toMatchObject([{ state: 'unused' }]);
  expect(waived({ expires: '2028-02-29' }).waivers).toHaveLength(1);
});

describe('guards that a change takes away', () => {
  const guards = (before: object, after: object) =>
    told(
      reviewed([office], { assertions: asserting(after), base: { assertions: asserting(before) } }),
      'guard-weakened',
    ).map((text) => text.slice('high guard-weakened: '.length));
  const ofClient = (...mustDeny: (string | null)[]) => ({
    userAgentFilters: [{ edgeId: 'e', routeId: 'r', mustDeny }],
  });
  const waiversUntil = (expires: string) => ({ waivers: [{ ...WAIVER, reason: 'public', expires }] });
  const [letsIn, keepsOut] = [
    ofPolicy({ mustAllow: ['8.8.8.0/24'] }),
    ofPolicy({ mustDeny: ['9.9.9.0/24'] }),
  ];
  const [narrow, wide] = [
    { neverWiderThan: ['8.8.8.0/24'] },
    { neverWiderThan: ['8.8.8.0/24', '9.9.9.0/24'] },
  ];
  const KEPT_OUT = 'for "ipp_1", "9.9.9.0/24" must be kept out';
  const CEILING = 'for "ipp_1", nobody outside "8.8.8.0/24" may be let in';

  test.each<[string, object, object, string]>([
    ['a demand that is gone', keepsOut, {}, KEPT_OUT],
    ['one of a policy that is spelt otherwise', keepsOut, ofPolicy({ ipPolicyId: 'ipp_1 ' }), KEPT_OUT],
    [
      'one that is written in another way, even if it asks for more',
      letsIn,
      ofPolicy({ mustAllow: ['8.8.8.128/25', '8.8.8.0/25', '8.8.8.7'] }),
      'for "ipp_1", "8.8.8.0/24" must be let in',
    ],
    ['a ceiling that is wider', ofPolicy(narrow), ofPolicy({ neverWiderThan: ['8.8.8.0/23'] }), CEILING],
    ['one of two ceilings that both count', ofPolicy(wide, narrow), ofPolicy(wide, wide), CEILING],
    [
      'a client',
      ofClient('curl/8', null),
      ofClient('wget/1'),
      'for "e/r", the client "curl/8" must be kept out and for "e/r", a client without a user agent must be kept out',
    ],
    ['none: nothing', letsIn, letsIn, ''],
    ['none: more', letsIn, ofPolicy({ mustAllow: ['8.8.8.7', '8.8.8.0/24'], ...narrow }), ''],
    ['none: a ceiling that is narrower', ofPolicy(wide), ofPolicy(narrow), ''],
    ['none: a waiver that ends sooner', waiversUntil('2026-12-31'), waiversUntil('2026-12-30'), ''],
  ])('%s', (_name, before, after, found) => {
    expect(guards(before, after)).toEqual(found === '' ? [] : [`The change removes or weakens: ${found}.`]);
  });

  test('a waiver that is new, or holds longer', () => {
    const added =
      'the waiver of "open-to-all" for "policy:ipp_1", of "0.0.0.0/0", ("public") until "2026-12-31"';
    const waiver = waiversUntil('2026-12-31');
    expect(guards({}, waiver)).toEqual([`The change adds or extends: ${added}.`]);
    expect(guards(waiversUntil('2026-12-30'), waiver)).toEqual([
      `The change adds or extends: ${added} (before "2026-12-30").`,
    ]);
    const another = { ...WAIVER, reason: 'public', finding: 'access-widened' };
    expect(guards(waiver, { waivers: [...waiver.waivers, another] })).toHaveLength(1);
  });
});

describe('the way of a waiver from proposal to effect', () => {
  const waiver = { ...WAIVER, expires: '2026-12-31' };
  const file = (...waivers: object[]) => asserting({ waivers });
  const review = (base: AssertionSet, change: AssertionSet, wishes: Wishes = {}) =>
    reviewed([open], {
      ...{ assertions: change, base: { assertions: base } },
      ...{ failOn: 'critical', ...wishes },
    });
  const isCovered = (report: Report) =>
    report.findings.some(({ id, waiver: covering }) => id === 'open-to-all' && covering !== undefined);

  test('it covers nothing in the change that brings it, and stops it whatever the threshold', () => {
    const report = review(file(), file(waiver));
    expect(isCovered(report)).toBe(false);
    expect(report.waivers).toMatchObject([{ state: 'proposed', coveredFindings: 0 }]);
    expect(review(file(), file(waiver), { failOn: 'never' }).verdict.outcome).toBe('findings');
  });

  test('a waiver that the base has holds; one that the change prolongs holds for as long as it did', () => {
    expect(isCovered(review(file(waiver), file(waiver)))).toBe(true);
    const shorter = { ...waiver, expires: '2026-06-14' };
    expect(isCovered(review(file(shorter), file(waiver)))).toBe(false);
  });

  test('without a base none covers, and the report says so', () => {
    const report = review(file(), file(waiver), { base: 'not-known' });
    expect(isCovered(report)).toBe(false);
    expect(newIds(report)).toEqual(['open-to-all', 'access-widened', 'guards-without-base']);
  });
});

test.each<[content: unknown, message: string]>([
  ['nonsense', 'must hold a JSON object'],
  [
    { policy: [] },
    'has the unknown key "policy"; its keys are $schema, policies, tcpEdges, userAgentFilters, waivers, gate',
  ],
  [{ policies: {} }, 'policies must be a list'],
  [{ policies: [{ mustAllow: [] }] }, 'policies[0].ipPolicyId must be a string'],
  [{ tcpEdges: [{ mustAllow: [] }] }, 'tcpEdges[0].edgeId must be a string'],
  [ofPolicy({ mustAlow: [] }), 'policies[0] has the unknown key "mustAlow"'],
  [ofPolicy({ mustAllow: [null] }), 'policies[0].mustAllow[0] must be an address'],
  [ofPolicy({ mustAllow: [1] }), 'mustAllow[0] must be an address, a network in CIDR notation, or a feed'],
  [ofPolicy({ mustAllow: [{ feed: 7 }] }), 'mustAllow[0].feed must be a string'],
  [ofPolicy({ neverWiderThan: '10.0.0.0/8' }), 'neverWiderThan must be a list'],
  [ofPolicy({ neverWiderThan: [{ feeds: 'cdn' }] }), 'neverWiderThan[0] has the unknown key "feeds"'],
  ...(
    [
      [{ finding: 'nothing' }, 'finding is not the id of a finding'],
      [{ finding: 'preview-incomplete' }, 'finding cannot be waived'],
      [{ finding: 'guard-weakened' }, 'finding cannot be waived'],
      [{ reason: ' ' }, 'reason must be a string'],
      [{ subject: undefined }, 'subject must be a string'],
      ...['2026-13-01', '2027-02-31', '2027-02-29', '2027-00-10', '2027-1-31', '+02027-01-31'].map(
        (expires) => [{ expires }, 'expires must be a date'] as const,
      ),
      [{ expires: '2027-01-31T00:00:00Z' }, 'expires must be a date'],
      ...['ipp_1', 'policy:', 'name:ipp_1', 'urn:pulumi:x'].map(
        (subject) =>
          [{ subject }, 'subject must be policy:ID, edge:ID, route:EDGE/ROUTE or resource:URN'] as const,
      ),
    ] as const
  ).map(([waiver, message]): [object, string] => [
    { waivers: [{ ...WAIVER, ...waiver }] },
    `waivers[0].${message}`,
  ]),
  ...(
    [
      [{ failOn: 'hihg' }, '.failOn must be one of never, critical'],
      [{ noNewAccess: 'yes' }, '.noNewAccess must be true or false'],
      [{ maxRefusedClients: -1 }, '.maxRefusedClients must be a whole number of at least 0'],
      [{ requires: { until: {} } }, '.requires.until.maxDays must be a whole number of at least 1'],
      [{ requires: { until: { maxDays: 0 } } }, '.requires.until.maxDays must be a whole number'],
      [{ requires: { description: 'yes' } }, '.requires.description must be true or false'],
      [{ requires: { metadata: 'owner' } }, '.requires.metadata must be a list'],
      [{ requires: { untill: {} } }, '.requires has the unknown key "untill"'],
      [{ failon: 'high' }, ' has the unknown key "failon"'],
    ] as const
  ).map(([gate, message]): [object, string] => [{ gate }, `gate${message}`]),
])('the file %j is refused: %s', (content, message) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  expect(() => readAssertionFile(text, 'a.json')).toThrow(message);
});
