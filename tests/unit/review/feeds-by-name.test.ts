// Feeds of DNS names: whoever owns the name chooses who gets in, so nothing of them is confirmed.
import { pinned, publishing } from './pinned-feeds';
import { previewOf, ruleSet } from './preview-builder';
import { demanding, newIds, reviewed, textOf, told } from './reviewing';

const NAME = 'gw.lisbon.example.net';
const source = { names: [NAME], resolver: '9.9.9.9' };
const feed = (networks: readonly string[], more: object = {}, mostAddresses = 4) =>
  pinned({
    lisbon: { networks, source: { ...source, ...more }, bounds: { mostAddresses }, checked: '2020-01-01' },
  });

const [OLD, NEW] = [['11.0.0.7/32'], ['11.0.0.9/32']];
const move = () => {
  const side = ([cidr = '']: readonly string[]) => ({
    ipPolicyId: 'ipp_1',
    rules: JSON.stringify({ [cidr]: { action: 'allow', description: 'feed lisbon' } }),
  });
  return previewOf(ruleSet('lisbon', { before: side(OLD), after: side(NEW) }));
};
/** Somebody has asked the owner of the name, who agrees. */
const moved = { base: feed(OLD), change: feed(NEW), published: publishing({ lisbon: NEW }) };

test('a move is by the name, and as severe as one that somebody has written by hand', () => {
  const report = reviewed(move(), { feeds: { ...moved, published: publishing() } });
  expect(report.feeds).toMatchObject([{ state: 'by-name' }]);
  expect(textOf(report)).toContain(
    `"lisbon": 1 network more, 1 fewer, by the name "${NAME}", whose owner chooses the addresses.`,
  );
  expect(told(report).sort()).toEqual(told(reviewed(move())).sort());
});

test('no answer confirms it: the threshold of confirmed feeds does not apply', () => {
  const wishes = { failOn: 'low', confirmedFeeds: 'never' } as const;
  const report = reviewed(move(), { ...wishes, feeds: moved });
  expect(report.feeds).toMatchObject([{ state: 'by-name' }]);
  expect(report.verdict.outcome).toBe(reviewed(move(), { failOn: 'low' }).verdict.outcome);
  expect(report.verdict.outcome).toBe('findings');
});

test('a ceiling holds the addresses of the base alone', () => {
  const asked = demanding({ neverWiderThan: [{ feed: 'lisbon' }] });
  expect(reviewed(move(), { ...asked, feeds: moved }).assertions).toMatchObject([{ outcome: 'fails' }]);
});

test.each<[string, string, object, number?]>([
  ['another name', 'it has the addresses of "gw.lisbon.example.net"', { names: ['evil.example.org'] }],
  ['another resolver', 'by the resolver "9.9.9.9"', { resolver: '6.6.6.6' }],
  ['more addresses', 'it has at most 4 addresses', {}, 5],
])('%s weakens a guard', (_, words, more, most = 4) => {
  const change = feed(OLD, more, most);
  const report = reviewed(move(), { feeds: { ...moved, change }, failOn: 'never' });
  expect(told(report, 'guard-weakened').join()).toContain(words);
});

test('fewer addresses weaken nothing, and the age of the lock is no finding', () => {
  const report = reviewed(move(), { feeds: { ...moved, change: feed(OLD, {}, 1) } });
  expect(newIds(report)).toEqual(newIds(reviewed(move())));
});

test('a new name is a finding that says who chooses', () => {
  const report = reviewed(move(), { feeds: { ...moved, base: pinned({}), change: feed(OLD) } });
  expect(told(report, 'feed-declared').join()).toMatch(
    /"lisbon" \(it has the addresses of .* at most 4 addresses\)/,
  );
});

test.each([
  [
    'more addresses than declared',
    ['11.0.0.1/32', '11.0.0.2/32', '11.0.0.3/32', '11.0.0.4/32', '11.0.0.5/32'],
  ],
  ['a wider network', ['11.0.0.0/24']],
  ['a private address', ['10.0.0.1/32']],
])('a lock with %s is broken', (_, networks) => {
  const report = reviewed(move(), { feeds: { ...moved, change: feed(networks) } });
  expect(newIds(report)).toContain('feed-lock-broken');
});
