// What a change means for the clients of access logs.
import { renderJson, renderMarkdown, usesByPolicy, whyNotUnused, windowInWords } from '../../../review/src';
import { plain } from '../../../review/src/text/escape';
import { logOf, trafficOf } from './made-log';
import { added, agents, kept, removed, ruleSet, type MadeResource } from './preview-builder';
import { filterInputs, rule, SECRET, setInputs } from './inputs';
import { jsonOf, newIds, reviewed, textOf, type Wishes } from './reviewing';

// The reviews of these tests are made on 15 June 2026 at noon.
const office = kept('office', rule('192.0.2.0/24'));
const home = removed('home', rule('203.0.113.0/24'));
const clients = logOf([
  { network: '203.0.113.7/32', requests: 2310, userAgent: 'curl/8', lastSeen: '2026-06-14T08:00:00Z' },
  { network: '203.0.113.8/32', requests: 3, userAgent: null },
  { network: '192.0.2.7/32', requests: 40 },
  { network: '2001:db8::7/128', requests: 5 },
]);
const review = (resources: readonly MadeResource[], wishes: Wishes = {}) =>
  reviewed(resources, { traffic: trafficOf(clients), ...wishes });
const subjectsOf = (...args: Parameters<typeof review>) => review(...args).traffic?.subjects ?? [];
const reasonsOf = (id: string, ...args: Parameters<typeof review>) =>
  review(...args).findings.flatMap((found) => (found.id === id ? [plain(found.reason)] : []));

test('a subject that changes: who is refused and was let in, with the rules that decide', () => {
  const [policy] = subjectsOf([office, home]);
  expect(policy).toMatchObject({
    ...{ kind: 'policy', subject: 'ipp_1', problems: [], mayLose: true, later: [] },
    seen: { clients: 4, requests: 2358 },
    tallies: { refused: { clients: 2, requests: 2313 }, admitted: { clients: 0 } },
    largest: [
      {
        ...{ network: '203.0.113.7/32', userAgent: 'curl/8', requests: 2310, move: 'refused' },
        lastSeenMs: Date.parse('2026-06-14T08:00:00Z'),
      },
      { userAgent: null },
    ],
  });
  const [first] = policy?.largest ?? [];
  expect(first?.fromMs).toBeUndefined();
  expect([first?.before ?? [], first?.after ?? []].map(plain)).toEqual([
    '"203.0.113.7/32" is let in by the allow rule "203.0.113.0/24" of "home"',
    '"203.0.113.7/32" is kept out because no rule lets it in',
  ]);
});

describe('rules that a change removes', () => {
  const named = logOf([
    { network: '203.0.113.7/32', lastSeen: '2026-05-04', firstSeen: '2026-05-01' },
    { network: '203.0.113.7/32', userAgent: 'curl/8', lastSeen: '2026-06-11' },
    { network: '192.0.2.7/32' },
  ]);
  const quiet = removed('quiet', rule('198.51.100.0/24'));
  const block = removed('block', rule('100.64.0.0/10', 'deny'));
  const linesOf = (resources: readonly MadeResource[], traffic = trafficOf(named)) =>
    textOf(review(resources, { traffic }))
      .split('\n')
      .filter((line) => line.includes('which goes'));

  test('each with what the log says of it', () => {
    expect(linesOf([office, home, quiet, block])).toEqual([
      '- "100.64.0.0/10" deny of "block", which goes: nobody in 41 days of log; a log may lack the requests that were refused.',
      '- "203.0.113.0/24" allow of "home", which goes: 2 clients in 41 days of log, of whom 2 only through this rule.',
      '- "198.51.100.0/24" allow of "quiet", which goes: nobody in 41 days of log.',
    ]);
    // Also without any effect on access: another rule covers it.
    expect(linesOf([kept('wide', rule('203.0.112.0/23')), home])).toEqual([
      '- "203.0.113.0/24" allow of "home", which goes: 2 clients in 41 days of log, of whom 0 only through this rule.',
    ]);
  });

  test('not for whom it alone decides if a rule is hidden, and nothing by a log that decides nothing', () => {
    const hidden = kept('partner', rule(SECRET));
    expect(linesOf([hidden, home])).toEqual([
      '- "203.0.113.0/24" allow of "home", which goes: 2 clients in 41 days of log.',
    ]);
    expect(linesOf([home], trafficOf({ ...named, requestsBeyond: 7 }))).toEqual([
      '- "203.0.113.0/24" allow of "home", which goes: not decided, as 7 requests came from clients beyond the first 3.',
    ]);
  });

  test('of a log of all policies it is said that it is one', () => {
    const other = removed('other', rule('198.51.100.0/24', 'allow', 'ipp_2'));
    expect(linesOf([home, other])).toEqual([
      '- "203.0.113.0/24" allow of "home", which goes: 2 clients in 41 days of log of all policies, of whom 2 only through this rule.',
      '- "198.51.100.0/24" allow of "other", which goes: nobody in 41 days of log of all policies; the log may lack the clients of this policy: give its own as policy:ipp_…=FILE.',
    ]);
  });
});

test('a rule whose age cannot be read may be younger than the log', () => {
  const of = usesByPolicy('ipp_1', [], {
    logs: [logOf([{ network: '192.0.2.7/32', lastSeen: '2026-06-14' }])],
    model: 'deny-wins',
    hasOthers: false,
  });
  if (!of) throw new Error('there is a log');
  const doubts = ['2026-06-13', '2026-06-15', 'yesterday'].map((day) =>
    plain(whyNotUnused({ action: 'allow', createdAtMs: Date.parse(day) }, of) ?? []),
  );
  expect(doubts).toEqual([
    '',
    'the rule is younger than the log and than 30 days of it',
    'its time of creation cannot be read',
  ]);
  expect(plain(windowInWords(of))).toBe('less than a day of log');
});

test('of many clients the twenty with the most requests are shown, those that lose access first', () => {
  const many = logOf([
    ...Array.from({ length: 30 }, (_, at) => ({ network: `203.0.113.${at}/32`, requests: at + 1 })),
    { network: '198.51.100.1/32', requests: 1000 },
  ]);
  const [policy] = subjectsOf([office, home, added('partner', rule('198.51.100.0/24'))], {
    traffic: trafficOf(many),
  });
  expect(policy?.tallies).toMatchObject({ refused: { clients: 30 }, admitted: { clients: 1 } });
  expect(policy?.largest.map(({ requests }) => requests)).toEqual(
    Array.from({ length: 20 }, (_, at) => 30 - at),
  );
});

describe('rules that end', () => {
  const ending = (before: string[], after: string[]) => [
    ruleSet('site', { before: setInputs(before), after: setInputs(after) }),
  ];
  const [OFFICE, VENDOR] = ['192.0.2.0/24: allow', '203.0.113.0/24: allow'];

  test('a client that loses access only at an end is told with its date', () => {
    const report = review(ending([OFFICE, VENDOR], [OFFICE, `${VENDOR} until 2026-11-30`]));
    const lost = { clients: 2, requests: 2313 };
    expect(report.traffic?.subjects).toMatchObject([
      { tallies: { refused: lost }, later: [{ ...lost, fromMs: Date.parse('2026-12-01') }] },
    ]);
    expect(textOf(report)).toContain('refused, from 2026-12-01 on');
  });

  test('a client that loses access at several ends is counted once, from the first of them on', () => {
    const parts = ['203.0.113.7/32: allow until 2026-07-31', '203.0.113.8/32: allow until 2026-08-31'];
    const [policy] = subjectsOf(ending([OFFICE, VENDOR], [OFFICE, ...parts]));
    expect(policy?.tallies.refused.clients).toBe(2);
    expect(policy?.later).toMatchObject([
      { clients: 1, requests: 2310, fromMs: Date.parse('2026-08-01') },
      { clients: 1, requests: 3, fromMs: Date.parse('2026-09-01') },
    ]);
  });
});

test.each([
  ['high', 'half of the clients', home],
  ['medium', 'fewer', removed('phone', rule('203.0.113.7/32'))],
])('is %s from half of the clients of the log on: %s', (severity, _fact, change) => {
  const found = review([office, change]).findings.find(({ id }) => id === 'clients-refused');
  expect(found?.severity).toBe(severity);
});

test('a log without any user agent says nothing about a route', () => {
  const noCurl = agents('agents', { before: filterInputs([]), after: filterInputs(['^curl/']) });
  const [route] = subjectsOf([noCurl], { traffic: trafficOf(logOf([{ network: '203.0.113.7/32' }])) });
  expect(route?.problems.map(plain)).toEqual(['the log names no user agent']);
});

describe('the threshold of the gate', () => {
  const partner = added('partner', rule('198.51.100.0/24'));
  const noLog = { traffic: trafficOf() };

  test.each<[string, string, number, MadeResource[], Wishes?]>([
    ['findings', 'more clients than it allows, whatever the severity', 1, [office, home]],
    ['clear', 'as many as it allows', 2, [office, home]],
    ['not-decidable', 'no log', 5, [office, home], noLog],
    ['clear', 'no log, but nobody at all can lose access', 0, [office, partner], noLog],
  ])('%s: %s', (...[outcome, , maxRefusedClients, resources, wishes]) => {
    const { verdict } = review(resources, { maxRefusedClients, failOn: 'never', ...wishes });
    expect(verdict.outcome).toBe(outcome);
  });

  test('it is not decided if the hidden part could exceed it', () => {
    const hidden = [office, home, added('partner', rule('198.51.100.0/24', SECRET))];
    expect(reasonsOf('clients-not-checked', hidden, { maxRefusedClients: 1 })).toEqual([]);
    const doubtful = [office, home, added('partner', rule(SECRET))];
    expect(reasonsOf('clients-not-checked', doubtful, { maxRefusedClients: 1 })).toEqual([
      'It is not decided how many clients lose access through "ipp_1": 2 clients in the log may lose it.',
    ]);
  });

  const file = (unreadable: number) => ({ name: 'access.log', lines: 100, unreadable, firstUnreadable: 3 });
  test.each([
    [
      'more than 5 percent of a file',
      { files: [file(6)] },
      '6 of 100 lines of "access.log" cannot be read, more than 5 percent',
    ],
    ['clients beyond the limit', { requestsBeyond: 7 }, '7 requests came from clients beyond the first 1'],
    ['no client at all', logOf([]), 'the log names no client'],
  ])('a log with %s decides nothing', (_what, more, problem) => {
    const traffic = trafficOf(logOf([{ network: '192.0.2.7/32' }], more));
    expect(reasonsOf('clients-not-checked', [office, home], { traffic, maxRefusedClients: 9 })).toEqual([
      `It is not decided how many clients lose access through "ipp_1": ${problem}.`,
    ]);
    expect(review([office, home], { traffic }).verdict.outcome).toBe('not-decidable');
  });

  test('up to 5 percent are only told', () => {
    const traffic = trafficOf({ ...clients, files: [file(5)] });
    const report = review([office, home], { traffic, maxRefusedClients: 9 });
    expect(newIds(report)).not.toContain('clients-not-checked');
    expect(renderMarkdown(report)).toContain('100 lines; 5 lines cannot be read, the first is line 3.');
  });
});

describe('logs of a subject', () => {
  const other = { kind: 'policy', subject: 'ipp_2' } as const;

  test('its own counts, and not the one of all', () => {
    const own = logOf([{ network: '192.0.2.9/32', requests: 9 }], {
      subject: { kind: 'policy', subject: 'ipp_1' },
    });
    expect(subjectsOf([office, home], { traffic: trafficOf(clients, own) })).toMatchObject([
      { seen: { clients: 1, requests: 9 }, tallies: { refused: { clients: 0 } } },
    ]);
  });

  test('a log of something that is not declared is not decided', () => {
    const traffic = trafficOf(logOf([{ network: '192.0.2.9/32' }], { subject: other }));
    const report = review([office], { traffic });
    expect(report.verdict.outcome).toBe('not-decidable');
    expect(report.traffic?.subjects).toMatchObject([
      { subject: 'ipp_2', problems: [['the stack declares nothing for it']] },
    ]);
  });

  test('a subject that does not change has nobody who is concerned', () => {
    const traffic = trafficOf(logOf([{ network: '192.0.2.9/32' }], { subject: other }));
    const same = kept('branch', rule('192.0.2.0/24', 'allow', 'ipp_2'));
    const report = review([same], { traffic, maxRefusedClients: 0 });
    expect(report.verdict.outcome).toBe('clear');
    expect(report.traffic?.subjects).toMatchObject([
      { seen: { clients: 1 }, tallies: { refused: { clients: 0 } } },
    ]);
  });
});

test('an anonymised report holds no address of a client, in any format', () => {
  const traffic = { ...trafficOf(clients), isAnonymised: true };
  const change = [office, home, added('six', rule('2001:db8::/32'))];
  const report = review(change, { traffic });
  const texts = [renderMarkdown(report), renderJson(report), textOf(report)];
  for (const text of texts) {
    expect(text).not.toMatch(/203\.0\.113\.[78]|2001:db8::7/);
    expect(text).toContain('203.0.113.0/24');
    expect(text).toContain('2001:db8::/48');
  }
  expect(jsonOf(report)).toHaveProperty('traffic.subjects.0.largest.0.network');
});
