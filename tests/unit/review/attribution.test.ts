import { plain } from '../../../review/src/text/escape';
import { added, kept, previewOf, removed, rule, agents } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { reviewed } from './reviewing';

const notesOf = (ids: readonly string[], resources: MadeResource | readonly MadeResource[], wishes = {}) =>
  reviewed(previewOf(...[resources].flat()), wishes).findings.flatMap(({ id, notes = [] }) =>
    ids.includes(id) ? notes.map(plain) : [],
  );

const office = kept('office', rule('8.8.8.0/24'));
const block = removed('block', rule('9.9.9.0/24', 'deny'));

test.each<[fact: string, resources: MadeResource[], notes: string[]]>([
  [
    'a deny that goes, alone, as the allow stays',
    [kept('wide', rule('9.0.0.0/8')), block],
    ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
  ],
  [
    'a rule of the same network that only moves to another resource has no part in it',
    [
      removed('old', rule('8.8.8.0/24')),
      added('moved', rule('8.8.8.0/24')),
      added('new', rule('9.9.9.0/24')),
    ],
    ['Cause: allow "9.9.9.0/24" of "new" is added.'],
  ],
  [
    'an allow that a wider one covers comes second',
    [office, added('narrow', rule('9.9.9.128/25')), added('wide', rule('9.9.9.0/24'))],
    ['Cause: allow "9.9.9.0/24" of "wide" and allow "9.9.9.128/25" of "narrow" are added.'],
  ],
  [
    'an allow for whom another one lets in already has none where a deny goes',
    [kept('wide', rule('9.0.0.0/8')), added('again', rule('9.9.9.0/24')), block],
    ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
  ],
])('attribution of rules: %s', (_fact, resources, notes) => {
  expect(notesOf(['access-widened'], resources)).toEqual(notes);
});

test.each<[fact: string, resources: MadeResource[], origins: string[]]>([
  [
    'a loss: the deny that comes, not one that keeps out others',
    [
      kept('all', rule('9.0.0.0/8')),
      added('narrow', rule('9.9.9.128/25', 'deny')),
      added('wide', rule('9.9.9.0/24', 'deny')),
    ],
    ['access-narrowed wide'],
  ],
  [
    'a loss: the allow that goes, not one of which another one is left',
    [
      removed('one', rule('9.9.9.0/25')),
      kept('same', rule('9.9.9.0/26')),
      removed('other', rule('9.9.9.0/24')),
    ],
    ['access-narrowed other'],
  ],
  [
    'all of IPv4 through NAT64: the network of NAT64, not an office',
    [kept('office', rule('10.0.0.0/8')), added('nat64', rule('64:ff9b::/96'))],
    ['access-widened nat64', 'open-to-all nat64'],
  ],
  [
    'both families at once by ::/0',
    [kept('office', rule('8.0.0.0/8')), added('six', rule('::/0'))],
    ['access-widened six', 'open-to-all six', 'open-to-all six'],
  ],
  [
    'a policy that is open in two halves: the half that comes',
    [kept('low', rule('0.0.0.0/1')), added('high', rule('128.0.0.0/1'))],
    ['access-widened high', 'open-to-all high'],
  ],
])('what is named first: %s', (_fact, resources, origins) => {
  const { findings } = reviewed(previewOf(...resources));
  const named = findings.flatMap(({ id, isNew, where }) =>
    isNew && /^(?:access|open)-/.test(id) ? [`${id} ${where.origin?.name ?? ''}`] : [],
  );
  expect(named.sort()).toEqual(origins);
});

/** `+` allows, `-` denies. */
const filterOf = (patterns: readonly string[]) => ({
  edgeId: 'e',
  routeId: 'r',
  allow: patterns.flatMap((text) => (text.startsWith('+') ? [text.slice(1)] : [])),
  deny: patterns.flatMap((text) => (text.startsWith('-') ? [text.slice(1)] : [])),
});
const notesOfRoute = (before: readonly string[], after: readonly string[], wishes = {}) =>
  notesOf(
    ['user-agents-widened', 'protection-lost'],
    agents('filter', { before: filterOf(before), after: filterOf(after) }),
    wishes,
  );

type RouteFact = [fact: string, before: string[], after: string[], notes: string[], model?: string];

test.each<RouteFact>([
  ['a deny pattern that goes', ['-curl', '-Wget'], ['-Wget'], ['Cause: deny pattern "curl" is removed.']],
  [
    'an allow pattern that comes',
    ['-curl'],
    ['-curl', '+^curl/8'],
    ['Cause: allow pattern "^curl/8" is added.'],
  ],
  [
    'two deny patterns of which one is enough',
    ['-curl/8\\.6\\.0', '-curl', '-Wget'],
    ['-Wget'],
    ['Cause: deny pattern "curl" and deny pattern "curl/8\\.6\\.0" are removed.'],
  ],
  [
    'two deny patterns that no client on record tells apart, and the case of a letter does',
    ['-(?i)curl/8\\.6\\.0', '-curl', '-Wget'],
    ['-Wget'],
    ['Cause: deny pattern "(?i)curl/8\\.6\\.0" and deny pattern "curl" are removed.'],
  ],
  [
    'the only allow pattern is another one, where an empty list lets everyone in',
    ['+^Firefox'],
    ['+^Opera'],
    ['Cause: allow pattern "^Opera" is added.'],
    'deny-wins',
  ],
])('attribution of patterns: %s', (...[, before, after, notes, userAgentModel]: RouteFact) => {
  const assumptions = userAgentModel === undefined ? {} : { assumptions: { userAgentModel } };
  expect(notesOfRoute(before, after, assumptions)).toEqual(notes);
});

const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const hiddenDeny = kept('hidden', rule('[secret]', 'deny'));

test.each<[fact: string, resources: MadeResource[], notes: string[]]>([
  [
    'an allow rule that comes beside a secret deny',
    [office, hiddenDeny, added('branch', rule('9.9.9.0/24'))],
    ['Cause: allow "9.9.9.0/24" of "branch" is added.'],
  ],
  [
    'a deny rule that goes where a rule of a secret policy may let in',
    [office, kept('x', rule('0.0.0.0/0', 'allow', '[secret]')), removed('block', rule('9.9.9.0/24', 'deny'))],
    ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
  ],
  [
    'a deny rule that may become an allow rule',
    [
      kept('all', rule('0.0.0.0/0')),
      { ...removed('block', rule('9.9.0.0/16', 'deny')), after: rule('9.9.0.0/16', UNKNOWN) },
    ],
    ['Cause: deny "9.9.0.0/16" of "block" is removed.'],
  ],
  [
    'what is hidden itself, which the finding names',
    [office, removed('hidden', rule('[secret]', 'deny'))],
    [],
  ],
  [
    'a loss alone has none',
    [office, hiddenDeny, kept('branch', rule('9.9.9.0/24')), added('x', rule('8.8.8.1/32', UNKNOWN))],
    [],
  ],
])('who has a part in a gain that is only possible: %s', (_fact, resources, notes) => {
  expect(notesOf(['access-may-change'], resources)).toEqual(notes);
});

test('an invalid pattern that goes has a part in a gain, and is named once', () => {
  const resource: MadeResource = agents('filter', {
    before: filterOf(['-curl', '-(?=bot)']),
    after: filterOf(['-curl']),
  });
  expect(notesOf(['user-agents-may-change'], resource)).toEqual([
    'Cause: deny pattern "(?=bot)" is removed.',
  ]);
});
