// When a finding is news, and what it says. That each can be brought is tested with the pages about findings, and how grave
// a change is, by the scenarios.
import { newIds, reviewed, told } from './reviewing';
import { added, agents, kept, office, policyRule, ruleSet, tcp, type MadeResource } from './preview-builder';
import { edgeInputs, filterInputs, rule, SECRET, setInputs } from './inputs';
import { policyChange } from './scenarios/table';

const officeSix = kept('office-six', rule('2600:1::/32'));
const offices = [office, officeSix];
const deny = (name: string, cidr: string) => added(name, rule(cidr, 'deny'));
const replaced = (inputs: ReturnType<typeof rule>, state: object = { pendingReplacement: true }) =>
  policyRule('again', { op: 'replace', before: inputs, after: inputs, state: { ...state } });
const edge = (name: string, before?: boolean, after?: boolean): MadeResource => {
  const side = (enabled?: boolean) => (enabled === undefined ? undefined : { ...edgeInputs(), enabled });
  return tcp(name, { before: side(before), after: side(after) });
};
const owner = (more: object = {}) => ({ ipPolicyId: 'ipp_1', exclusive: true, rules: '{}', ...more });
const owning = (before?: object, after?: object, name = 'set') => ruleSet(name, { before, after });

/** Changes by the findings that they bring. */
const NEWS: Readonly<Record<string, Readonly<Record<string, string | MadeResource[]>>>> = {
  '': {
    'nothing changes, oddities stay':
      'allow 8.8.8.0/24; allow 8.8.8.0/25 => allow 8.8.8.0/24; allow 8.8.8.0/25',
    'an exclusive set is contested as before':
      's !:= allow 7.7.7.0/24; allow 8.8.8.0/24 => s !:= allow 7.7.7.0/24; allow 8.8.8.0/24',
    'a deny goes in a wider one': 'allow 8.8.8.0/24; deny 9.9.9.9/32; deny 9.9.9.0/24 => - deny 9.9.9.9/32',
    'a deny goes that kept nobody out': 'allow 8.8.8.0/24; deny 9.9.9.9/32 => - deny 9.9.9.9/32',
    'an allow is replaced within another one': [...offices, replaced(rule('8.8.8.0/25'))],
    'an allow is replaced, and deleted later': [officeSix, replaced(rule('8.8.8.0/24'), { delete: true })],
    'a network a third time': 'allow 8.8.8.0/24; b = allow 8.8.8.0/24 => + c = allow 8.8.8.0/24',
    'a secret that stays':
      'allow 8.8.8.0/24; allow 2600:1::/32; deny * => allow 8.8.8.0/24; allow 2600:1::/32; deny *',
    'a module without effect goes': [edge('a', true)],
    'a module stays off': [edge('a', false, false)],
    'a hidden switch stays hidden': [owning(owner({ exclusive: SECRET }), owner({ exclusive: SECRET }))],
    'another set takes its place': [owning(owner(), undefined, 'old'), owning(undefined, owner(), 'new')],
  },
  'exclusive-set-contested access-may-change': {
    'one more contests': 's !:= allow 7.7.7.0/24; allow 8.8.8.0/24; allow 2600:1::/32 => + allow 9.9.9.0/24',
  },
  'open-to-all open-to-all access-widened access-widened': {
    'a policy lets in everybody whom it allows': 'none => allow 0.0.0.0/0; allow ::/0',
  },
  'access-widened': {
    'half of IPv4 that is mostly reserved': 'allow 2600:1::/32 => + allow 128.0.0.0/1',
    'a network in two policies': 'allow 8.8.8.0/24; allow 2600:1::/32 => + x = allow 8.8.8.0/24 @ipp_2',
    'an allow in another policy than a secret deny':
      'allow 8.8.8.0/24; allow 2600:1::/32; deny *; b = allow 8.8.8.0/24 @ipp_2 => + n = allow 9.9.9.0/24 @ipp_2',
  },
  'nobody-let-in deny-without-effect': {
    'a new policy lets nobody in': 'none => deny 8.8.0.0/16',
  },
  'access-narrowed': {
    'one of the two leaves the stack': 'a = allow 8.8.8.0/24; b = allow 9.9.9.0/24 => b = allow 8.8.8.0/24',
    'a deny of half of it': 'allow 8.8.8.0/24 => + deny 8.8.8.128/25',
  },
  'rule-covered': {
    'half in quarters': 'allow 8.8.8.0/24; allow 2600:1::/32 => + s := allow 8.8.8.0/26, allow 8.8.8.64/26',
    'a network in a rule and in a set': 'allow 8.8.8.0/24; allow 2600:1::/32 => + s := allow 8.8.8.0/24',
  },
  'access-narrowed allow-without-effect': {
    'a deny of an allowed network': 'allow 9.9.9.0/24; allow 8.8.8.0/24 => + deny 8.8.8.0/24',
  },
  'value-hidden': {
    'a hidden entry of a set': [...offices, ruleSet('set', { after: setInputs(['(unknown 1): allow']) })],
  },
  'access-may-change': {
    'a deny of a secret policy goes, and an allow of one may have been below it':
      'allow 9.0.0.0/8 @*; b = deny 9.9.9.0/24 @* => - b = deny 9.9.9.0/24 @*',
    'so it may of unknown policies': 'allow 9.0.0.0/8 @?; b = deny 9.9.9.0/24 @? => - b = deny 9.9.9.0/24 @?',
    'an unknown action': [...offices, ruleSet('set', { after: setInputs(['9.9.9.0/24: (unknown)']) })],
  },
  'exclusive-set-released': {
    'nobody can tell whether it still is': [owning(owner(), owner({ exclusive: SECRET }))],
    'it is deleted': [owning(owner())],
  },
  'access-narrowed rule-covered': {
    'another takes a network that its own resource keeps':
      'a := allow 8.8.8.0/24, allow 7.7.7.0/24; b = allow 9.9.9.0/24 => a := allow 8.8.8.0/24; b = allow 8.8.8.0/24',
  },
  'exclusive-set-released exclusive-set-takes-over': {
    'it moves to another policy': [owning(owner(), owner({ ipPolicyId: 'ipp_2' }))],
  },
};

test.each(
  Object.entries(NEWS).flatMap(([found, changes]) =>
    Object.entries(changes).map(([fact, change]) => ({ fact, change, found })),
  ),
)('news: $fact', ({ change, found }) => {
  const wishes = { assumptions: { duplicateNetworks: 'accepted' } } as const;
  const resources = typeof change === 'string' ? policyChange(change) : change;
  expect(newIds(reviewed(resources, wishes)).join(' ')).toBe(found);
});

test.each<[id: Parameters<typeof told>[1], resources: readonly MadeResource[], said: string]>([
  [
    'open-to-all',
    [added('open', rule('0.0.0.0/0')), deny('block', '8.8.8.8/32')],
    'critical open-to-all: Every IPv4 address but 1 can get in, by allow rule "0.0.0.0/0".',
  ],
  [
    'open-to-most',
    [added('one', rule('0.0.0.0/1')), added('two', rule('130.0.0.0/25'))],
    'high open-to-most: About 2.15 billion IPv4 addresses (50 %) can get in, by allow rule "0.0.0.0/1".',
  ],
  [
    'open-to-most',
    [added('one', rule('2000::/4')), added('two', rule('3000::/5'))],
    'high open-to-most: 75 % of the public IPv6 addresses can get in, by 2 allow rules ("2000::/4" and "3000::/5").',
  ],
  [
    'access-meanwhile',
    [office, replaced(rule('8.8.8.8/32', 'deny'))],
    'medium access-meanwhile: While the up runs, "8.8.8.8/32" (1 address) may get in, though neither before nor after: the allow rules of "office" may be live without the deny rules of "again". If the up stops there, this lasts.',
  ],
])('%s says what a reviewer needs', (id, resources, said) => {
  expect(told(reviewed(resources), id)).toEqual([said]);
});

test('a finding points to the line of the rule that lets others in', () => {
  const [found] = reviewed([...offices, added('new', rule('9.9.9.0/24'))]).findings;
  expect(found?.where).toMatchObject({
    subject: 'ipp_1',
    property: 'cidr',
    origin: { name: 'new', source: { file: 'index.ts', line: 3 } },
  });
});

test('texts that hold the sentence of the SDK are named by their places, news or not, in rules, sets and filters', () => {
  const text = 'Calling [toString] on an [Output<T>] is not supported.';
  const lines = [
    '8.8.8.0/24: allow',
    `9.9.9.0/24: allow '${text}'`,
    `9.9.9.9/32: deny '${text}' metadata '${text}'`,
  ];
  const report = reviewed([
    kept('live', { ...rule('8.8.8.0/24'), description: text }),
    ruleSet('set', { before: setInputs(lines), after: setInputs(lines) }),
    agents('filter', { after: filterInputs(['curl', text]) }),
  ]);
  const found = report.findings.filter(({ id }) => id === 'output-as-text');
  expect(found.map(({ where, isNew }) => [where.origin?.name, where.property, isNew])).toEqual([
    ['filter', 'deny[1]', true],
    ['live', 'description', false],
    ['set', 'rules["9.9.9.0/24"].description', false],
  ]);
  expect(told(report, 'output-as-text').at(-1)).toContain('as do 2 other texts');
});
