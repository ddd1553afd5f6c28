// Rules end, so access is a function of time: a gain or loss at a later moment counts like one now.
import { cidrSetOf, everything, subtract, toCidrs } from '../../../review/src/access/cidr-set';
import { cidrOf } from './pinned-feeds';
import { added, kept, ruleSet, type MadeResource } from './preview-builder';
import { rule, setInputs } from './inputs';
import { demanding, jsonOf, newIds, reviewed, told, type Wishes } from './reviewing';

// The reviews of these tests are made on 15 June 2026 at noon.
const set = (name: string, before: readonly string[] | undefined, after?: readonly string[]): MadeResource =>
  ruleSet(name, { before: before && setInputs(before), after: after && setInputs(after) });
const news = (resources: readonly MadeResource[], wishes: Wishes = {}): string[] =>
  told({ findings: reviewed(resources, wishes).findings.filter(({ isNew }) => isNew) });

const OFFICE = '8.8.8.0/24: allow';
const VENDOR = '9.9.9.0/24: allow';
const SOON = 'until 2026-06-16';
const STRICT = { noNewAccess: true, failOn: 'never' } as const;
/** Everything but the office. */
const OTHERS = toCidrs(subtract({ ...everything, 6: [] }, cidrSetOf([cidrOf('8.8.8.0/24')])));
const DENIED = OTHERS.map(({ text }) => `${text}: deny ${SOON}`);

test('a deny that ends hides an allow: the opening is told with its date, to scripts as sets, and graded like one now', () => {
  const report = reviewed([
    set('site', [OFFICE], ['0.0.0.0/0: allow', '8.8.8.0/24: allow']),
    set('blocks', undefined, DENIED),
  ]);
  expect(told(report, 'open-to-all').join()).toMatch(
    /^critical open-to-all: From 2026-06-17 on, every IPv4 address can get in, by allow rule "0.0.0.0\/0"/,
  );
  expect(told(report, 'access-widened')).toContainEqual(
    expect.stringMatching(
      /^high access-widened: From 2026-06-17 on, .* all of IPv4 except "8\.8\.8\.0\/24" .* could not before\.$/,
    ),
  );
  expect(report.verdict).toMatchObject({ outcome: 'findings', affectsAccess: true });
  const { policies } = jsonOf(report) as { policies: { later: object[] }[] };
  expect(policies[0]?.later).toEqual([
    expect.objectContaining({ from: '2026-06-17', to: '2026-06-17', mayLose: [] }),
  ]);
});

test.each(
  Object.entries<[before: readonly string[] | undefined, after: readonly string[], said: RegExp]>({
    'a wide end that moves is graded by what it lets in': [
      [OFFICE, '1.0.0.0/8: allow until 2026-12-31'],
      [OFFICE, '1.0.0.0/8: allow'],
      /^high access-widened: From 2027-01-01 on, in IPv4, "1.0.0.0\/8"/,
    ],
    'a scheduled lockout of all who get in is as bad as one now': [
      [OFFICE, VENDOR],
      [`${OFFICE} ${SOON}`, `${VENDOR} ${SOON}`],
      /^critical nobody-let-in: From 2026-06-17 on, everyone whom "ipp_1" let in is locked out\.$/,
    ],
    'the lockout of a new policy is the end of what it lets in': [
      undefined,
      [`${OFFICE} ${SOON}`],
      /access-widened: In IPv4, .* could not before\.$/,
    ],
    'a lockout that was planned before is no news': [
      [`${OFFICE} ${SOON}`],
      [`${OFFICE} ${SOON}`, '9.9.9.9/32: allow until 2026-06-15'],
      /access-widened: In IPv4, "9.9.9.9\/32"/,
    ],
  }),
)('%s', (_fact, [before, after, said]) => {
  const found = news([set('site', before, after)]);
  expect(found).toContainEqual(expect.stringMatching(said));
  expect(found.join('\n').includes('nobody-let-in')).toBe(said.source.includes('nobody-let-in'));
});

describe('addresses that must get in', () => {
  const soon = '9.9.9.9/32: allow until 2026-06-15T12:10:00Z';
  const must = { mustAllow: ['9.9.9.9'] };

  test('--must-allow fails if the change locks them out later, and says until when they get in for a time', () => {
    expect(news([set('site', [OFFICE, '9.9.9.9/32: allow'], [OFFICE, soon])], must)).toContainEqual(
      expect.stringMatching(
        /^critical locked-out: From 2026-06-15T12:10:00Z on, "9.9.9.9\/32" \(1 address\) must get in, but would be locked out of "ipp_1"\.$/,
      ),
    );
    const said =
      'medium assertion-will-break: "9.9.9.9/32" (1 address) must get in, but does so through "ipp_1" only until 2026-06-15T12:10:00Z.';
    expect(news([set('site', [OFFICE], [OFFICE, soon])], must)).toContain(said);
    expect(news([set('site', [OFFICE, soon], [OFFICE, soon, '7.7.7.7/32: allow'])], must)).not.toContain(
      said,
    );
  });

  const ceiling = { neverWiderThan: ['8.8.8.0/24'] };
  const gone = 'deny until 2026-07-01';
  const [one, all] = [
    ['9.9.9.7/32: allow', `9.9.9.0/24: ${gone}`],
    ['9.9.9.0/25: allow', '9.9.9.128/25: allow', `9.9.9.0/24: ${gone}`],
  ];
  const ending = `${VENDOR} until 2026-07-01`;

  test.each<[fact: string, asked: object, less: readonly string[], worse: readonly string[]]>([
    ['mustDeny, as a deny ends', { mustDeny: ['9.9.9.0/24'] }, [], one],
    ['neverWiderThan, as a deny ends', ceiling, [], one],
    ['mustDeny, for more addresses at that moment', { mustDeny: ['9.9.9.0/24'] }, one, all],
    ['neverWiderThan, for more addresses', ceiling, one, all],
    ['mustAllow, for more addresses', { mustAllow: ['9.9.9.0/24'] }, [ending, '9.9.9.0/25: allow'], [ending]],
  ])('an assertion fails if it breaks later, and did not before: %s', (_fact, asked, less, worse) => {
    const failsFrom = (before: readonly string[], after: readonly string[]) =>
      newIds(reviewed([set('site', [OFFICE, ...before], [OFFICE, ...after])], demanding(asked))).includes(
        'assertion-failed',
      );
    expect(failsFrom(less, worse)).toBe(true);
    expect(failsFrom(worse, less)).toBe(false);
    expect(failsFrom(worse, [...worse, '7.7.7.7/32: deny'])).toBe(false);
  });
});

test('many small gains, each later than the other, are as bad as their sum, which is said once', () => {
  const days = (count: number, end: (day: number) => string) =>
    Array.from({ length: count }, (_, index) => `${20 + index}.0.0.0/17: deny${end(index + 1)}`);
  const ofDays = (count: number) =>
    news([
      set(
        'blocks',
        ['0.0.0.0/0: allow', ...days(count, () => '')],
        ['0.0.0.0/0: allow', ...days(count, (day) => ` until 2026-07-0${day}`)],
      ),
    ]).map((text) => text.split(':')[0]);
  expect(ofDays(1)).toEqual(['medium access-widened']);
  expect(ofDays(4)).toEqual([
    'high access-widened',
    ...Array.from({ length: 3 }, () => 'medium access-widened'),
  ]);
});

test('moments beyond the tenth are told as one, with all that gets in by then', () => {
  const denies = [
    ...Array.from({ length: 11 }, (_, index) => `20.0.0.${index}/32: deny`),
    '40.0.0.0/8: deny',
  ];
  const ending = denies.map((line, index) => `${line} until 2026-07-${String(index + 1).padStart(2, '0')}`);
  const gains = news([set('blocks', ['0.0.0.0/0: allow', ...denies], ['0.0.0.0/0: allow', ...ending])]);
  expect(gains).toHaveLength(10);
  expect(gains.filter((text) => /^high access-widened: .*"40\.0\.0\.0\/8"/.test(text))).toHaveLength(1);
});

test('20,000 ends that all move are decided one by one', () => {
  const lines = (year: number, length: number) => [
    '1.0.0.0/8: allow',
    ...Array.from({ length }, (_, index) => {
      const at = new Date(Date.UTC(year, 0, 1, 0, 0, 1) + index * 60_000).toISOString().replace('.000Z', 'Z');
      return `1.${index >> 8}.${index & 255}.7/32: deny until ${at}`;
    }),
  ];
  const ids = (before: number, after: number, count: number) =>
    new Set(newIds(reviewed([set('blocks', lines(before, count), lines(after, count))], STRICT)));
  // Later ends are the same work as earlier ones.
  expect(ids(2028, 2029, 2_000)).toEqual(new Set(['access-narrowed']));
  expect(ids(2029, 2028, 20_000)).toEqual(new Set(['access-widened', 'new-access']));
});

describe('a set that leaves the stack and stays live: no up ends its rules any more', () => {
  const office = kept('office', rule('203.0.0.0/8'));
  const leaving = (line: string) => ({ ...set('vendors', [line]), state: { retainOnDelete: true } });

  test.each([
    [
      '198.51.100.0/24: allow until 2026-12-31',
      'medium access-widened: From 2027-01-01 on, in IPv4, "198.51.100.0/24" (256 addresses) can get in and could not before.',
    ],
    [
      '198.51.100.0/24: allow until 2026-06-01',
      'medium access-widened: In IPv4, "198.51.100.0/24" (256 addresses) can get in and could not before.',
    ],
    [
      '203.0.113.0/24: deny until 2026-12-31',
      'low access-narrowed: From 2027-01-01 on, in IPv4, "203.0.113.0/24" (256 addresses) could get in before and no longer can.',
    ],
  ])('%s stays for ever', (line, said) => {
    expect(news([office, leaving(line)])).toContainEqual(said);
    expect(reviewed([office, leaving(line)]).verdict.affectsAccess).toBe(true);
  });

  test('nor deletes the rules of others', () => {
    const owner = leaving('8.8.8.0/24: allow');
    const owned = { ...owner, before: { ...owner.before, exclusive: true } };
    expect(newIds(reviewed([owned, added('other', rule('9.9.9.0/24'))]))).toEqual([
      'access-widened',
      'exclusive-set-released',
      'left-on-service',
    ]);
  });
});

test('a deny that ends tomorrow keeps out until then', () => {
  const blocks = set('blocks', [`9.9.9.7/32: deny ${SOON}`], [`9.9.9.7/32: deny ${SOON}`]);
  const found = reviewed([set('site', [VENDOR], [VENDOR]), blocks], demanding({ mustDeny: ['9.9.9.7'] }));
  expect(told(found, 'assertion-failed')).toEqual([]);
  expect(told(found, 'assertion-will-break')).toHaveLength(1);
});
