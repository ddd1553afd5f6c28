// What an `up` lets in, or keeps out, between its first and its last step alone: attacks, each with innocent twins.
import { toCidrs } from '../../../review/src/access/cidr-set';
import { added, agents, previewOf, stepsOf, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, within } from './inputs';
import { newIds, reviewed, type Wishes } from './reviewing';
import { policyChange } from './scenarios/table';

const slow = (op: 'create' | 'delete' | 'same' | 'replace'): MadeResource =>
  stepsOf('slow:index:Thing')('slow', {
    op,
    ...(op !== 'create' && { before: {} }),
    ...(op !== 'delete' && { after: {} }),
  });

interface Details {
  /** `wide: low high` depends on both, before and after alike. */
  readonly needs?: string;
  /** The resources that are replaced, the old object first. */
  readonly replaced?: string;
  /** Those that take over what they find. */
  readonly forced?: string;
  readonly others?: readonly MadeResource[];
}

function change(
  text: string,
  { needs = '', replaced = '', forced = '', others = [] }: Details = {},
): MadeResource[] {
  const all = [...others, ...policyChange(text)];
  const urns = new Map(previewOf(...all).steps.map(({ urn }) => [urn.name, urn.text]));
  const links = new Map(needs.split('; ').map((each) => each.split(': ') as [string, string]));
  return all.map((made): MadeResource => {
    const dependencies =
      links
        .get(made.name)
        ?.split(' ')
        .map((name) => urns.get(name) ?? name) ?? [];
    const isIn = (names: string) => names.split(' ').includes(made.name);
    const isReplaced = isIn(replaced);
    return {
      ...made,
      ...(isReplaced && { op: 'replace' }),
      ...(made.after && isIn(forced) && { after: { ...made.after, overwriteExisting: true } }),
      state: { dependencies, ...(isReplaced && { pendingReplacement: true }) },
      newState: { dependencies },
    };
  });
}

/** The findings, as `high in 64.0.0.0/3` or `low out 9.9.9.0/24`. */
const onTheWay = (resources: readonly MadeResource[], wishes: Wishes = {}): string[] =>
  reviewed(previewOf(...resources), wishes).findings.flatMap(({ id, severity, gained, extent }) => {
    const networks = toCidrs(extent?.networks ?? { 4: [], 6: [] }).map(({ text }) => text);
    return id === 'access-meanwhile'
      ? [`${severity} ${gained === undefined ? 'out' : 'in'} ${networks.join(' ')}`]
      : [];
  });

const NEW = 'none => wide = allow 64.0.0.0/2; low = deny 64.0.0.0/3; high = deny 96.0.0.0/3';
const LEAVE = 'wide = allow 9.0.0.0/8; narrow = deny 9.9.0.0/16 => none';
const STAY = 'wide = allow 9.0.0.0/8; narrow = deny 9.9.9.0/24';
const same = (text: string) => `${text} => ${text}`;
const AWAY = 'a = allow 9.9.9.0/24; d = deny 9.9.9.0/24 => a = allow 7.7.7.0/24; d = deny 6.6.6.0/24';
const TAKEN = 'd = deny 9.9.9.0/24 => a = allow 9.9.9.0/24; n = deny 9.9.9.0/28';
const MOVED =
  's := allow 9.9.9.0/24, deny 9.9.9.0/28 => s := allow 9.9.8.0/24; t := allow 9.9.9.0/24, deny 9.9.9.0/28';
const ACCEPTED = { assumptions: { duplicateNetworks: 'accepted' } } as const;

test.each<[wanted: string, fact: string, resources: readonly MadeResource[], wishes?: Wishes]>([
  [
    'high in 64.0.0.0/2',
    'denies of a new allow wait for something slow',
    change(NEW, { others: [slow('create')], needs: 'low: slow; high: slow' }),
  ],
  [
    '',
    'so does the allow, for the denies',
    change(NEW, { others: [slow('create')], needs: 'low: slow; high: slow; wide: low high' }),
  ],
  [
    '',
    'it waits for something that waits for them',
    change(NEW, { others: [slow('same')], needs: 'slow: low high; wide: slow' }),
  ],
  ['high in 96.0.0.0/3', 'it waits for one of them', change(NEW, { needs: 'wide: low' })],
  ['', 'one set brings all', change('none => s := allow 64.0.0.0/2, deny 64.0.0.0/3')],
  [
    'high in 64.0.0.0/3',
    'one set brings the allow, another one the deny',
    change('none => s := allow 64.0.0.0/2; t := deny 64.0.0.0/3'),
  ],
  ['', 'the allow was there: no new gain', change('wide = allow 64.0.0.0/2 => + low = deny 64.0.0.0/3')],

  ['high in 9.9.0.0/16', 'an allow and its dependent deny leave', change(LEAVE, { needs: 'narrow: wide' })],
  ['high in 9.9.0.0/16', 'they leave in any order', change(LEAVE)],
  ['', 'the allow depends on the deny', change(LEAVE, { needs: 'wide: narrow' })],
  ['', 'one set has both', change('s := allow 9.0.0.0/8, deny 9.9.0.0/16 => none')],
  [
    'high in 9.9.0.0/16',
    'the deny leaves with what it needs, so before the allow',
    change(LEAVE, { others: [slow('delete')], needs: 'narrow: slow' }),
  ],
  ['', 'the allow leaves first, by need', change(LEAVE, { others: [slow('delete')], needs: 'wide: slow' })],
  [
    'high in 9.9.0.0/16',
    'the deny leaves with the last that needs its provider, which no preview shows',
    change(LEAVE, { others: [slow('delete')], needs: 'wide: slow; narrow: hidden' }),
  ],
  [
    '',
    'the provider stays',
    change(LEAVE.replace('none', 'n = allow 7.7.7.7/32'), {
      others: [slow('delete')],
      needs: 'wide: slow; narrow: hidden; n: hidden',
    }),
  ],

  ['medium in 9.9.9.0/24', 'a deny is replaced', change(same(STAY), { replaced: 'narrow' })],
  [
    '',
    'another deny stays',
    change(same(`${STAY}; other = deny 9.9.9.0/25; more = deny 9.9.9.128/25`), { replaced: 'narrow' }),
  ],
  [
    'medium in 9.9.9.128/25',
    'another deny stays for a half',
    change(same(`${STAY}; other = deny 9.9.9.0/25`), { replaced: 'narrow' }),
  ],
  [
    'medium in 9.9.9.0/24',
    'a deny is replaced whose successor waits for something slow',
    change(same(STAY), { replaced: 'narrow slow', others: [slow('replace')], needs: 'narrow: slow' }),
  ],
  [
    '',
    'a deny is updated',
    change(
      'wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24 #old => wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24 #new',
    ),
  ],
  [
    '',
    'a deny gives half of its network to a new one first',
    change(
      'wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24 => wide = allow 9.0.0.0/8; d = deny 9.9.9.0/25; n = deny 9.9.9.128/25',
      { needs: 'd: n' },
    ),
  ],
  [
    'medium in 9.9.9.128/25',
    'in any order',
    change(
      'wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24 => wide = allow 9.0.0.0/8; d = deny 9.9.9.0/25; n = deny 9.9.9.128/25',
    ),
  ],
  ['low out 9.9.9.0/24', 'an allow is replaced', change(same('a = allow 9.9.9.0/24'), { replaced: 'a' })],
  ['', 'another allow stays', change(same('a = allow 9.9.9.0/24; b = allow 9.9.0.0/16'), { replaced: 'a' })],

  ['medium in 9.9.9.0/24', 'a deny moves away, and its allow', change(AWAY)],
  ['', 'the allow is replaced, and the deny needs it', change(AWAY, { replaced: 'a', needs: 'd: a' })],
  ['medium in 9.9.9.0/28', 'what takes over a deny allows instead', change(TAKEN, { forced: 'a' })],
  ['', 'it comes after a new deny', change(TAKEN, { forced: 'a', needs: 'a: n' })],
  ['', 'its taker denies', change(`${STAY} => wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24`, { forced: 'd' })],
  ['low out 9.9.9.16/28 9.9.9.32/27 9.9.9.64/26 9.9.9.128/25', 'a set gives it all', change(MOVED), ACCEPTED],

  [
    'high in 9.9.0.0/16',
    'a deny is replaced, and a secret allow may be around it',
    [
      ...change(same('narrow = deny 9.9.0.0/16'), { replaced: 'narrow' }),
      { ...added('a', rule(SECRET)), before: rule(SECRET), op: 'same' },
    ],
  ],
  [
    'high in 9.9.0.0/16',
    'a deny is replaced where everybody else gets in',
    change(same('narrow = deny 9.9.0.0/16'), { replaced: 'narrow' }),
    { assumptions: { ipModel: 'block-list' } },
  ],
  ['', 'denies do nothing', change(NEW), { assumptions: { ipModel: 'allow-wins' } }],
  [
    '',
    'a deny is replaced below an allow that is stronger',
    change(same(STAY), { replaced: 'narrow' }),
    { assumptions: { ipModel: 'allow-overrides' } },
  ],
])('%p: %s', (wanted, _fact, resources, wishes = {}) => {
  expect(onTheWay(resources, wishes).join()).toBe(wanted);
});

const again = (made: MadeResource): MadeResource => ({
  ...made,
  op: 'replace',
  state: { pendingReplacement: true },
});
const ONE = edgeInputs(denyIf(within('9.9.0.0/16')));
const OTHER = edgeInputs(denyIf(within('9.9.0.0/16')), denyIf(within('8.8.8.8/32')));
const FILTER = filterInputs(['^curl/']);

test.each<[wanted: string, fact: string, made: MadeResource]>([
  ['high', 'a module is replaced at its place', again(tcp('edge', { before: ONE, after: ONE }))],
  ['', 'it is updated', tcp('edge', { before: OTHER, after: ONE })],
  ['', 'it refuses nobody before', again(tcp('edge', { before: edgeInputs(), after: ONE }))],
  ['', 'made first', { ...tcp('edge', { before: ONE, after: ONE }), op: 'replace', state: { delete: true } }],
  ['high', 'a filter is replaced at its place', again(agents('bots', { before: FILTER, after: FILTER }))],
  ['', 'it refuses nobody after', again(agents('bots', { before: FILTER, after: filterInputs([]) }))],
])('modules: %p: %s', (wanted, _fact, made) => {
  const { findings } = reviewed(previewOf(made), { noNewAccess: true });
  const severities = findings.flatMap(({ id, severity }) => (id === 'access-meanwhile' ? [severity] : []));
  expect(severities.join()).toBe(wanted);
  if (wanted !== '') expect(findings.map(({ id }) => id)).toContain('new-access');
});

test('what a refresh finds is no run', () => {
  const steps = change(
    'a = deny 8.8.8.0/24; b = deny 9.9.9.0/24; w = allow 8.0.0.0/7 => a = deny 9.9.9.0/24; b = deny 8.8.8.0/24; w = allow 8.0.0.0/7',
  );
  expect(onTheWay(steps)).toEqual(['medium in 8.8.8.0/24 9.9.9.0/24']);
  const found = steps.map((made) => ({ ...made, op: made.op ?? (made.name === 'w' ? 'refresh' : 'update') }));
  expect(onTheWay(found)).toEqual([]);
});

test('a gain on the way is new access, and a loss is none', () => {
  const [office] = change(same('a = allow 9.9.9.0/24'), { replaced: 'a' });
  const strictly = (resources: readonly MadeResource[]) =>
    newIds(reviewed(previewOf(...resources), { noNewAccess: true })).sort();
  expect(strictly(change(same(STAY), { replaced: 'narrow' }))).toEqual(['access-meanwhile', 'new-access']);
  expect(strictly(office ? [office] : [])).toEqual(['access-meanwhile']);
});
