// Rules end, so access is a function of time: a gain or loss at a later moment counts like one now.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { NO_ASSERTIONS, renderJson, renderText } from '../../../review/src';
import type { MadeResource } from './preview-builder';
import { previewOf, ruleSet, policyRule, setInputs } from './preview-builder';
import type { Wishes } from './reviewing';
import { demanding, newIds, reviewed, told } from './reviewing';

// The reviews of these tests are made on 15 June 2026 at noon.
const set = (name: string, before: readonly string[] | undefined, after?: readonly string[]): MadeResource =>
  ruleSet(name, { before: before && setInputs(before), after: after && setInputs(after) });
const review = (resources: readonly MadeResource[], wishes: Wishes = {}) =>
  reviewed(previewOf(...resources), wishes);
const news = (resources: readonly MadeResource[], wishes: Wishes = {}): string[] =>
  told({ findings: review(resources, wishes).findings.filter(({ isNew }) => isNew) });

const OFFICE = '8.8.8.0/24 allow';
/** Everything but the office. */
const OTHERS = ['0.0.0.0/5', '8.0.0.0/13', '8.8.0.0/21', '8.8.9.0/24', '8.8.10.0/23', '8.8.12.0/22'].concat(
  ['8.8.16.0/20', '8.8.32.0/19', '8.8.64.0/18', '8.8.128.0/17', '8.9.0.0/16', '8.10.0.0/15'],
  ['8.12.0.0/14', '8.16.0.0/12', '8.32.0.0/11', '8.64.0.0/10', '8.128.0.0/9', '9.0.0.0/8'],
  ['10.0.0.0/7', '12.0.0.0/6', '16.0.0.0/4', '32.0.0.0/3', '64.0.0.0/2', '128.0.0.0/1'],
);
const denied = (end: string) => OTHERS.map((network) => `${network} deny${end}`);

describe('a deny that ends hides an allow', () => {
  const opening = [
    set('site', [OFFICE], ['0.0.0.0/0 allow', '8.8.8.0/24 allow']),
    set('blocks', undefined, denied(' until 2026-06-16')),
  ];

  test('the opening is told with its date, and graded like one now', () => {
    expect(news(opening)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^critical open-to-all: From 2026-06-17 on, every IPv4 address can get in, by allow rule "0.0.0.0\/0"/,
        ),
        expect.stringMatching(
          /^high access-widened: From 2026-06-17 on, .* all of IPv4 except "8\.8\.8\.0\/24" .* could not before\.$/,
        ),
      ]),
    );
    expect(review(opening).verdict).toMatchObject({ outcome: 'findings', affectsAccess: true });
  });

  test('no new access means none later either', () => {
    const asked = { noNewAccess: true, failOn: 'never' } as const;
    expect(review(opening, asked).verdict.outcome).toBe('findings');
    expect(news(opening, asked)).toContainEqual(
      expect.stringMatching(
        /new-access: From 2026-06-17 on, through "ipp_1", .* can get in and could not before/,
      ),
    );
  });

  test('the section on who gets in has it, for people and for scripts', () => {
    const report = review(opening);
    expect(renderText(report, { hasColours: false })).toMatch(
      /From 2026-06-17 on, "ipp_1": can get in: "128\.0\.0\.0\/1"/,
    );
    const json = JSON.parse(renderJson(report)) as { policies: { later: object[] }[] };
    const schema = readFileSync(path.join(__dirname, '../../../review/schemas/review-1.json'), 'utf8');
    const validate = new Ajv2020({ formats: { date: true } }).compile(JSON.parse(schema) as object);
    validate(json);
    expect(validate.errors).toBeNull();
    const { policies } = json;
    expect(policies[0]?.later).toEqual([
      expect.objectContaining({ from: '2026-06-17', to: '2026-06-17', mayLose: [] }),
    ]);
  });
});

describe('rules are compared by addresses and not by texts', () => {
  test.each([
    ['an ended allow', '2026-05-31', /^medium access-widened: In IPv4, "9.9.9.0\/24"/],
    [
      'an allow that ends',
      '2026-12-31',
      /^medium access-widened: From 2027-01-01 on, in IPv4, "9.9.9.0\/24"/,
    ],
  ])('%s becomes two halves for ever', (_name, end, told) => {
    const halves = ['9.9.9.0/25 allow', '9.9.9.128/25 allow'];
    const change = [set('site', [OFFICE, `9.9.9.0/24 allow until ${end}`], [OFFICE, ...halves])];
    expect(news(change)).toContainEqual(expect.stringMatching(told));
    expect(review(change, { noNewAccess: true }).verdict.outcome).toBe('findings');
  });

  test('a wide end that moves is graded by what it lets in', () => {
    const change = [set('site', [OFFICE, '1.0.0.0/8 allow until 2026-12-31'], [OFFICE, '1.0.0.0/8 allow'])];
    expect(news(change)).toContainEqual(
      expect.stringMatching(/^high access-widened: From 2027-01-01 on, in IPv4, "1.0.0.0\/8"/),
    );
  });
});

describe('a scheduled lockout', () => {
  test('of all who get in is as bad as one now', () => {
    const change = [
      set(
        'site',
        [OFFICE, '9.9.9.0/24 allow'],
        [`${OFFICE} until 2026-06-16`, '9.9.9.0/24 allow until 2026-06-16'],
      ),
    ];
    expect(news(change)).toContainEqual(
      'critical nobody-let-in: From 2026-06-17 on, everyone whom "ipp_1" let in is locked out.',
    );
  });

  test('counts from when nobody gets in any more, whoever was locked out earlier', () => {
    expect(news([set('site', ['9.9.9.0/24 allow'], [`${OFFICE} until 2026-06-16`])])).toContain(
      'critical nobody-let-in: From 2026-06-17 on, everyone whom "ipp_1" let in is locked out.',
    );
  });

  test('of a new policy is the end of what it lets in', () => {
    expect(news([set('site', undefined, [`${OFFICE} until 2026-06-16`])])).toEqual([
      expect.stringMatching(/access-widened: In IPv4, .* could not before, until 2026-06-16\.$/),
    ]);
  });

  test('that was planned before is no news', () => {
    const site = [`${OFFICE} until 2026-06-16`];
    expect(news([set('site', site, [...site, '9.9.9.9/32 allow until 2026-06-15'])])).toEqual([
      expect.stringContaining('access-widened: In IPv4, "9.9.9.9/32"'),
    ]);
  });
});

describe('addresses that must get in', () => {
  const soon = '9.9.9.9/32 allow until 2026-06-15T12:10:00Z';
  const must = { mustAllow: ['9.9.9.9'] };

  test('--must-allow fails if the change locks them out later', () => {
    expect(news([set('site', [OFFICE, '9.9.9.9/32 allow'], [OFFICE, soon])], must)).toContainEqual(
      expect.stringMatching(
        /^critical locked-out: From 2026-06-15T12:10:00Z on, "9.9.9.9\/32" \(1 address\) must get in, but would be locked out of "ipp_1"/,
      ),
    );
  });

  test('--must-allow says until when, if they get in for a time', () => {
    const said =
      'medium assertion-will-break: "9.9.9.9/32" (1 address) must get in, but does so through "ipp_1" only until 2026-06-15T12:10:00Z.';
    expect(news([set('site', [OFFICE], [OFFICE, soon])], must)).toContain(said);
    expect(news([set('site', [OFFICE, soon], [OFFICE, soon, '7.7.7.7/32 allow'])], must)).not.toContain(said);
  });

  test.each([
    ['mustDeny', { mustDeny: ['9.9.9.9'] }],
    ['neverWiderThan', { neverWiderThan: ['8.8.8.0/24'] }],
  ])('%s fails if a deny that hid an allow ends', (_name, policy) => {
    const change = [
      set(
        'site',
        [OFFICE],
        [OFFICE, '9.9.9.8/31 allow', '9.9.9.9/32 deny until 2026-06-16', '9.9.9.8/32 deny until 2026-06-16'],
      ),
    ];
    expect(newIds(review(change, demanding(policy)))).toContain('assertion-failed');
  });
});

describe('an assertion that was going to break', () => {
  const gone = 'deny until 2026-07-01';
  const more = (before: readonly string[], after: readonly string[], policy: object) =>
    newIds(review([set('site', [OFFICE, ...before], [OFFICE, ...after])], demanding(policy)));
  const one = ['9.9.9.7/32 allow', `9.9.9.0/24 ${gone}`];
  const all = ['9.9.9.0/25 allow', '9.9.9.128/25 allow', `9.9.9.0/24 ${gone}`];
  const [most, none] = [
    ['9.9.9.0/24 allow until 2026-07-01', '9.9.9.0/25 allow'],
    ['9.9.9.0/24 allow until 2026-07-01'],
  ];

  test.each<[string, readonly string[], readonly string[], object]>([
    ['mustDeny', one, all, { mustDeny: ['9.9.9.0/24'] }],
    ['neverWiderThan', one, all, { neverWiderThan: ['8.8.8.0/24'] }],
    ['mustAllow', most, none, { mustAllow: ['9.9.9.0/24'] }],
  ])('%s: fails if it breaks for more addresses at that moment', (_, less, worse, policy) => {
    expect(more(less, worse, policy)).toContain('assertion-failed');
    expect(more(worse, less, policy)).not.toContain('assertion-failed');
    expect(more(less, [...less, '7.7.7.7/32 deny'], policy)).not.toContain('assertion-failed');
  });
});

test('many small gains, each later than the other, are as bad as their sum, which is said once', () => {
  const days = (count: number, end: (day: number) => string) =>
    Array.from({ length: count }, (_, index) => `${20 + index}.0.0.0/17 deny${end(index + 1)}`);
  const ofDays = (count: number) =>
    news([
      set(
        'blocks',
        ['0.0.0.0/0 allow', ...days(count, () => '')],
        ['0.0.0.0/0 allow', ...days(count, (day) => ` until 2026-07-0${day}`)],
      ),
    ]).map((text) => text.split(':')[0]);
  expect(ofDays(1)).toEqual(['medium access-widened']);
  expect(ofDays(4)).toEqual([
    'high access-widened',
    ...Array.from({ length: 3 }, () => 'medium access-widened'),
  ]);
});

test('20,000 ends that all move are decided one by one', () => {
  const lines = (year: number) =>
    Array.from({ length: 20_000 }, (_, index) => {
      const at = new Date(Date.UTC(year, 0, 1, 0, 0, 1) + index * 60_000).toISOString().replace('.000Z', 'Z');
      return `1.${index >> 8}.${index & 255}.7/32 deny until ${at}`;
    });
  const change = [set('blocks', ['1.0.0.0/8 allow', ...lines(2028)], ['1.0.0.0/8 allow', ...lines(2029)])];
  const later = review(change);
  expect(
    later.accesses.every((access) => access.of === 'addresses' && access.gained.possibly[4].length === 0),
  ).toBe(true);
  expect(new Set(newIds(later))).toEqual(new Set(['access-narrowed']));
  const earlier = review(
    [set('blocks', ['1.0.0.0/8 allow', ...lines(2029)], ['1.0.0.0/8 allow', ...lines(2028)])],
    { noNewAccess: true, assertions: NO_ASSERTIONS },
  );
  expect(earlier.verdict.outcome).toBe('findings');
  expect(newIds(earlier)).toContain('access-widened');
  expect(newIds(earlier)).not.toContain('access-undecided');
});

describe('a set that leaves the stack and stays live: no up ends its rules any more', () => {
  const office: MadeResource = policyRule('office', {
    before: { cidr: '203.0.0.0/8', action: 'allow', ipPolicyId: 'ipp_1' },
    after: { cidr: '203.0.0.0/8', action: 'allow', ipPolicyId: 'ipp_1' },
  });
  const leaving = (line: string): [string, MadeResource][] => [
    ['retained', { ...set('vendors', [line]), state: { retainOnDelete: true } }],
    [
      'looked up',
      {
        ...{ ...set('vendors', [line]), op: 'read', after: {} },
        newState: { external: true, id: 'id-vendors' },
      },
    ],
  ];

  test.each(leaving('198.51.100.0/24 allow until 2026-12-31'))('%s, an allow stays for ever', (_, it) => {
    expect(news([office, it])).toContainEqual(
      'medium access-widened: From 2027-01-01 on, in IPv4, "198.51.100.0/24" (256 addresses) can get in and could not before.',
    );
    const asked = { noNewAccess: true, failOn: 'never' } as const;
    expect(review([office, it], asked).verdict).toMatchObject({ outcome: 'findings', affectsAccess: true });
  });

  test.each(leaving('198.51.100.0/24 allow until 2026-06-01'))('%s, so does one that has ended', (_, it) => {
    expect(news([office, it])).toContainEqual(
      'medium access-widened: In IPv4, "198.51.100.0/24" (256 addresses) can get in and could not before.',
    );
  });

  test.each(leaving('203.0.113.0/24 deny until 2026-12-31'))('%s, a deny does', (_, it) => {
    expect(review([office, it]).verdict).toMatchObject({ affectsAccess: true });
    expect(news([office, it])).toContainEqual(
      expect.stringMatching(/^low access-narrowed: From 2027-01-01 on, .*"203.0.113.0\/24"/),
    );
  });

  test('nor deletes the rules of others', () => {
    const owner = { ...set('vendors', ['8.8.8.0/24 allow']), state: { retainOnDelete: true } };
    const owned = { ...owner, before: { ...owner.before, exclusive: true } };
    const other: MadeResource = policyRule('other', {
      after: { cidr: '9.9.9.0/24', action: 'allow', ipPolicyId: 'ipp_1' },
    });
    expect(news([owned, other])).toEqual([
      expect.stringMatching(/^medium access-widened: In IPv4, "9.9.9.0\/24" \(256 addresses\) can get in/),
      expect.stringMatching(/^medium exclusive-set-released/),
      expect.stringMatching(/^medium left-on-service/),
    ]);
  });
});
