import type { FindingId } from '../../../review/src/findings/catalog';
import { plain } from '../../../review/src/text/escape';
import { office, policyRule, ruleSet, type MadeResource } from './preview-builder';
import { rule, setInputs } from './inputs';
import { answersOf, demanding, newIds, reviewed, textOf, told, type Wishes } from './reviewing';

// The reviews of these tests are made on 15 June 2026 at noon.
const VENDOR = '9.9.9.9/32';

const set = (before: string | undefined, after: string | undefined, name = 'vendors'): MadeResource =>
  ruleSet(name, {
    before: before === undefined ? undefined : inputs(before),
    after: after === undefined ? undefined : inputs(after),
  });
const inputs = (lines: string) => setInputs(lines === '' ? [] : [lines]);

const review = (resource: MadeResource, wishes: Wishes = {}) => reviewed([office, resource], wishes);
const reasons = (resource: MadeResource, wishes: Wishes = {}): string[] => told(review(resource, wishes));

test('the cause of a gain says until when', () => {
  const { findings } = review(set(undefined, `${VENDOR}: allow until 2026-12-31`));
  expect(findings.find(({ id }) => id === 'access-widened')?.notes.map(plain)).toEqual([
    'Cause: allow "9.9.9.9/32" until 2026-12-31 of "vendors" is added.',
  ]);
});

const ENDED = `${VENDOR}: allow until 2026-05-31`;
const DELETED =
  'info rule-ended: Ended but still live, and deleted by this change: allow "9.9.9.9/32" until 2026-05-31.';

type Row = [
  fact: string,
  before: string | undefined,
  after: string,
  said: string | RegExp,
  absent?: FindingId,
];

test.each<Row>([
  [
    'an end that is not known yet may be later',
    `${VENDOR}: allow until 2026-12-31`,
    `${VENDOR}: allow until (unknown)`,
    /access-may-change: From 2027-01-01 on, not decided .* may gain access/,
  ],
  ['one that has ended and goes is no news', ENDED, '', DELETED, 'access-narrowed'],
  ['nor is one that is marked as ended', ENDED, `ended ${ENDED}`, DELETED, 'access-narrowed'],
  [
    'one that has ended and stays is a finding of its own',
    ENDED,
    ENDED,
    'medium rule-ended: Ended but still live: allow "9.9.9.9/32" until 2026-05-31.',
  ],
])('%s', (...[, before, after, said, absent]: Row) => {
  const found = reasons(set(before, after));
  expect(found).toContainEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  if (absent) expect(newIds(review(set(before, after)))).not.toContain(absent);
  expect(review(set(before, after)).verdict.affectsAccess).toBe(true);
});

test('one whose end had passed when it was declared is no access, and no protection: that is told once', () => {
  const past = 'left out 192.0.2.0/24: deny until 2025-12-31\nleft out 9.9.8.0/24: allow until 2025-12-30';
  const toldOf = [
    'medium rule-left-out: Never sent, as their end has passed: deny "192.0.2.0/24" until 2025-12-31 and allow "9.9.8.0/24" until 2025-12-30.',
  ];
  for (const beside of [`${VENDOR}: allow`, `ended ${VENDOR}: allow until 2026-01-01`]) {
    const declared = review(set(beside, `${beside}\n${past}`));
    expect([declared.verdict.affectsAccess, told(declared)]).toEqual([false, toldOf]);
    expect(told(review(set(`${beside}\n${past}`, `${beside}\n${past}`)))).toEqual([]);
    const allow = review(set(beside, `${beside}\n${past.split('\n')[1] ?? ''}`));
    expect(allow.findings).toMatchObject([{ id: 'rule-left-out', severity: 'low' }]);
  }
});

test('a rule has ended by the time of the review, whenever that is made', () => {
  const line = `${VENDOR}: allow until 2026-06-15`;
  expect(newIds(review(set(line, line), { now: '2026-06-15T23:59:59.999Z' }))).not.toContain('rule-ended');
  expect(newIds(review(set(line, line), { now: '2026-06-16T00:00:00.000Z' }))).toContain('rule-ended');
});

describe('a mustAllow that rests on a rule that ends', () => {
  const vendor = `${VENDOR}: allow until 2026-12-31`;
  const demands = demanding({ mustAllow: ['9.9.9.9'] });

  test('says when it will break', () => {
    const report = review(set(undefined, vendor), demands);
    expect(answersOf(report)).toEqual([expect.stringMatching(/^holds: .*, but only until 2026-12-31$/)]);
    expect(textOf(report)).toContain('until 2026-12-31');
  });

  test('is no news if it was so before, and fails if it breaks earlier than before', () => {
    expect(newIds(review(set(vendor, vendor), demands))).toEqual([]);
    const shorter = set(vendor, `${VENDOR}: allow until 2026-10-31`);
    expect(reasons(shorter, demands)).toContain(
      'critical assertion-failed: "9.9.9.9" must be let in, but from 2026-11-01 on, "9.9.9.9/32" is kept out.',
    );
  });

  test('and on another one too does not break', () => {
    const lines = `9.9.9.0/24: allow\n${vendor}`;
    expect(newIds(review(set(undefined, lines), demands))).not.toContain('assertion-will-break');
  });
});

describe('the gate asks for ends', () => {
  const requires = { until: [{ maxDays: 90, policies: ['ipp_1'] }] };
  const required = (change: MadeResource, wishes: Wishes = { requires }): string[] =>
    reasons(change, wishes).filter((reason) => reason.includes('end-required'));

  test.each([
    ['too late', `${VENDOR}: allow until 2026-09-14`, 'allow "9.9.9.9/32" until 2026-09-14'],
    ['unknown', `${VENDOR}: allow until (unknown)`, 'allow "9.9.9.9/32" until a time that is not known yet'],
  ])('a new allow %s stops the change', (_name, line, what) => {
    expect(required(set(undefined, line))).toEqual([
      `high end-required: The gate requires new allow rules to end within 90 days: ${what}.`,
    ]);
  });

  test('a rule whose end moves too far counts as well, and so does a single rule, which has none', () => {
    const moved = set(`${VENDOR}: allow until 2026-07-01`, `${VENDOR}: allow until 2027-07-01`);
    expect(required(moved)).toHaveLength(1);
    expect(required(policyRule('vendor', { after: rule(VENDOR) }))).toHaveLength(1);
  });

  test.each([
    ['a rule that ends in time, to the last day', set(undefined, `${VENDOR}: allow until 2026-09-13`)],
    ['a deny', set(undefined, `${VENDOR}: deny`)],
    ['a rule that was there before', set(`${VENDOR}: allow 'a'`, `${VENDOR}: allow 'b'`)],
    ['a rule of another policy', policyRule('x', { after: rule(VENDOR, 'allow', 'ipp_2') })],
  ] as const)('%s is left alone', (_name, change) => {
    expect(required(change)).toEqual([]);
  });
});
