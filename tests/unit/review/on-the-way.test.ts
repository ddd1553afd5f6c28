// What an `up` lets in, or keeps out, between its first and its last step alone: attacks, each with innocent twins.
import { toCidrs } from '../../../review/src/access/cidr-set';
import { added, agents, previewOf, stepsOf, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, within } from './inputs';
import { newIds, reviewed } from './reviewing';
import { policyChange } from './scenarios/table';

const slow = stepsOf('slow:index:Thing')('slow', { before: {} });

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
const onTheWay = (resources: readonly MadeResource[]): string[] =>
  reviewed(resources).findings.flatMap(({ id, severity, gained, extent }) => {
    const networks = toCidrs(extent?.networks ?? { 4: [], 6: [] }).map(({ text }) => text);
    return id === 'access-meanwhile'
      ? [`${severity} ${gained === undefined ? 'out' : 'in'} ${networks.join(' ')}`]
      : [];
  });

const LEAVE = 'wide = allow 9.0.0.0/8; narrow = deny 9.9.0.0/16 => none';
const STAY = 'wide = allow 9.0.0.0/8; narrow = deny 9.9.9.0/24';
const same = (text: string) => `${text} => ${text}`;
const TAKEN = 'd = deny 9.9.9.0/24 => a = allow 9.9.9.0/24; n = deny 9.9.9.0/28';

// In which order the steps of a run come, and whom each lets in, is held against every order by oracle/on-the-way.test.ts: here
// is how bad it is, and what that oracle does not have.
test.each<[wanted: string, fact: string, resources: readonly MadeResource[]]>([
  [
    'high in 9.9.0.0/16',
    'the deny leaves with the last that needs its provider, which no preview shows',
    change(LEAVE, { others: [slow], needs: 'wide: slow; narrow: hidden' }),
  ],
  [
    '',
    'the provider stays',
    change(LEAVE.replace('none', 'n = allow 7.7.7.7/32'), {
      others: [slow],
      needs: 'wide: slow; narrow: hidden; n: hidden',
    }),
  ],

  ['medium in 9.9.9.0/28', 'what takes over a deny allows instead', change(TAKEN, { forced: 'a' })],
  ['', 'it comes after a new deny', change(TAKEN, { forced: 'a', needs: 'a: n' })],
  ['', 'its taker denies', change(`${STAY} => wide = allow 9.0.0.0/8; d = deny 9.9.9.0/24`, { forced: 'd' })],

  [
    'high in 9.9.0.0/16',
    'a deny is replaced, and a secret allow may be around it',
    [
      ...change(same('narrow = deny 9.9.0.0/16'), { replaced: 'narrow' }),
      { ...added('a', rule(SECRET)), before: rule(SECRET), op: 'same' },
    ],
  ],
])('%p: %s', (wanted, _fact, resources) => {
  expect(onTheWay(resources).join()).toBe(wanted);
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
  const { findings } = reviewed([made], { noNewAccess: true });
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
    newIds(reviewed(resources, { noNewAccess: true })).sort();
  expect(strictly(change(same(STAY), { replaced: 'narrow' }))).toEqual(['access-meanwhile', 'new-access']);
  expect(strictly(office ? [office] : [])).toEqual(['access-meanwhile']);
});
