// The gate in force: the stricter of base and change counts, and what a change takes away from it is a finding.
import { gateInForce, guardsOf, renderMarkdown } from '../../../review/src';
import type { AskedGate, Gate } from '../../../review/src/guards/gate';
import { added, agents, kept, office, previewOf, removed, ruleSet, tcp } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { edgeInputs, filterInputs, rule, SECRET, UNKNOWN } from './inputs';
import { asserting, reviewed, told } from './reviewing';

const open = added('open', rule('0.0.0.0/0'));
const gateOf = (gate: object) => asserting({ gate });

const REASONS = { description: true, metadata: ['owner', 'ticket'] } as const;
const ends = (maxDays: number, ...policies: string[]) => ({
  until: [{ maxDays, ...(policies.length > 0 && { policies }) }],
});

test.each(
  Object.entries<[base: Gate, change: Gate, asked: Partial<AskedGate>, inForce: object]>({
    'a change alone cannot make it milder': [{}, { failOn: 'never' }, {}, { failOn: 'high' }],
    'what a change takes away still counts': [{ failOn: 'low' }, {}, {}, { failOn: 'low' }],
    'of base and change the stricter': [{ failOn: 'never' }, { failOn: 'medium' }, {}, { failOn: 'medium' }],
    'both milder than the default': [{ failOn: 'never' }, { failOn: 'critical' }, {}, { failOn: 'critical' }],
    'the switch stands for the default': [{}, {}, { failOn: 'never' }, { failOn: 'never' }],
    'the switch makes no file milder': [{ failOn: 'medium' }, {}, { failOn: 'never' }, { failOn: 'medium' }],
    'a change cannot make it milder': [{}, { failOn: 'never' }, { failOn: 'low' }, { failOn: 'low' }],
    'a threshold for confirmed feeds, the stricter of base and change': [
      { failOn: 'medium', confirmedFeeds: 'high' },
      { failOn: 'medium', confirmedFeeds: 'never' },
      {},
      { failOn: 'medium', confirmedFeeds: 'high' },
    ],
    'a change that names it first loosens nothing': [
      { failOn: 'medium' },
      { confirmedFeeds: 'never' },
      {},
      { failOn: 'medium', confirmedFeeds: 'medium' },
    ],
    'no new access by the base': [{ noNewAccess: true }, {}, {}, { noNewAccess: true }],
    'no new access by the change': [{}, { noNewAccess: true }, {}, { noNewAccess: true }],
    'the models of the base': [
      { ipModel: 'allow-wins' },
      { ipModel: 'block-list' },
      {},
      { ipModel: 'allow-wins' },
    ],
    'a limit of the change': [{}, { maxRefusedClients: 5 }, {}, { maxRefusedClients: 5 }],
    'no clients at all': [{ maxRefusedClients: 0 }, { maxRefusedClients: 5 }, {}, { maxRefusedClients: 0 }],
    'the reasons that either asks for': [
      { requires: REASONS },
      { requires: { metadata: ['owner', 'expires'] } },
      {},
      { requires: { description: true, metadata: ['owner', 'ticket', 'expires'] } },
    ],
    'an end of both, once': [{ requires: ends(90) }, { requires: ends(90) }, {}, { requires: ends(90) }],
    'both of two ends': [
      { requires: ends(90) },
      { requires: ends(365, 'ipp_1') },
      {},
      { requires: { until: [...ends(90).until, ...ends(365, 'ipp_1').until] } },
    ],
  }),
)('in force: %s', (_fact, [base, change, asked, inForce]) => {
  const { gate, models } = gateInForce({ base, change }, { noNewAccess: false, models: {}, ...asked });
  expect({ ...gate, ...models }).toEqual({ failOn: 'high', ...inForce });
});

test('the file of a change cannot set the gate of its base', () => {
  const sources = {
    assertions: gateOf({ failOn: 'never' }),
    base: { assertions: gateOf({ failOn: 'low' }) },
  };
  expect(guardsOf(previewOf(office), sources).gates.base).toEqual({ failOn: 'low' });
});

const until = (maxDays: number, ...policies: string[]) => ({
  requires: { until: { maxDays, ...(policies.length > 0 && { policies }) } },
});

test.each<[fact: string, before: object, after: object, found: string]>([
  ['a threshold that is raised', {}, { failOn: 'critical' }, '"failOn" "high" (now "critical")'],
  ['a threshold that is gone', { failOn: 'medium' }, {}, '"failOn" "medium" (now "high")'],
  ['a strict mode that is gone', { noNewAccess: true }, {}, '"noNewAccess" "true"'],
  ['a higher limit', { maxRefusedClients: 2 }, { maxRefusedClients: 3 }, '"maxRefusedClients" "2" (now "3")'],
  ['a limit that is gone', { maxRefusedClients: 0 }, {}, '"maxRefusedClients" "0"'],
  ['an end of some policies', until(30), until(30, 'all policies'), '"requires.until for all policies" "30"'],
  [
    'an end of one policy whose name is those of two',
    until(30, 'ipp_1', 'ipp_2'),
    until(30, 'ipp_1, ipp_2'),
    '"requires.until for ipp_1, ipp_2" "30"',
  ],
  ['a later end', until(90), until(365, 'ipp_1'), '"requires.until for all policies" "90"'],
  [
    'fewer reasons',
    { requires: REASONS },
    { requires: { metadata: ['owner', 'expires'] } },
    '"requires.description" "true" and "requires.metadata.ticket" "true"',
  ],
  ['another model', {}, { ipModel: 'block-list' }, '"ipModel" "deny-wins" (now "block-list")'],
  [
    'another service',
    {},
    { duplicateNetworks: 'accepted' },
    '"duplicateNetworks" "refused" (now "accepted")',
  ],
  ['none: a lower threshold', {}, { failOn: 'low' }, ''],
  ['none: a lower one for all but confirmed feeds', {}, { failOn: 'medium', confirmedFeeds: 'high' }, ''],
  [
    'a milder one for confirmed feeds',
    { failOn: 'medium' },
    { failOn: 'medium', confirmedFeeds: 'high' },
    '"confirmedFeeds" "medium" (now "high")',
  ],
  ['none: a lower limit', { maxRefusedClients: 5 }, { maxRefusedClients: 0 }, ''],
  ['none: an earlier end', until(365, 'ipp_1'), until(90, 'ipp_1'), ''],
  ['none: more reasons', {}, { requires: REASONS }, ''],
  ['none: the default said aloud', {}, { ipModel: 'deny-wins' }, ''],
])('a change weakens the gate: %s', (_fact, before, after, found) => {
  const report = reviewed([office], { assertions: gateOf(after), base: { assertions: gateOf(before) } });
  expect(told(report, 'guard-weakened')).toEqual(
    found === '' ? [] : [`high guard-weakened: The change removes or weakens: ${found}.`],
  );
});

const denyAll = { actions: [{ type: 'deny' }] };
const OVERWRITES = { overwriteExisting: true };

test.each<[outcome: string, fact: string, change: MadeResource]>([
  ['findings', 'one address', added('one', rule('9.9.9.9/32'))],
  ['findings', 'one that may get in', added('one', rule('9.9.9.9/32', UNKNOWN))],
  ['clear', 'fewer addresses', added('less', rule('8.8.8.8/32', 'deny'))],
  ['findings', 'a client', agents('it', { before: filterInputs(['curl']), after: filterInputs([]) })],
  ['clear', 'no client', agents('it', { before: filterInputs(['curl']), after: filterInputs(['curl']) })],
  ['findings', 'a traffic policy that is gone', tcp('it', { before: edgeInputs(denyAll) })],
  ['clear', 'a traffic policy that stays', tcp('it', { before: edgeInputs(), after: edgeInputs() })],
  [
    'findings',
    'a traffic policy in place of one that nobody has seen',
    tcp('it', { after: { ...edgeInputs(denyAll), ...OVERWRITES } }),
  ],
  ['findings', 'an allow in place of an unseen rule', added('it', { ...rule('8.8.8.8/32'), ...OVERWRITES })],
  ['clear', 'a deny in place of one', added('it', { ...rule('8.8.8.8/32', 'deny'), ...OVERWRITES })],
  [
    'findings',
    'a set that deletes rules that nobody has seen',
    ruleSet('it', { after: { ipPolicyId: 'ipp_2', exclusive: true, rules: '{}' } }),
  ],
])('noNewAccess, whatever the threshold: %s: %s', (outcome, _fact, change) => {
  const report = reviewed([office, change], { noNewAccess: true, failOn: 'never' });
  expect(report.verdict.outcome).toBe(outcome);
});

test.each<[sign: string, fact: string, resources: MadeResource[]]>([
  ['🟢', 'nothing', [office]],
  ['🟢', 'a loss that leaves others', [office, removed('branch', rule('9.9.9.0/24'))]],
  ['🟡', 'a gain', [office, added('branch', rule('9.9.9.0/24'))]],
  ['🔴', 'open to all', [office, open]],
  ['🟡', 'nearly everybody is locked out', [{ ...kept('o', rule('0.0.0.0/0')), after: rule('8.8.8.8/32') }]],
  ['🔴', 'something hidden, which stops the change', [office, added('branch', rule(SECRET))]],
])(
  'the sign is green only if nothing above low is new, whatever the threshold: %s %s',
  (sign, _, resources) => {
    const text = renderMarkdown(reviewed(resources, { failOn: 'never' }));
    expect(/🟢|🟡|🔴/u.exec(text)?.[0]).toBe(sign);
    if (sign === '🟡') expect(text).toContain('The gate does not stop it, with the threshold never: 1 ');
  },
);
