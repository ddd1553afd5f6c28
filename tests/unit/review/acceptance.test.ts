// One acceptance of exactly one change: `--accept HASH`.
import { NO_ASSERTIONS, renderMarkdown, type Report } from '../../../review/src';
import { added, kept, office, previewOf, removed, type MadeResource } from './preview-builder';
import { rule, SECRET } from './inputs';
import { asserting, demanding, jsonOf, newIds, reviewed, type Wishes } from './reviewing';

const site = added('site', rule('0.0.0.0/0'));
const six = kept('six', rule('2600::/16'));
const closing = removed('six', rule('2600::/16'));
const waiver = {
  ...{ finding: 'access-widened', subject: 'policy:ipp_1', reason: 'partners', networks: [] as string[] },
  ...{ expires: '2026-12-31' },
};

const hashOf = (report: Report): string => report.acceptance?.hash ?? 'none';
const accepting = (resources: readonly MadeResource[], wishes: Wishes = {}): Report =>
  reviewed(resources, { ...wishes, accepted: hashOf(reviewed(resources, wishes)) });

const strict = { gate: { failOn: 'medium' } };
test.each<[fact: string, resources: MadeResource[], wishes: Wishes]>([
  ['a high loss that is meant', [office, closing], {}],
  ['everybody', [office, site], {}],
  ['an office, if the gate stops medium', [office, added('new', rule('9.9.9.0/24'))], { failOn: 'medium' }],
  ['a broken assertion', [office, site], demanding({ mustDeny: ['9.9.9.9'] })],
  ['a guard that goes', [office], { base: { assertions: asserting(strict) } }],
  [
    'a waiver that comes',
    [office],
    { assertions: asserting({ waivers: [waiver] }), base: { assertions: NO_ASSERTIONS } },
  ],
  ['an address of --must-allow', [office, closing], { mustAllow: ['2600::1'] }],
  ['a forbidden gain', [office, added('new', rule('9.9.9.0/24'))], { noNewAccess: true, failOn: 'never' }],
])(
  'what stops the gate passes once it is accepted, and keeps its findings: %s',
  (_fact, resources, wishes) => {
    const [stopped, accepted] = [reviewed(resources, wishes), accepting(resources, wishes)];
    expect(stopped.verdict.outcome).toBe('findings');
    expect(stopped.acceptance?.isAccepted).toBe(false);
    expect(accepted.verdict).toEqual({ ...stopped.verdict, outcome: 'clear' });
    expect(newIds(accepted)).toEqual(newIds(stopped));
    expect(accepted.acceptance).toEqual({ ...stopped.acceptance, isAccepted: true });
    expect(jsonOf(accepted)).toMatchObject({ acceptance: { hash: hashOf(stopped), isAccepted: true } });
  },
);

const unreadFeeds = { change: { problem: 'no' }, base: { problem: 'no' }, published: new Map() };
test.each<[fact: string, resources: MadeResource[], wishes: Wishes]>([
  ['a hidden value', [office, added('new', rule(SECRET))], {}],
  ['an unchecked assertion', [office, site], demanding({ ipPolicyId: 'ipp_9', mustAllow: ['8.8.8.8'] })],
  ['a base that is not read', [office, site], { base: { problem: 'it cannot be read' } }],
  ['lists of the base that are not read', [office, site], { feeds: unreadFeeds }],
  ['another plan', [office, site], { expected: reviewed([office, closing]).plan.plan }],
  ['no drift', [office, site], { drift: { items: [], unmanaged: [] } }],
])('nobody can accept what nobody can judge: %s', (_fact, resources, wishes) => {
  const report = reviewed(resources, wishes);
  expect(report.acceptance).toBeUndefined();
  if (!wishes.drift) expect(renderMarkdown(report)).toContain('Nobody can accept this change as it is: ');
  expect(report.verdict.outcome).not.toBe('clear');
});

test('what passes needs no acceptance, and takes none', () => {
  const report = reviewed([office, added('new', rule('9.9.9.0/24'))], {
    accepted: hashOf(reviewed([office, site])),
  });
  expect(report.acceptance).toBeUndefined();
  expect(report.verdict.outcome).toBe('clear');
});

describe('any other change has another hash', () => {
  const wishes: Wishes = { assertions: asserting({}), base: { assertions: asserting(strict) } };
  const accepted = hashOf(reviewed([office, six, site], wishes));
  const edge = { policies: [{ ipPolicyId: 'ipp_1', mustAllow: ['8.8.8.8'] }] };

  test.each<[fact: string, resources: MadeResource[], other: Wishes]>([
    ['another network', [office, six, added('site', rule('0.0.0.0/1'))], {}],
    ['the same without a neighbour', [office, site], {}],
    ['another lost guard', [office, six, site], { base: { assertions: asserting({ ...strict, ...edge }) } }],
    ['another threshold', [office, six, site], { assertions: asserting({ gate: { failOn: 'critical' } }) }],
    ['a waiver besides', [office, six, site], { assertions: asserting({ waivers: [waiver] }) }],
    [
      'what else is asked for',
      [office, six, site],
      { assertions: asserting({ policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['9.9.9.9'] }] }) },
    ],
  ])('%s', (_fact, resources, other) => {
    const report = reviewed(resources, { ...wishes, ...other, accepted });
    expect(report.verdict.outcome).toBe('findings');
    expect(report.acceptance).toMatchObject({ isAccepted: false, other: accepted });
    expect(renderMarkdown(report)).toContain(`What was accepted is another change: \`${accepted}\``);
  });

  test.each(['', accepted.slice(0, 12), `${accepted} `, accepted.toUpperCase()])(
    '%j accepts nothing',
    (hash) => {
      expect(reviewed([office, six, site], { ...wishes, accepted: hash }).verdict.outcome).toBe('findings');
    },
  );

  test('another stack', () => {
    const preview = { ...previewOf(office, six, site), stack: 'prod' };
    expect(reviewed(preview, { ...wishes, accepted }).verdict.outcome).toBe('findings');
  });

  test('the same change is the same, in whatever order it is planned and read', () => {
    expect(hashOf(reviewed([site, six, office], wishes))).toBe(accepted);
    expect(hashOf(reviewed([office, six, site], { ...wishes, today: '2026-06-20' }))).toBe(accepted);
  });
});

describe('the report', () => {
  const lines = (report: Report): string[] =>
    renderMarkdown(report)
      .split('\n')
      .filter((line) => /accept/i.test(line));

  test('names the hash and what it would accept, a line each', () => {
    const report = reviewed([office, closing, site]);
    expect(lines(report)).toEqual([
      `- Another person can accept exactly this change, and no other: --accept \`${hashOf(report)}\` (see docs/approving.md in the package pulumi-edge-policy).`,
      '- That would accept: a whole address family is let in (critical, `site`), addresses gain access (high, `site`) and addresses lose access (high, `six`).',
    ]);
  });

  test('begins with what happens: that the up stops half-way even if something else is worse', () => {
    const taken = [removed('old', rule('9.9.9.0/24')), added('new', rule('9.9.9.0/24'))];
    const first = (...resources: MadeResource[]) => renderMarkdown(reviewed(resources)).split('\n')[2];
    expect(first(office, ...taken)).toBe(
      '🔴 **This change does not affect access; the up would stop half-way. The gate stops this change, with the threshold high: 1 high finding.**',
    );
    expect(first(office, ...taken, site)).toContain(
      '🔴 **The up would stop half-way; a whole address family is let in. ',
    );
    expect(first(office, added('new', rule('9.9.9.0/24')))).toBe(
      '🟡 **Addresses gain access. The gate does not stop it, as nothing reaches the threshold high: 1 medium finding.**',
    );
  });

  test('says that it was accepted, under a sign that is neither green nor red', () => {
    const report = accepting([office, site]);
    expect(renderMarkdown(report)).toContain(
      `🟡 **A whole address family is let in. Accepted by a person as \`${hashOf(report).slice(0, 12)}\`: 1 critical finding, `,
    );
    expect(lines(report).at(-1)).toMatch(
      /^- Accepted by `[0-9a-f]{64}`: a whole address family is let in \(critical, `site`\)/,
    );
  });
});
