import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AssertionSet,
  type FailOn,
  gateInForce,
  guardsOf,
  readAssertionFile,
  readPreviewDocument,
  renderMarkdown,
  type Report,
} from '../../../review/src';
import type { Gate } from '../../../review/src/guards/gate';
import { plain } from '../../../review/src/text/escape';
import {
  added,
  agents,
  kept,
  type MadeResource,
  previewOf,
  previewSteps,
  removed,
  rule,
  ruleSet,
  tcp,
} from './preview-builder';
import { newIds, reviewed } from './reviewing';

const NAME = 'edge-policy.assertions.json';
const policy = (mustAllow: readonly string[], mustDeny: readonly string[] = [], ipPolicyId = 'ipp_1') =>
  readAssertionFile(JSON.stringify({ policies: [{ ipPolicyId, mustAllow, mustDeny }] }), NAME);
const filterAssertions = (mustAllow: readonly (string | null)[], mustDeny: readonly (string | null)[] = []) =>
  readAssertionFile(
    JSON.stringify({
      userAgentFilters: [{ edgeId: 'edghts_1', routeId: 'edghtsrt_1', mustAllow, mustDeny }],
    }),
    NAME,
  );
const outcomes = (assertions: ReturnType<typeof policy>, ...resources: MadeResource[]): string[] =>
  reviewed(previewOf(...resources), { assertions }).assertions.map(
    ({ outcome, because }) => `${outcome}: ${plain(because)}`,
  );

const office = kept('office', rule('8.8.8.0/24'));
const block = kept('block', rule('8.8.8.128/25', 'deny'));

test('mustAllow: an address, with the deciding rule', () => {
  expect(outcomes(policy(['8.8.8.1', '8.8.8.200', '9.9.9.9']), office, block)).toEqual([
    'holds: "8.8.8.1/32" is let in by the allow rule "8.8.8.0/24" of "office"',
    'fails: "8.8.8.200/32" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'fails: "9.9.9.9/32" is kept out because no rule lets it in',
  ]);
});

test('mustAllow: of a network every address must get in, and the first that does not is named', () => {
  expect(outcomes(policy(['8.8.8.0/24', '8.8.8.0/25']), office, block)).toEqual([
    'fails: "8.8.8.128/25" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'holds: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
  ]);
});

test('mustDeny: of a network no address may get in', () => {
  expect(outcomes(policy([], ['8.8.8.0/24', '8.8.8.128/26', '2600::/12']), office, block)).toEqual([
    'fails: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
    'holds: "8.8.8.128/26" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'holds: "2600::/12" is kept out because no rule lets it in',
  ]);
});

test('a hidden rule leaves open only what it could decide', () => {
  const secretAllow = kept('secret', rule('[secret]'));
  const secretDeny = kept('secret', rule('[secret]', 'deny'));
  const words = (...resources: MadeResource[]) =>
    outcomes(policy(['8.8.8.1', '9.9.9.9'], ['8.8.8.1', '9.9.9.9']), ...resources).map(
      (outcome) => outcome.split(':', 1)[0],
    );
  expect(words(office, secretAllow)).toEqual(['holds', 'not-checked', 'fails', 'not-checked']);
  expect(words(office, secretDeny)).toEqual(['not-checked', 'fails', 'not-checked', 'holds']);
});

const bots = { edgeId: 'edghts_1', routeId: 'edghtsrt_1', enabled: true, allow: [], deny: ['curl'] };

test('user agents: with the deciding pattern, and the missing header as null', () => {
  const asked = filterAssertions(['Mozilla/5.0', 'curl/8'], ['curl/8', null]);
  expect(outcomes(asked, agents('bots', { after: bots }))).toEqual([
    'holds: no pattern decides',
    'fails: decided by the deny pattern "curl"',
    'holds: decided by the deny pattern "curl"',
    'holds: no pattern decides',
  ]);
});

test('user agents: a filter that is deleted fails what it had to keep out', () => {
  const asked = filterAssertions(['kube-probe/1.31'], ['curl/8.5.0']);
  expect(outcomes(asked, agents('bots', { before: bots }))).toEqual([
    'holds: the filter is removed',
    'fails: the filter is removed',
  ]);
  const more = agents('more', { after: { ...bots, deny: ['curl', 'kube'] } });
  expect(outcomes(asked, agents('bots', { after: bots }), more)).toEqual([
    'not-checked: the filters that may be in force on the route disagree',
    'holds: decided by the deny pattern "curl"',
  ]);
});

test('assertion-failed and assertion-not-checked are findings', () => {
  expect(newIds(reviewed(previewOf(office), { assertions: policy(['9.9.9.9']) }))).toEqual([
    'assertion-failed',
  ]);
  for (const assertions of [
    policy(['8.8.8.8'], [], 'ipp_other'),
    policy(['8.8.8.8/33']),
    filterAssertions(['curl']),
  ]) {
    const report = reviewed(previewOf(office), { assertions });
    expect(newIds(report)).toEqual(['assertion-not-checked']);
    expect(report.verdict.outcome).toBe('not-decidable');
  }
});

test('a program states its assertions as a component of its own', () => {
  const component = (inputs: object) => ({
    op: 'create',
    urn: 'urn:pulumi:dev::acme::edge-policy:index:AccessAssertions::access',
    newState: { type: 'edge-policy:index:AccessAssertions', inputs },
  });
  const preview = previewOf(office);
  const withComponent = (inputs: object) => ({
    ...preview,
    steps: [...preview.steps, ...previewSteps(component(inputs))],
  });
  expect(
    reviewed(withComponent({ policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['8.8.8.8'] }] })).assertions,
  ).toMatchObject([{ outcome: 'fails' }]);
  const unknown = {
    policies: [{ ipPolicyId: '04da6b54-80e4-46f7-96ec-b56ff0331ba9', mustDeny: ['8.8.8.8'] }],
  };
  expect(reviewed(withComponent(unknown)).assertions).toMatchObject([{ outcome: 'not-checked' }]);
});

test('recorded: the assertions of a program, as the CLI shows its component', () => {
  const text = readFileSync(join(__dirname, 'fixtures', 'program-assertions.json'), 'utf8');
  const { assertions } = reviewed(readPreviewDocument(text));
  expect(
    assertions.map(
      ({ assertion, outcome }) => `${assertion.expectation} ${assertion.target ?? 'no header'}: ${outcome}`,
    ),
  ).toEqual([
    'allow 203.0.113.9: not-checked',
    'allow 1.1.1.1: fails',
    'deny 198.51.101.0/24: holds',
    'allow Mozilla: holds',
    'deny no header: holds',
    'deny curl/8: holds',
  ]);
});

const waived = (waiver: object) =>
  readAssertionFile(
    JSON.stringify({
      waivers: [
        {
          finding: 'open-to-all',
          subject: 'policy:ipp_1',
          reason: 'public site',
          expires: '2026-06-15',
          ...waiver,
        },
      ],
    }),
    NAME,
  );
const open = added('open', rule('0.0.0.0/0'));

test('a waiver covers a finding, which stays visible and stops nothing', () => {
  const review = (waiver: object, today = '2026-06-15') =>
    reviewed(previewOf(open), { assertions: waived(waiver), today, failOn: 'critical' });
  expect(reviewed(previewOf(open), { failOn: 'critical' }).verdict.outcome).toBe('findings');
  const urn = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::open';
  for (const subject of ['policy:ipp_1', `resource:${urn}`]) {
    const report = review({ subject });
    expect(report.verdict.outcome).toBe('clear');
    expect(report.findings.find((found) => found.id === 'open-to-all')?.waiver?.reason).toBe('public site');
  }
  for (const subject of ['policy:ipp_2', 'edge:ipp_1', 'route:ipp_1', 'resource:open', 'resource:ipp_1'])
    expect(review({ subject }).verdict.outcome).toBe('findings');
});

describe('a name is no id: a waiver does not cover', () => {
  const outcomeOf = (subject: string, ...resources: MadeResource[]) =>
    reviewed(previewOf(...resources), { assertions: waived({ subject }), failOn: 'critical' }).verdict
      .outcome;
  const type = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';

  test('a resource that is called like the waived policy', () => {
    expect(outcomeOf('policy:ipp_1', added('ipp_1', rule('0.0.0.0/0', 'allow', 'ipp_2')))).toBe('findings');
  });

  test('a resource of the same name under another parent', () => {
    const subject = `resource:urn:pulumi:dev::acme::my:index:Office$${type}::open`;
    expect(outcomeOf(subject, open)).toBe('findings');
    expect(outcomeOf(`resource:urn:pulumi:dev::acme::${type}::open`, open)).toBe('clear');
  });

  test('a policy that is hidden, by the name of its resource', () => {
    const hidden = added('open', rule('0.0.0.0/0', 'allow', '[secret]'));
    expect(outcomeOf('policy:the hidden policy of open', hidden)).toBe('findings');
    expect(outcomeOf(`resource:urn:pulumi:dev::acme::${type}::open`, hidden)).toBe('clear');
  });

  test('anything of an id that the change uses for two kinds', () => {
    const edge = tcp('edge', { after: { edgeId: 'ipp_1', enabled: true, value: '{"inbound":[]}' } });
    expect(outcomeOf('policy:ipp_1', open)).toBe('clear');
    expect(outcomeOf('policy:ipp_1', open, edge)).toBe('findings');
  });
});

test('a waiver holds until the end of its day, and is a finding the day after', () => {
  const review = (today: string) =>
    reviewed(previewOf(open), { assertions: waived({}), today, failOn: 'critical' });
  expect(review('2026-06-15').verdict.outcome).toBe('clear');
  expect(review('2026-06-16').verdict.outcome).toBe('findings');
  expect(newIds(review('2026-06-16'))).toContain('waiver-expired');
});

test('a day that the calendar has only in leap years is a date in those', () => {
  expect(waived({ expires: '2028-02-29' }).waivers).toHaveLength(1);
});

test('a waiver holds for a year at most', () => {
  const review = (expires: string) =>
    reviewed(previewOf(open), { assertions: waived({ expires }), failOn: 'critical' });
  expect(review('2027-06-15').verdict.outcome).toBe('clear');
  expect(review('2027-06-16').verdict.outcome).toBe('findings');
  expect(newIds(review('2027-06-16'))).toContain('waiver-too-long');
});

describe('neverWiderThan: nobody outside the networks may get in', () => {
  const ceiling = (...neverWiderThan: string[]) =>
    readAssertionFile(JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', neverWiderThan }] }), NAME);

  test.each<[string, string[], MadeResource[], string]>([
    ['it holds', ['8.8.0.0/16'], [office], 'holds: all of it is decided that way'],
    ['a deny rule counts', ['8.8.8.0/25'], [office, block], 'holds: all of it is decided that way'],
    ['what is outside is named', ['8.8.8.0/25'], [office], 'fails: "8.8.8.128/25" is let in'],
    ['nothing may be let in', [], [office], 'fails: "8.8.8.0/24" is let in'],
    [
      'IPv6 counts too',
      ['0.0.0.0/0'],
      [office, kept('six', rule('2600::/12'))],
      'fails: "2600::/12" is let in',
    ],
    ['no network', ['8.8.8.0/33'], [office], 'not-checked: "8.8.8.0/33" is not an address or network'],
  ])('%s', (_name, networks, resources, outcome) => {
    expect(outcomes(ceiling(...networks), ...resources)).toEqual([outcome]);
  });

  test('a hidden rule leaves it open', () => {
    const [outcome] = outcomes(ceiling('8.8.8.0/24'), office, kept('secret', rule('[secret]')));
    expect(outcome).toMatch(/^not-checked/);
  });
});

describe('guards that a change takes away', () => {
  const file = (content: object) => readAssertionFile(JSON.stringify(content), NAME);
  const guards = (before: object, after: object) =>
    reviewed(previewOf(office), { assertions: file(after), base: { assertions: file(before) } })
      .findings.filter(({ id }) => id === 'guard-weakened')
      .map(({ reason }) => plain(reason));
  const ofPolicy = (...asked: object[]) => ({
    policies: asked.map((content) => ({ ipPolicyId: 'ipp_1', ...content })),
  });
  const ofClient = (...mustDeny: (string | null)[]) => ({
    userAgentFilters: [{ edgeId: 'e', routeId: 'r', mustDeny }],
  });
  const waiversUntil = (expires: string) => ({
    waivers: [{ finding: 'open-to-all', subject: 'policy:ipp_1', reason: 'public', expires }],
  });
  const endsWithin = (...policies: string[]) => ({
    gate: { requires: { until: { maxDays: 30, ...(policies.length > 0 && { policies }) } } },
  });
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
    ['a threshold that is raised', {}, { gate: { failOn: 'critical' } }, '"failOn" "high" (now "critical")'],
    ['a threshold that is gone', { gate: { failOn: 'medium' } }, {}, '"failOn" "medium" (now "high")'],
    ['a strict mode that is gone', { gate: { noNewAccess: true } }, {}, '"noNewAccess" "true"'],
    ['a higher limit', { gate: { maxRules: 2 } }, { gate: { maxRules: 3 } }, '"maxRules" "2" (now "3")'],
    ['a limit that is gone', { gate: { maxRules: 2 } }, {}, '"maxRules" "2"'],
    [
      'an end that is required of all policies',
      endsWithin(),
      endsWithin('all policies'),
      '"requires.until for all policies" "30"',
    ],
    [
      'an end that is required of two policies, whose names are one of another',
      endsWithin('ipp_1', 'ipp_2'),
      endsWithin('ipp_1, ipp_2'),
      '"requires.until for ipp_1, ipp_2" "30"',
    ],
    ['another model', {}, { gate: { ipModel: 'block-list' } }, '"ipModel" "deny-wins" (now "block-list")'],
  ])('%s', (_name, before, after, found) => {
    expect(guards(before, after)).toEqual([`The change removes or weakens: ${found}.`]);
  });

  test('a waiver that is new, or holds longer', () => {
    const added = 'the waiver of "open-to-all" for "policy:ipp_1" ("public") until "2026-12-31"';
    const waiver = waiversUntil('2026-12-31');
    expect(guards({}, waiver)).toEqual([`The change adds or extends: ${added}.`]);
    expect(guards(waiversUntil('2026-12-30'), waiver)).toEqual([
      `The change adds or extends: ${added} (before "2026-12-30").`,
    ]);
  });

  test.each<[string, object, object]>([
    ['nothing', letsIn, letsIn],
    ['what asks for more', letsIn, ofPolicy({ mustAllow: ['8.8.8.7', '8.8.8.0/24'], ...narrow })],
    ['a ceiling that is narrower', ofPolicy(wide), ofPolicy(narrow)],
    ['a waiver that ends sooner', waiversUntil('2026-12-31'), waiversUntil('2026-12-30')],
    ['a threshold that is lowered', {}, { gate: { failOn: 'low' } }],
    ['the default said aloud', {}, { gate: { ipModel: 'deny-wins', terminalActions: ['deny'] } }],
  ])('none: %s', (_name, before, after) => {
    expect(guards(before, after)).toEqual([]);
  });

  test('of the program: its own assertions before and after stand in the preview', () => {
    const type = 'edge-policy:index:AccessAssertions';
    const urn = `urn:pulumi:dev::acme::${type}::access`;
    const side = (mustDeny: readonly string[]) => ({
      type,
      inputs: { policies: [{ ipPolicyId: 'ipp_1', mustDeny }], userAgentFilters: [] },
    });
    const review = (step: object) => {
      const preview = previewOf(office);
      return newIds(reviewed({ ...preview, steps: [...preview.steps, ...previewSteps({ urn, ...step })] }));
    };
    expect(review({ op: 'delete', oldState: side(['9.9.9.9']) })).toEqual(['guard-weakened']);
    expect(review({ op: 'same', oldState: side(['9.9.9.9']), newState: side([]) })).toEqual([
      'guard-weakened',
    ]);
    expect(review({ op: 'same', oldState: side([]), newState: side(['9.9.9.9']) })).toEqual([]);
    // An alias makes it another type, which states nothing any more.
    const other = { type: 'my:index:Notes', inputs: side(['9.9.9.9']).inputs };
    expect(
      review({
        op: 'same',
        urn: urn.replace(type, other.type),
        oldState: side(['9.9.9.9']),
        newState: other,
      }),
    ).toEqual(['guard-weakened']);
    // Below a component of another type it still does.
    const moved = urn.replace(type, `my:index:Guards$${type}`);
    expect(
      review({ op: 'same', urn: moved, oldState: side(['9.9.9.9']), newState: side(['9.9.9.9']) }),
    ).toEqual([]);
  });

  test('a demand that moves from the program to the file is not taken away', () => {
    const type = 'edge-policy:index:AccessAssertions';
    const oldState = { type, inputs: { policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['9.9.9.9'] }] } };
    const preview = previewOf(office);
    const steps = previewSteps({ op: 'delete', urn: `urn:pulumi:dev::acme::${type}::access`, oldState });
    const report = reviewed(
      { ...preview, steps: [...preview.steps, ...steps] },
      { assertions: file(ofPolicy({ mustDeny: ['9.9.9.9'] })), base: { assertions: file({}) } },
    );
    expect(newIds(report)).toEqual([]);
  });
});

describe('noNewAccess: any gain fails, whatever the threshold', () => {
  const filter = (deny: readonly string[]) => ({ edgeId: 'e', routeId: 'r', enabled: true, allow: [], deny });
  const policy = (value: string) => ({ edgeId: 'edgtcp_1', enabled: true, value });
  const outcomeOf = (...resources: MadeResource[]) =>
    reviewed(previewOf(office, ...resources), { noNewAccess: true, failOn: 'never' }).verdict.outcome;

  test.each<[string, string, MadeResource]>([
    ['one address', 'findings', added('one', rule('9.9.9.9/32'))],
    ['fewer addresses', 'clear', added('less', rule('8.8.8.8/32', 'deny'))],
    ['a client of the corpus', 'findings', agents('it', { before: filter(['curl']), after: filter([]) })],
    ['no client', 'clear', agents('it', { before: filter(['curl']), after: filter(['curl']) })],
    [
      'a traffic policy that is gone',
      'findings',
      tcp('it', { before: policy('{"inbound":[{"actions":[{"type":"deny"}]}]}') }),
    ],
    [
      'a traffic policy that stays',
      'clear',
      tcp('it', { before: policy('{"inbound":[]}'), after: policy('{"inbound":[]}') }),
    ],
    [
      'a traffic policy in place of one that nobody has seen',
      'findings',
      tcp('it', {
        after: { ...policy('{"inbound":[{"actions":[{"type":"deny"}]}]}'), overwriteExisting: true },
      }),
    ],
    [
      'an allow in place of a rule that nobody has seen',
      'findings',
      added('covered', { ...rule('8.8.8.8/32'), overwriteExisting: true }),
    ],
    [
      'a deny in place of a rule that nobody has seen',
      'clear',
      added('less', { ...rule('8.8.8.8/32', 'deny'), overwriteExisting: true }),
    ],
    [
      'a set that deletes rules that nobody has seen',
      'findings',
      ruleSet('it', { after: { ipPolicyId: 'ipp_2', exclusive: true, rules: '{}' } }),
    ],
  ])('%s: %s', (_name, outcome, resource) => {
    expect(outcomeOf(resource)).toBe(outcome);
  });
});

describe('the way of a waiver from proposal to effect', () => {
  const waiver = {
    finding: 'open-to-all',
    subject: 'policy:ipp_1',
    reason: 'public site',
    expires: '2026-12-31',
  };
  const file = (...waivers: object[]) => readAssertionFile(JSON.stringify({ waivers }), NAME);
  const review = (base: AssertionSet, change: AssertionSet, accepted?: string) =>
    reviewed(previewOf(open), {
      assertions: change,
      base: { assertions: base },
      failOn: 'critical',
      ...(accepted !== undefined && { accepted }),
    });
  const isCovered = (report: Report) =>
    report.findings.some(({ id, waiver: covering }) => id === 'open-to-all' && covering !== undefined);

  test('it covers nothing in the change that brings it, and stops it whatever the threshold', () => {
    const report = review(file(), file(waiver));
    expect(isCovered(report)).toBe(false);
    expect(report.waivers).toMatchObject([{ state: 'proposed', coveredFindings: 0 }]);
    const alone = reviewed(previewOf(office), {
      assertions: file(waiver),
      base: { assertions: file() },
      failOn: 'never',
    });
    expect(alone.verdict.outcome).toBe('findings');
  });

  test('it covers once somebody else has accepted exactly this change of guards', () => {
    const { guards } = review(file(), file(waiver));
    expect(guards?.isAccepted).toBe(false);
    const report = review(file(), file(waiver), guards?.hash);
    expect(report.guards).toEqual({ hash: guards?.hash, isAccepted: true });
    expect(isCovered(report)).toBe(true);
    expect(report.verdict.outcome).toBe('clear');
    expect(newIds(report)).toContain('guards-accepted');
  });

  test('what was accepted is void once the guards change again, in any way', () => {
    const hash = review(file(), file(waiver)).guards?.hash;
    for (const [base, change] of [
      [file(), file({ ...waiver, expires: '2027-01-01' })],
      [file(), file({ ...waiver, reason: 'another' })],
      [file(), file(waiver, { ...waiver, finding: 'access-widened' })],
      [policy(['1.2.3.4']), file(waiver)],
      [readAssertionFile('{"gate":{"maxRules":4}}', NAME), file(waiver)],
    ] as const) {
      const report = review(base, change, hash);
      expect(report.guards?.isAccepted).toBe(false);
      expect(report.verdict.outcome).toBe('findings');
      expect(isCovered(report)).toBe(false);
    }
  });

  test('a part of the hash accepts nothing, and no hash neither', () => {
    const hash = review(file(), file(waiver)).guards?.hash ?? '';
    for (const accepted of [hash.slice(0, 12), '', `${hash} `])
      expect(review(file(), file(waiver), accepted).guards?.isAccepted).toBe(false);
  });

  test('a waiver that the base has holds; one that the change prolongs holds for as long as it did', () => {
    expect(isCovered(review(file(waiver), file(waiver)))).toBe(true);
    const shorter = { ...waiver, expires: '2026-06-14' };
    expect(isCovered(review(file(shorter), file(waiver)))).toBe(false);
  });

  test('without a base none covers, and the report says so', () => {
    const report = reviewed(previewOf(open), { assertions: file(waiver), base: 'not-known' });
    expect(isCovered(report)).toBe(false);
    expect(newIds(report)).toContain('guards-without-base');
  });
});

describe('the sign: green only if nothing above low is new, whatever the threshold', () => {
  const signOf = (...resources: MadeResource[]): string | undefined =>
    /🟢|🟡|🔴/u.exec(renderMarkdown(reviewed(previewOf(...resources), { failOn: 'never' })))?.[0];

  test.each<[string, string, MadeResource[]]>([
    ['🟢', 'nothing', [office]],
    ['🟢', 'a loss that leaves others', [office, removed('branch', rule('9.9.9.0/24'))]],
    ['🟡', 'a gain', [office, added('branch', rule('9.9.9.0/24'))]],
    ['🔴', 'open to all', [office, open]],
    [
      '🟡',
      'nearly everybody is locked out',
      [{ ...kept('open', rule('0.0.0.0/0')), after: rule('8.8.8.8/32') }],
    ],
    ['🟡', 'something hidden', [office, added('branch', rule('[secret]'))]],
  ])('%s: %s', (sign, _, resources) => {
    expect(signOf(...resources)).toBe(sign);
  });

  test('the gate is a sentence of its own', () => {
    const text = renderMarkdown(reviewed(previewOf(office, open), { failOn: 'never' }));
    expect(text).toContain('The gate does not stop it: threshold never.');
  });
});

describe('the gate in force', () => {
  test.each<[string, Gate, Gate, FailOn | undefined, FailOn]>([
    ['nobody says anything', {}, {}, undefined, 'high'],
    ['a change alone cannot make it milder', {}, { failOn: 'never' }, undefined, 'high'],
    ['a change alone can make it stricter', {}, { failOn: 'low' }, undefined, 'low'],
    ['what a change takes away still counts', { failOn: 'low' }, {}, undefined, 'low'],
    ['of base and change the stricter', { failOn: 'never' }, { failOn: 'medium' }, undefined, 'medium'],
    ['both milder than the default', { failOn: 'never' }, { failOn: 'critical' }, undefined, 'critical'],
    ['the switch stands for the default', {}, {}, 'never', 'never'],
    ['the switch makes no file milder', { failOn: 'medium' }, {}, 'never', 'medium'],
    ['a change cannot make the switch milder', {}, { failOn: 'never' }, 'low', 'low'],
  ])('%s', (_, base, change, failOn, expected) => {
    const asked = { noNewAccess: false, models: {}, ...(failOn && { failOn }) };
    expect(gateInForce({ base, change }, asked).failOn).toBe(expected);
  });

  test('the file of a change cannot set the gate of its base, until that is accepted', () => {
    const file = (gate: Gate) => ({ assertions: [], waivers: [], gate });
    const sources = { assertions: file({ failOn: 'never' }), base: { assertions: file({ failOn: 'low' }) } };
    const preview = previewOf(office);
    const { gates, change } = guardsOf(preview, sources);
    expect(gates.base).toEqual({ failOn: 'low' });
    const accepted = guardsOf(preview, { ...sources, ...(change && { accepted: change.hash }) });
    expect(accepted.gates.base).toEqual({ failOn: 'never' });
  });

  test('noNewAccess of either side counts, and models are the base’s', () => {
    const asked = { noNewAccess: false, models: {} };
    expect(gateInForce({ base: { noNewAccess: true }, change: {} }, asked).noNewAccess).toBe(true);
    expect(gateInForce({ base: {}, change: { noNewAccess: true } }, asked).noNewAccess).toBe(true);
    const gates = { base: { ipModel: 'allow-wins' }, change: { ipModel: 'block-list' } } as const;
    expect(gateInForce(gates, asked).models).toEqual({ ipModel: 'allow-wins' });
  });
});

test('a set beyond maxRules is a finding, and new as soon as it grows', () => {
  const set = (...networks: string[]) => ({
    ipPolicyId: 'ipp_1',
    rules: JSON.stringify(Object.fromEntries(networks.map((cidr) => [cidr, { action: 'allow' }]))),
  });
  const review = (before: object, after: object) =>
    reviewed(previewOf(ruleSet('set', { before, after })), {
      maxRules: 2,
    })
      .findings.filter(({ id }) => id === 'set-too-large')
      .map(({ isNew, reason }) => `${isNew ? 'new' : 'old'}: ${plain(reason)}`);
  const [two, three, four] = [
    set('8.8.8.0/24', '9.9.9.0/24'),
    set('8.8.8.0/24', '9.9.9.0/24', '1.1.1.0/24'),
    set('8.8.8.0/24', '9.9.9.0/24', '1.1.1.0/24', '2600::/32'),
  ];
  expect(review(three, two)).toEqual([]);
  expect(review(two, three)).toEqual(['new: "set" has 3 rules, but the gate allows a set at most 2.']);
  expect(review(three, four)).toEqual(['new: "set" has 4 rules, but the gate allows a set at most 2.']);
  expect(review(four, three)).toEqual(['old: "set" has 3 rules, but the gate allows a set at most 2.']);
});

test('the least maxRules of base and change counts', () => {
  const asked = { noNewAccess: false, models: {} };
  expect(gateInForce({ base: { maxRules: 5 }, change: { maxRules: 9 } }, asked).maxRules).toBe(5);
  expect(gateInForce({ base: {}, change: { maxRules: 9 } }, asked).maxRules).toBe(9);
  expect(gateInForce({ base: {}, change: {} }, asked).maxRules).toBeUndefined();
});

test('a waiver of nothing is listed as unused, and no finding', () => {
  const report = reviewed(previewOf(office), { assertions: waived({}) });
  expect(newIds(report)).toEqual([]);
  expect(report.waivers).toMatchObject([{ state: 'unused' }]);
});

test.each([
  ['nonsense', 'must hold a JSON object'],
  [
    '{"policy":[]}',
    'has the unknown key "policy"; its keys are $schema, policies, tcpEdges, userAgentFilters, waivers, gate',
  ],
  ['{"policies":{}}', 'policies must be a list'],
  ['{"policies":[{"mustAllow":[]}]}', 'policies[0].ipPolicyId must be a string'],
  ['{"policies":[{"ipPolicyId":"ipp_1","mustAlow":[]}]}', 'policies[0] has the unknown key "mustAlow"'],
  ['{"policies":[{"ipPolicyId":"ipp_1","mustAllow":[null]}]}', 'policies[0].mustAllow[0] must be an address'],
  [
    '{"policies":[{"ipPolicyId":"ipp_1","mustAllow":[1]}]}',
    'policies[0].mustAllow[0] must be an address, a network in CIDR notation, or a feed',
  ],
  [
    '{"waivers":[{"finding":"nothing","reason":"x","expires":"2026-01-01"}]}',
    'waivers[0].finding is not the id of a finding',
  ],
  ['{"waivers":[{"finding":"preview-incomplete","reason":"x","expires":"2026-01-01"}]}', 'cannot be waived'],
  [
    '{"waivers":[{"finding":"open-to-all","reason":" ","expires":"2026-01-01"}]}',
    'waivers[0].reason must be a string',
  ],
  [
    '{"waivers":[{"finding":"open-to-all","reason":"x","expires":"2026-13-01"}]}',
    'waivers[0].expires must be a date',
  ],
  ...['2027-02-31', '2027-02-29', '2027-00-10', '2027-1-31', '2027-01-31T00:00:00Z', '+02027-01-31'].map(
    (expires): [string, string] => [
      JSON.stringify({ waivers: [{ finding: 'open-to-all', reason: 'x', expires }] }),
      'waivers[0].expires must be a date',
    ],
  ),
  [
    '{"waivers":[{"finding":"assertion-failed","reason":"x","expires":"2026-01-01"}]}',
    'waivers[0].subject must be a string',
  ],
  ...['ipp_1', 'policy:', 'name:ipp_1', 'urn:pulumi:x'].map((subject): [string, string] => [
    JSON.stringify({
      waivers: [{ finding: 'open-to-all', reason: 'x', expires: '2026-01-01', subject }],
    }),
    'waivers[0].subject must be policy:ID, edge:ID, route:EDGE/ROUTE or resource:URN',
  ]),
  ['{"waivers":[{"finding":"guard-weakened","reason":"x","expires":"2026-01-01"}]}', 'cannot be waived'],
  ['{"gate":{"failOn":"hihg"}}', 'gate.failOn must be one of never, critical'],
  ['{"gate":{"noNewAccess":"yes"}}', 'gate.noNewAccess must be true or false'],
  ['{"gate":{"maxRules":0}}', 'gate.maxRules must be a whole number of at least 1'],
  ['{"gate":{"requires":{"until":{}}}}', 'gate.requires.until.maxDays must be a whole number of at least 1'],
  ['{"gate":{"requires":{"until":{"maxDays":0}}}}', 'gate.requires.until.maxDays must be a whole number'],
  ['{"gate":{"requires":{"description":"yes"}}}', 'gate.requires.description must be true or false'],
  ['{"gate":{"requires":{"metadata":"owner"}}}', 'gate.requires.metadata must be a list'],
  ['{"gate":{"requires":{"untill":{}}}}', 'gate.requires has the unknown key "untill"'],
  ['{"gate":{"failon":"high"}}', 'gate has the unknown key "failon"'],
  ['{"policies":[{"ipPolicyId":"ipp_1","neverWiderThan":"10.0.0.0/8"}]}', 'neverWiderThan must be a list'],
  ['{"tcpEdges":[{"mustAllow":[]}]}', 'tcpEdges[0].edgeId must be a string'],
])('the file %s is refused: %s', (text, message) => {
  expect(() => readAssertionFile(text, NAME)).toThrow(message);
});

test('assertions of the program that the preview does not show are not decidable', () => {
  const urn = 'urn:pulumi:dev::acme::edge-policy:index:AccessAssertions::access';
  const newState = { urn, custom: false, type: 'edge-policy:index:AccessAssertions', inputs: {} };
  const text = JSON.stringify({ steps: [{ op: 'create', urn, newState }] });
  const report = reviewed(readPreviewDocument(text));
  expect(report.verdict.outcome).toBe('not-decidable');
  expect(newIds(report)).toEqual(['preview-incomplete']);
});
