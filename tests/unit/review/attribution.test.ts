import { plain } from '../../../review/src/text/escape';
import type { MadeResource } from './preview-builder';
import { policyChange, userAgentChange } from './scenarios/table';
import { reviewed } from './reviewing';

const notesOf = (ids: readonly string[], resources: readonly MadeResource[], wishes = {}) =>
  reviewed(resources, wishes).findings.flatMap(({ id, notes = [] }) =>
    ids.includes(id) ? notes.map(plain) : [],
  );

test.each(
  Object.entries<[change: string, notes: string[]]>({
    'a deny that goes, alone, as the allow stays': [
      'wide = allow 9.0.0.0/8; block = deny 9.9.9.0/24 => - block = deny 9.9.9.0/24',
      ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
    ],
    'a rule of the same network that only moves to another resource has no part in it': [
      'old = allow 8.8.8.0/24 => moved = allow 8.8.8.0/24; new = allow 9.9.9.0/24',
      ['Cause: allow "9.9.9.0/24" of "new" is added.'],
    ],
    'an allow that a wider one covers comes second': [
      'allow 8.8.8.0/24 => + narrow = allow 9.9.9.128/25; + wide = allow 9.9.9.0/24',
      ['Cause: allow "9.9.9.0/24" of "wide" and allow "9.9.9.128/25" of "narrow" are added.'],
    ],
    'an allow for whom another one lets in already has none where a deny goes': [
      'wide = allow 9.0.0.0/8; block = deny 9.9.9.0/24 => + again = allow 9.9.9.0/24; - block = deny 9.9.9.0/24',
      ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
    ],
    'a possible gain: an allow rule that comes beside a secret deny': [
      'allow 8.8.8.0/24; deny * => + branch = allow 9.9.9.0/24',
      ['Cause: allow "9.9.9.0/24" of "branch" is added.'],
    ],
    'a possible gain: a deny rule that goes where a rule of a secret policy may let in': [
      'allow 8.8.8.0/24; allow 0.0.0.0/0 @*; block = deny 9.9.9.0/24 => - block = deny 9.9.9.0/24',
      ['Cause: deny "9.9.9.0/24" of "block" is removed.'],
    ],
    'a possible gain: a deny rule that may become an allow rule': [
      'allow 0.0.0.0/0; block = deny 9.9.0.0/16 => allow 0.0.0.0/0; block = ? 9.9.0.0/16',
      ['Cause: deny "9.9.0.0/16" of "block" is removed.'],
    ],
    'a possible gain: the hidden rule, which the finding names': ['allow 8.8.8.0/24; deny * => - deny *', []],
    'a loss alone has none': ['allow 8.8.8.0/24; deny *; allow 9.9.9.0/24 => + x = ? 8.8.8.1/32', []],
  }),
)('attribution of rules: %s', (_fact, [change, notes]) => {
  expect(notesOf(['access-widened', 'access-may-change'], policyChange(change))).toEqual(notes);
});

test.each(
  Object.entries<[change: string, origins: string[]]>({
    'a loss: the deny that comes, not one that keeps out others': [
      'allow 9.0.0.0/8 => + narrow = deny 9.9.9.128/25; + wide = deny 9.9.9.0/24',
      ['access-narrowed wide'],
    ],
    'a loss: the allow that goes, not one of which another one is left': [
      'one = allow 9.9.9.0/25; same = allow 9.9.9.0/26; other = allow 9.9.9.0/24 => same = allow 9.9.9.0/26',
      ['access-narrowed other'],
    ],
    'all of IPv4 through NAT64: the network of NAT64, not an office': [
      'allow 10.0.0.0/8 => + nat64 = allow 64:ff9b::/96',
      ['access-widened nat64', 'open-to-all nat64'],
    ],
    'both families at once by ::/0': [
      'allow 8.0.0.0/8 => + six = allow ::/0',
      ['access-widened six', 'open-to-all six', 'open-to-all six'],
    ],
    'a policy that is open in two halves: the half that comes': [
      'allow 0.0.0.0/1 => + high = allow 128.0.0.0/1',
      ['access-widened high', 'open-to-all high'],
    ],
  }),
)('what is named first: %s', (_fact, [change, origins]) => {
  const { findings } = reviewed(policyChange(change));
  const named = findings.flatMap(({ id, isNew, where }) =>
    isNew && /^(?:access|open)-/.test(id) ? [`${id} ${where.origin?.name ?? ''}`] : [],
  );
  expect(named.sort()).toEqual(origins);
});

type RouteFact = [fact: string, change: string, note: string, model?: string];

test.each<RouteFact>([
  ['a deny pattern that goes', '-curl -Wget => -Wget', 'deny pattern "curl" is removed.'],
  ['a new allow pattern', '-curl => -curl +^curl/8', 'allow pattern "^curl/8" is added.'],
  [
    'two deny patterns of which one is enough',
    '-curl/8\\.6\\.0 -curl -Wget => -Wget',
    'deny pattern "curl" and deny pattern "curl/8\\.6\\.0" are removed.',
  ],
  [
    'two deny patterns that no client on record tells apart, and the case of a letter does',
    '-(?i)curl/8\\.6\\.0 -curl -Wget => -Wget',
    'deny pattern "(?i)curl/8\\.6\\.0" and deny pattern "curl" are removed.',
  ],
  [
    'an invalid pattern that goes, once, in a gain that is only possible',
    '-curl -(?=bot) => -curl',
    'deny pattern "(?=bot)" is removed.',
  ],
  [
    'the only allow pattern is another one, where an empty list lets everyone in',
    '+^Firefox => +^Opera',
    'allow pattern "^Opera" is added.',
    'deny-wins',
  ],
])('attribution of patterns: %s', (...[, change, note, userAgentModel]: RouteFact) => {
  const wishes = userAgentModel === undefined ? {} : { assumptions: { userAgentModel } };
  const ids = ['user-agents-widened', 'user-agents-may-change', 'protection-lost'];
  expect(notesOf(ids, userAgentChange(change), wishes)).toEqual([`Cause: ${note}`]);
});
