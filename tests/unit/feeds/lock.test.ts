import {
  digestOf,
  intactFeed,
  isStale,
  type Lock,
  type LockedFeed,
  lockText,
  parseLock,
} from '../../../provider/src/feeds/lock';
import { stepOf } from '../../../cli/src/feeds/step';
import { parseCidr } from '../../../provider/src/values/cidr';
import { declared } from '../../support/feeds/documents';
import { networksOf } from '../../support/feeds/networks';

const source = { publisher: 'cloudflare' } as const;
const networks = ['20.0.0.0/24', '20.0.2.0/24', '2a00:1450::/32'];

const lockedFeed = (own: readonly string[], more: Partial<LockedFeed> = {}): LockedFeed => ({
  source,
  checked: '2026-01-31',
  digest: digestOf(own),
  networks: own,
  ...more,
});

const declarations = new Map([['cdn', declared({ publisher: 'cloudflare' }, 'cdn')]]);
const intact = (text: string) => intactFeed('cdn', declarations, parseLock(text));
const textOf = (feed: LockedFeed): string => lockText(new Map([['cdn', feed]]));

test('the bytes of a lock: a network a line, members and feeds in one order, a line end at its end', () => {
  const cdn = lockedFeed(networks.slice(0, 2), { accepted: 'they \u202esaid so', notice: '(c)' });
  const lock: Lock = new Map([
    ['office', lockedFeed(['20.9.0.0/16'], { source: { file: 'a.txt', format: 'text' } })],
    ['cdn', cdn],
  ]);
  expect(lockText(new Map([['cdn', cdn]]))).toBe(`{
  "version": 1,
  "feeds": {
    "cdn": {
      "source": {
        "publisher": "cloudflare"
      },
      "notice": "(c)",
      "checked": "2026-01-31",
      "accepted": "they \\u202esaid so",
      "digest": "sha256:06893a5c9e3d9c33c46b8bac9611eb05019dc2713d0fad3f12d939aa8b8c7f59",
      "networks": [
        "20.0.0.0/24",
        "20.0.2.0/24"
      ]
    }
  }
}
`);
  expect([...parseLock(lockText(lock))]).toEqual([...lock].sort());
});

test('a lock that git has given other line ends, or a formatter other spaces, is the same lock', () => {
  const text = textOf(lockedFeed(networks));
  expect(intact(text.replaceAll('\n', '\r\n')).networks).toHaveLength(3);
  expect(intact(JSON.stringify(JSON.parse(text))).networks).toHaveLength(3);
});

const edits: readonly [string, (text: string) => string, RegExp][] = [
  [
    'a network more',
    (text) => text.replace('"20.0.2.0/24"', '"20.0.1.0/24",\n"20.0.2.0/24"'),
    /do not match their digest.*last good commit/,
  ],
  ['a network edited', (text) => text.replace('20.0.2.0/24', '20.0.2.0/23'), /do not match their digest/],
  ['no digest', (text) => text.replace(/"digest": .*/, ''), /is not a lock .*digest must be a string/],
  ['the digest edited', (text) => text.replace(/sha256:./, 'sha256:x'), /do not match their digest/],
  [
    'the feed gone',
    (text) => text.replace('"cdn"', '"other"'),
    /lacks the feed "cdn": run "npx --no-install pulumi-edge-policy-cli feeds update cdn"/,
  ],
  [
    'another source',
    (text) => text.replace('"publisher": "cloudflare"', '"publisher": "fastly"'),
    /does not match/,
  ],
  ['a list for an object', () => '[]', /is not a lock/],
  [
    'another version',
    (text) => text.replace('"version": 1', '"version": 0'),
    /is not a lock .*version must be/,
  ],
  [
    'a later version',
    (text) => text.replace('"version": 1', '"version": 3'),
    /was written by a newer version of this package: install that one/,
  ],
  [
    'networks that are numbers',
    (text) => text.replace('"20.0.0.0/24"', '20'),
    /is not a lock .*networks\[0\] must be a string/,
  ],
];

test.each(edits)('a lock with %s cannot be used, and the remedy is said', (_, edit, problem) => {
  expect(() => intact(edit(textOf(lockedFeed(networks))))).toThrow(problem);
});

test.each<[string, readonly string[], RegExp]>([
  ['everything', ['0.0.0.0/0'], /wider than \/8/],
  ['a private network', ['10.0.0.0/24'], /special-purpose/],
  ['no network', [], /contains no networks/],
  ['a network twice', ['20.0.0.0/24', '20.0.0.0/24'], /not in canonical form or order/],
  ['networks out of order', ['20.0.2.0/24', '20.0.0.0/24'], /not in canonical form or order/],
  ['another spelling', ['2A00:1450::/32'], /not in canonical form/],
  ['what is no network', ['any'], /not in canonical form/],
])('an author who edits lock and digest alike does not get in: %s', (_, own, problem) => {
  expect(() => intact(textOf(lockedFeed(own)))).toThrow(problem);
});

test('the digest detects accidents, not authors: a public network with a right digest passes here, and is left to the review', () => {
  expect(intact(textOf(lockedFeed(['20.66.0.0/16'])))).toMatchObject({
    networks: [{ text: '20.66.0.0/16' }],
  });
});

const cdn = (more: object = {}) => declared({ publisher: 'cloudflare', ...more });
const parsed = (texts: readonly string[]) =>
  texts.flatMap((text) => {
    const result = parseCidr(text);
    return result.ok ? [result.cidr] : [];
  });
const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);
const step = (
  old: LockedFeed | undefined,
  own: readonly string[],
  more: { accepted?: string; now?: number; declaration?: object } = {},
) =>
  stepOf(cdn(more.declaration), old, {
    networks: parsed(own),
    now: more.now ?? day('2026-02-01'),
    accepted: more.accepted,
  });

test('a fetch that changes nothing rewrites nothing', () => {
  const old = lockedFeed(networks);
  expect(step(old, networks).locked).toBe(old);
});

test.each([
  ['2026-02-15', false],
  ['2026-02-16', true],
])('the day of the check is rewritten once half of the age has passed: on %s %p', (today, isRewritten) => {
  const { locked } = step(lockedFeed(networks, { accepted: 'why' }), networks, { now: day(today) });
  expect(locked).toMatchObject({ checked: isRewritten ? today : '2026-01-31', accepted: 'why' });
});

test.each([['9999-12-31'], ['2026-02-30'], ['yesterday'], ['']])(
  'a day of check that cannot be, such as %j, is rewritten and counts as stale',
  (checked) => {
    const locked = lockedFeed(networks, { checked });
    expect(step(locked, networks)).toMatchObject({ locked: { checked: '2026-02-01' } });
    expect(isStale({ declaration: cdn(), locked }, day('2026-02-01'))).toBe(true);
  },
);

const hundred = networksOf({ networks: 100, aggregated: 100 });
const large = lockedFeed(hundred);

test.each<[string, readonly string[], RegExp | undefined]>([
  ['a third fewer', hundred.slice(0, 67).concat(hundred.slice(90)), undefined],
  ['a fifth more', networksOf({ networks: 120, aggregated: 120 }), undefined],
  [
    'more than a third fewer',
    hundred.slice(0, 50).concat(hundred.slice(90)),
    /40 % fewer networks, but at most 33\.3 % fewer are expected/,
  ],
  ['IPv6 gone', hundred.slice(0, 90), /no IPv6 addresses any more/],
  [
    'more than twice',
    networksOf({ networks: 201, aggregated: 201 }),
    /2\.01 times as many networks, but at most 2 times/,
  ],
])('the default bounds: %s', (_, own, problem) => {
  expect(step(large, own).problems.join()).toMatch(problem ?? /^$/);
});

test('as many networks, but wider ones, are beyond the bounds, too', () => {
  const narrow = hundred.map((network) => network.replace('/22', '/24'));
  expect(step(lockedFeed(narrow), hundred).problems).toEqual([
    expect.stringMatching(/^it has 4 times as many IPv4 addresses, but at most 2/),
  ]);
});

test('a family that appears for the first time is beyond every bound', () => {
  const ipv4 = lockedFeed(hundred.slice(0, 90));
  expect(step(ipv4, hundred).problems).toEqual(['it has IPv6 addresses for the first time']);
});

test('bounds can be declared, and a step that is accepted says why in the lock until the networks change again', () => {
  const few = hundred.slice(0, 20).concat(hundred.slice(90));
  expect(step(large, few, { declaration: { bounds: { atLeast: 0 } } }).locked.accepted).toBeUndefined();
  const accepted = step(large, few, { accepted: 'announced' }).locked;
  expect(accepted).toMatchObject({ accepted: 'announced', networks: few });
  expect(step(accepted, few, { now: day('2026-06-01') }).locked.accepted).toBe('announced');
  expect(step(accepted, few.slice(1)).locked.accepted).toBeUndefined();
  // There was nothing to accept.
  expect(step(large, hundred.slice(1), { accepted: 'announced' }).locked.accepted).toBeUndefined();
});

test('the bounds hold on what is locked, whatever the digest beside it says', () => {
  const broken = { ...large, digest: 'sha256:' };
  expect(step(broken, hundred.slice(0, 50).concat(hundred.slice(90))).problems.join()).toMatch(
    /fewer networks/,
  );
  expect(step(broken, hundred)).toMatchObject({ locked: { digest: large.digest } });
  // Somebody has written the digest of what the publisher has beside other networks.
  expect(step({ ...large, networks: hundred.slice(1) }, hundred).locked.networks).toEqual(hundred);
});

test('what is declared anew is not compared with what was asked for before', () => {
  const before = lockedFeed(hundred, { source: { publisher: 'fastly' } });
  expect(step(before, ['20.0.0.0/24'])).toMatchObject({ locked: { networks: ['20.0.0.0/24'] }, before: [] });
});
