import type { ReviewedPlan } from '../../../review/src';
import { gateInForce, readAssertionFile, readPlan, renderPlan, renderText } from '../../../review/src';
import { plain } from '../../../review/src/text/escape';
import type { MadeResource } from './preview-builder';
import { kept, previewOf, rule, ruleSet, policyRule, setInputs } from './preview-builder';
import type { Wishes } from './reviewing';
import { demanding, newIds, reviewed, told } from './reviewing';

// The reviews of these tests are made on 15 June 2026 at noon.
const office = kept('office', rule('8.8.8.0/24'));
const VENDOR = '9.9.9.9/32';

const set = (before: string | undefined, after: string | undefined, name = 'vendors'): MadeResource =>
  ruleSet(name, {
    before: before === undefined ? undefined : inputs(before),
    after: after === undefined ? undefined : inputs(after),
  });
const inputs = (lines: string) => setInputs(lines === '' ? [] : [lines]);

const review = (resource: MadeResource, wishes: Wishes = {}) => reviewed(previewOf(office, resource), wishes);
const reasons = (resource: MadeResource, wishes: Wishes = {}): string[] => told(review(resource, wishes));

describe('a new allow says until when', () => {
  test.each([
    ['all of it', `${VENDOR} allow "Vendor X" until 2026-12-31`, ', until 2026-12-31.'],
    ['some of it', `9.9.9.8/32 allow\n${VENDOR} allow until 2026-12-31`, ', some of them until 2026-12-31.'],
    [
      'at several times',
      `9.9.9.8/32 allow until 2026-07-01\n${VENDOR} allow until 2026-12-31T17:00:00Z`,
      ', until 2026-12-31T17:00:00Z at the latest.',
    ],
    ['never', `${VENDOR} allow`, ' can get in and could not before.'],
  ])('%s', (_name, lines, end) => {
    expect(reasons(set(undefined, lines))).toContainEqual(
      expect.stringMatching(new RegExp(`access-widened: .*${end.replaceAll('.', '\\.')}$`)),
    );
  });
});

describe('an end that moves', () => {
  test.each([
    ['later', 'allow until 2026-12-31', 'allow until 2027-03-31', 'could not before, until 2027-03-31.'],
    ['away', 'allow until 2026-12-31', 'allow', 'could not before.'],
  ])('%s: a gain from then on', (_name, before, after, what) => {
    const change = set(`${VENDOR} ${before}`, `${VENDOR} ${after}`);
    expect(reasons(change)).toContain(
      `medium access-widened: From 2027-01-01 on, in IPv4, "9.9.9.9/32" (1 address) can get in and ${what}`,
    );
    expect(review(change).verdict.affectsAccess).toBe(true);
  });

  test('to a value that is not known yet: at any time', () => {
    expect(reasons(set(`${VENDOR} allow until 2026-12-31`, `${VENDOR} allow until (unknown)`))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/access-undecided: From 2027-01-01 on, not decided .* may gain access/),
        expect.stringMatching(/access-undecided: Not decided .* may lose access/),
      ]),
    );
  });

  test.each(['allow', 'allow until 2026-12-31'])('of a rule that has ended, it is a gain: %s', (after) => {
    const change = set(`${VENDOR} allow until 2026-05-31`, `${VENDOR} ${after}`);
    expect(newIds(review(change))).toEqual(['access-widened']);
    expect(review(change, { noNewAccess: true }).verdict.outcome).toBe('findings');
  });
});

describe('a rule that has ended', () => {
  test('and that the change deletes is no news, but changes access: it is live until then', () => {
    const change = set(`${VENDOR} allow until 2026-05-31`, '');
    expect(reasons(change)).toContain(
      'info rule-ended: Ended but still live, and deleted by this change: allow "9.9.9.9/32" until 2026-05-31.',
    );
    expect(newIds(review(change))).not.toContain('access-narrowed');
    expect(review(change).verdict.affectsAccess).toBe(true);
  });

  test('a deny keeps its addresses out until the change deletes it', () => {
    const change = set(`9.9.9.0/24 allow\n${VENDOR} deny until 2026-05-31`, '9.9.9.0/24 allow');
    expect(reasons(change)).toContainEqual(
      expect.stringMatching(/^medium access-widened: In IPv4, "9.9.9.9\/32"/),
    );
  });

  test('by the time of the review is not what a change can count on', () => {
    const denied = (line: string) => `9.9.9.0/24 allow\n${VENDOR} deny${line}`;
    expect(reasons(set(denied(''), denied(' until 2026-05-31')))).toContainEqual(
      expect.stringMatching(/^medium access-widened: From 2026-06-15T12:00:00Z on, in IPv4, "9.9.9.9\/32"/),
    );
  });

  test('and stays is a finding of its own', () => {
    const line = `${VENDOR} allow until 2026-05-31`;
    expect(reasons(set(line, line))).toContain(
      'medium rule-ended: Ended but still live: allow "9.9.9.9/32" until 2026-05-31.',
    );
  });

  test('has ended by the time of the review, whenever that is made', () => {
    const line = `${VENDOR} allow until 2026-06-15`;
    expect(newIds(review(set(line, line), { now: '2026-06-15T23:59:59.999Z' }))).not.toContain('rule-ended');
    expect(newIds(review(set(line, line), { now: '2026-06-16T00:00:00.000Z' }))).toContain('rule-ended');
  });
});

describe('a rule whose end had passed when it was declared', () => {
  const past = 'left out: 192.0.2.0/24 deny until 2025-12-31';
  const found =
    'medium rule-left-out: Never sent because its end has already passed: deny "192.0.2.0/24" until 2025-12-31.';

  test.each([
    ['in a new set', undefined, past],
    ['beside others', `${VENDOR} allow`, `${VENDOR} allow\n${past}`],
    [
      'beside one that has ended',
      `ended: ${VENDOR} allow until 2026-01-01`,
      `ended: ${VENDOR} allow until 2026-01-01\n${past}`,
    ],
  ])('is a finding, %s, and no access', (_name, before, after) => {
    expect(reasons(set(before, after))).toContain(found);
    expect(newIds(review(set(before, after)))).not.toContain('access-narrowed');
  });

  test('is none once state has it, nor is one that lived and ended', () => {
    expect(newIds(review(set(`${VENDOR} allow\n${past}`, past)))).not.toContain('rule-left-out');
    const line = `${VENDOR} allow until 2026-05-31`;
    expect(reasons(set(line, `ended: ${line}`))).toContain(
      'info rule-ended: Ended but still live, and deleted by this change: allow "9.9.9.9/32" until 2026-05-31.',
    );
    expect(newIds(review(set(line, `ended: ${line}`)))).not.toContain('rule-left-out');
  });
});

describe('a mustAllow that rests on a rule that ends', () => {
  const vendor = `${VENDOR} allow until 2026-12-31`;

  test('says when it will break', () => {
    const report = review(set(undefined, vendor), demanding({ mustAllow: ['9.9.9.9'] }));
    expect(report.assertions.map(({ outcome, because }) => [outcome, plain(because)])).toEqual([
      ['holds', expect.stringMatching(/, but only until 2026-12-31$/) as string],
    ]);
    expect(reasons(set(undefined, vendor), demanding({ mustAllow: ['9.9.9.9'] }))).toContain(
      'medium assertion-will-break: "9.9.9.9" must be let in, which holds only until 2026-12-31 because rules end then.',
    );
    expect(renderText(report, { hasColours: false })).toContain('until 2026-12-31');
  });

  test('is no news if it was so before, and fails if it breaks earlier than before', () => {
    expect(newIds(review(set(vendor, vendor), demanding({ mustAllow: ['9.9.9.9'] })))).toEqual([]);
    const shorter = set(vendor, `${VENDOR} allow until 2026-10-31`);
    expect(reasons(shorter, demanding({ mustAllow: ['9.9.9.9'] }))).toContain(
      'critical assertion-failed: "9.9.9.9" must be let in, but from 2026-11-01 on, "9.9.9.9/32" is kept out.',
    );
  });

  test('and on another one too does not break', () => {
    const lines = `9.9.9.0/24 allow\n${vendor}`;
    expect(newIds(review(set(undefined, lines), demanding({ mustAllow: ['9.9.9.9'] })))).not.toContain(
      'assertion-will-break',
    );
  });
});

describe('the gate asks for ends', () => {
  const requires = { until: [{ maxDays: 90, policies: ['ipp_1'] }] };
  const required = (change: MadeResource, wishes: Wishes = { requires }): string[] =>
    reasons(change, wishes).filter((reason) => reason.includes('end-required'));

  test.each([
    ['without one', `${VENDOR} allow`, 'allow "9.9.9.9/32" without an end'],
    ['too late', `${VENDOR} allow until 2026-09-14`, 'allow "9.9.9.9/32" until 2026-09-14'],
    [
      'not known yet',
      `${VENDOR} allow until (unknown)`,
      'allow "9.9.9.9/32" until a time that is not known yet',
    ],
  ])('a new allow %s stops the change', (_name, line, what) => {
    expect(required(set(undefined, line))).toEqual([
      `high end-required: The gate requires new allow rules to end within 90 days: ${what}.`,
    ]);
  });

  test('what base and change both ask for is asked once', () => {
    const asked = (of: typeof requires) =>
      gateInForce({ base: { requires }, change: { requires: of } }, { noNewAccess: false, models: {} });
    expect(asked(structuredClone(requires)).requires).toEqual(requires);
    expect(asked({ until: [{ maxDays: 30, policies: ['ipp_1'] }] }).requires?.until).toHaveLength(2);
  });

  test('a rule whose end moves too far counts as well, and so does a single rule, which has none', () => {
    const moved = set(`${VENDOR} allow until 2026-07-01`, `${VENDOR} allow until 2027-07-01`);
    expect(required(moved)).toHaveLength(1);
    expect(required(policyRule('vendor', { after: rule(VENDOR) }))).toHaveLength(1);
  });

  test.each([
    ['a rule that ends in time, to the last day', set(undefined, `${VENDOR} allow until 2026-09-13`)],
    ['a deny', set(undefined, `${VENDOR} deny`)],
    ['a rule that was there before', set(`${VENDOR} allow "a"`, `${VENDOR} allow "b"`)],
    ['a rule of another policy', policyRule('x', { after: rule(VENDOR, 'allow', 'ipp_2') })],
  ] as const)('%s is left alone', (_name, change) => {
    expect(required(change)).toEqual([]);
  });

  test('base and change both count, and neither may be weakened unseen', () => {
    const gateOf = (requirement: object) =>
      readAssertionFile(JSON.stringify({ gate: { requires: { until: requirement } } }), 'a.json');
    const [base, change] = [gateOf({ maxDays: 90 }), gateOf({ maxDays: 365, policies: ['ipp_1'] })];
    const asked = { noNewAccess: false, models: {} };
    expect(gateInForce({ base: base.gate, change: change.gate }, asked).requires).toEqual({
      until: [{ maxDays: 90 }, { maxDays: 365, policies: ['ipp_1'] }],
    });
    expect(
      reasons(set(undefined, `${VENDOR} allow until 2026-07-01`), {
        assertions: change,
        base: { assertions: base },
      }),
    ).toContain(
      'high guard-weakened: The change removes or weakens: "requires.until for all policies" "90".',
    );
    const stricter = gateOf({ maxDays: 90, policies: ['ipp_1'] });
    expect(newIds(review(set('', ''), { assertions: stricter, base: { assertions: change } }))).not.toContain(
      'guard-weakened',
    );
  });
});

describe('an up that ends a rule which its review still counted', () => {
  const planOf = (...resources: MadeResource[]): ReviewedPlan =>
    readPlan(renderPlan(reviewed(previewOf(...resources)).plan.plan), 'plan.json');
  const differences = (
    expected: ReviewedPlan,
    now: readonly MadeResource[],
    time = '2026-07-02T00:00:00.000Z',
  ) =>
    (
      reviewed(previewOf(...now), { expected, now: time, failOn: 'never' }).plan.expected?.comparison
        .differences ?? []
    ).map(({ reason }) => plain(reason));
  const vendor = `${VENDOR} allow until 2026-07-01`;

  test('is not as reviewed', () => {
    expect(differences(planOf(office, set('', vendor)), [office, set('', '')])).toEqual([
      '"vendors" would end up without "allow 9.9.9.9/32 until 2026-07-01"',
    ]);
  });

  test('nor is it if the fresh preview was made before the end, and the comparison after it', () => {
    const approved = planOf(office, set('', vendor));
    const now = [office, set('', vendor)];
    expect(differences(approved, now, '2026-07-01T23:59:59.999Z')).toEqual([]);
    expect(differences(approved, now)).toEqual([
      '"vendors" has rules that ended after the preview, "allow 9.9.9.9/32 until 2026-07-01"',
    ]);
  });
});
