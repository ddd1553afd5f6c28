import { type FeedRevisions, type Report } from '../../../review/src';
import { type FeedInRevision, pinned, publishing, SOURCE } from './pinned-feeds';
import { added, ruleSet, type MadeResource } from './preview-builder';
import { rule } from './inputs';
import { answersOf, demanding, newIds, reviewed, textOf, told, type Wishes } from './reviewing';

const set = (before: readonly string[], after: readonly string[], action = 'allow'): MadeResource => {
  const side = (networks: readonly string[]) => ({
    ipPolicyId: 'ipp_1',
    rules: JSON.stringify(
      Object.fromEntries(networks.map((cidr) => [cidr, { action, description: 'feed cdn' }])),
    ),
  });
  return ruleSet('cdn', { before: side(before), after: side(after) });
};
type Feed = FeedInRevision | readonly string[];
const revision = (feed: Feed) => pinned({ cdn: 'networks' in feed ? feed : { networks: feed } });
const feeds = (before: Feed, after: Feed, listed?: readonly string[]): FeedRevisions => ({
  base: revision(before),
  change: revision(after),
  published: publishing(listed && { cdn: listed }),
});

const old = ['1.1.1.0/24', '8.8.8.0/24'];
const young = ['1.1.1.0/24', '4.4.4.0/24', '5.5.5.0/24'];
const change = (wishes: Partial<FeedRevisions> = {}, more: Wishes = {}): Report =>
  reviewed([set(old, young)], { ...more, feeds: { ...feeds(old, young), ...wishes } });
const unchanged = (wishes: Partial<FeedRevisions>, more: Wishes = {}): Report =>
  reviewed([set(old, old)], { ...more, feeds: { ...feeds(old, old), ...wishes } });

describe('what a publisher confirms is one line', () => {
  const listed = { published: publishing({ cdn: ['1.1.1.0/24', '4.4.4.0/23', '5.5.5.0/24', '6.6.6.0/24'] }) };

  const NOT_CONFIRMED = 'claimed by the lock, not confirmed';
  test.each<[severity: string, fact: string, wishes: Partial<FeedRevisions>, said: string]>([
    ['', 'all are listed', listed, 'confirmed with the publisher'],
    ['', 'nobody asked', {}, `${NOT_CONFIRMED}: its publisher was not asked`],
    [
      'high',
      'one network is not listed',
      { published: publishing({ cdn: ['1.1.1.0/24', '4.4.4.0/24', '5.5.5.0/25'] }) },
      `${NOT_CONFIRMED}: its publisher does not list "5.5.5.128/25" (128 addresses)`,
    ],
    [
      'medium',
      'a publisher that does not answer',
      { published: new Map([['cdn', { problem: 'it is empty' }]]) },
      `${NOT_CONFIRMED}: "it is empty"`,
    ],
  ])('%s %s', (severity, _fact, wishes, said) => {
    const line = `"cdn": 2 networks more, 1 fewer, ${said}.`;
    const report = change(wishes);
    expect(textOf(report)).toContain(line);
    // The effects are those of rules that somebody has written by hand.
    const effects = told(reviewed([set(old, young)]));
    const found = severity === '' ? [] : [`${severity} feed-not-confirmed: ${line}`];
    expect(told(report).sort()).toEqual([...effects, ...found].sort());
  });

  test('a network that is not listed contradicts the lock of a feed that no policy has taken yet, too', () => {
    const unused = reviewed([added('mine', rule('9.9.9.9/32'))], { feeds: feeds(old, young, old) });
    expect(unused.feeds).toMatchObject([{ state: 'contradicted' }]);
  });

  test('a declaration of the change that asks for something else is asked by nobody', () => {
    const evil = { networks: young, source: { url: ['https://evil.example/list'], format: 'text' } };
    const report = change({ ...listed, change: revision(evil) });
    expect(report.feeds).toMatchObject([{ state: 'confirmed' }]);
    expect(newIds(report)).toContain('guard-weakened');
    const unlisted = change({ change: revision(evil), published: publishing({ cdn: old }) });
    expect(unlisted.feeds).toMatchObject([{ state: 'contradicted' }]);
  });

  test('beyond the bounds of the base nothing is confirmed, whatever the lock says was accepted', () => {
    const bounded = { networks: old, bounds: { atMost: 1.2 } };
    const report = change({
      ...listed,
      base: revision(bounded),
      change: revision({ ...bounded, networks: young, accepted: 'trust me' }),
    });
    expect(report.feeds).toMatchObject([{ state: 'unconfirmed' }]);
    expect(told(report, 'feed-beyond-bounds').join()).toContain(
      'medium feed-beyond-bounds: "cdn": the lock changed, and "it has 1.5 times as many networks, but at most 1.2 times as many are expected", which was accepted in the lock: "trust me"',
    );
    const many = Array.from({ length: 40 }, (_, at) => `${at + 20}.0.0.0/24`);
    expect(change({ published: publishing({ cdn: [...young, ...many] }) }).feeds).toMatchObject([
      { state: 'unconfirmed' },
    ]);
  });
});

describe('a forged lock is no less severe for being large', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  const honest = numbers(10).map((at) => `20.0.${at}.0/24`);
  const forged = (count: number) => [...honest, ...numbers(count).map((at) => `30.0.${at}.0/24`)];
  const bounded = (networks: readonly string[]) => ({ networks, bounds: { atLeast: 0.5, atMost: 2 } });
  const graded = (after: readonly string[], listed: readonly string[], action = 'allow') =>
    told(reviewed([set(honest, after, action)], { feeds: feeds(bounded(honest), bounded(after), listed) }))
      .map((line) => line.split(':')[0])
      .filter((line) => line?.includes(' feed-'));

  test.each([
    [10, ['high feed-not-confirmed']],
    [11, ['high feed-not-confirmed', 'medium feed-beyond-bounds']],
    [30, ['high feed-not-confirmed', 'medium feed-beyond-bounds']],
  ])('an allow list with %d networks that its publisher does not list', (count, expected) => {
    expect(graded(forged(count), honest)).toEqual(expected);
  });

  test.each([
    [5, ['high feed-not-confirmed']],
    [6, ['high feed-not-confirmed', 'medium feed-beyond-bounds']],
  ])('a deny list without %d networks that its publisher still lists', (count, expected) => {
    expect(graded(honest.slice(count), honest, 'deny')).toEqual(expected);
  });

  test('a change beyond the bounds that its publisher lists is no contradiction, and not confirmed', () => {
    expect(graded(forged(11), forged(10))).toEqual(['high feed-not-confirmed', 'medium feed-beyond-bounds']);
    const unknown = ['medium feed-beyond-bounds', 'medium feed-not-confirmed'];
    expect(graded(forged(11), forged(11))).toEqual(unknown);
    // A broken list contradicts nothing.
    expect(graded(forged(1), honest.slice(6))).toEqual(['medium feed-not-confirmed']);
  });
});

describe('the gate has a threshold for what a publisher confirms', () => {
  const routine = { failOn: 'medium', confirmedFeeds: 'high' } as const;
  const listed = [...young, '7.7.7.0/24'];
  const elsewhere = added('elsewhere', rule('4.4.4.0/24', 'allow', 'ipp_2'));
  const [update, confirmed] = [set(old, young), feeds(old, young, listed)];

  test.each<[outcome: string, fact: string, MadeResource[], FeedRevisions, Wishes]>([
    ['clear', 'an update of the feed', [update], confirmed, {}],
    ['findings', 'a publisher that was not asked', [update], feeds(old, young), {}],
    ['findings', 'one network more', [update], feeds(old, young, listed.slice(0, 2)), {}],
    ['findings', 'one more that is listed and not locked', [set(old, listed)], confirmed, {}],
    ['findings', 'a policy that does not use the feed', [update, elsewhere], confirmed, {}],
    ['findings', 'no new access at all', [update], confirmed, { noNewAccess: true }],
    ['findings', 'a threshold that is reached', [update], confirmed, { confirmedFeeds: 'medium' }],
  ])('%s: %s', (outcome, _fact, resources, revisions, wishes) => {
    const report = reviewed(resources, { ...routine, feeds: revisions, ...wishes });
    expect(report.verdict.outcome).toBe(outcome);
  });

  test('and the report names both', () => {
    expect(textOf(change(confirmed, routine))).toContain(
      'nothing reaches the threshold medium, or high where a publisher confirms the gain: ',
    );
  });
});

test('of a block list, the removed networks must be gone if a policy has all networks of the feed', () => {
  const kept = ['1.1.1.0/24'];
  const statesOf = (before: readonly string[], ...listed: string[]) =>
    reviewed([set(before, kept, 'deny')], { feeds: feeds(old, kept, listed) }).feeds;
  const gone = statesOf(old, '1.1.1.0/24', '7.7.7.0/24');
  expect(gone).toMatchObject([{ state: 'confirmed', added: 0, removed: 1 }]);
  const stillListed = ['1.1.1.0/24', '8.8.8.77/32'];
  expect(statesOf(old, ...stillListed)).toMatchObject([{ state: 'contradicted' }]);
  expect(statesOf(kept, ...stillListed)).toMatchObject([{ state: 'confirmed' }]);
});

describe('assertions that name feeds', () => {
  const results = (asked: object, revisions: FeedRevisions | undefined, after = young): string[] =>
    answersOf(reviewed([set(old, after)], { ...demanding(asked), ...(revisions && { feeds: revisions }) }));
  const ceiling = { neverWiderThan: [{ feed: 'cdn' }, '203.0.113.0/24'] };

  const allow = { mustAllow: [{ feed: 'cdn' }] };
  const FOUR = 'fails: "4.4.4.0/24" is let in';
  const EIGHT = 'fails: "8.8.8.0/24" is kept out';
  const HOLDS = 'holds: all of it is decided that way';
  const wider = [...young, '7.7.7.0/24'].sort();

  test.each<[fact: string, asked: object, listed: string[] | undefined, said: string, after?: string[]]>([
    ['the lock of the change has no say in a ceiling', ceiling, undefined, FOUR],
    ['nor if its publisher lists less', ceiling, old, FOUR],
    ['what the publisher lists, too, is in it', ceiling, wider, HOLDS],
    ['but not what the change does not have', ceiling, wider, 'fails: "7.7.7.0/24" is let in', wider],
    ['a network that must get in may not go', allow, undefined, EIGHT],
    ['nor while its publisher lists it', allow, [...young, '8.8.8.0/24'], EIGHT],
    ['it may once that no longer does', allow, young, HOLDS],
    ['a feed that must be kept out', { mustDeny: [{ feed: 'cdn' }] }, young, FOUR],
  ])('%s', (...[, asked, listed, said, after]) => {
    expect(results(asked, feeds(old, young, listed), after)).toEqual([said]);
  });

  const { base: _base, ...withoutBase } = feeds(old, young);
  const damaged = revision({ networks: old, digest: 'sha256:0' });
  test.each<[why: string, asked: object, revisions: FeedRevisions | undefined]>([
    ['are not known (--base-feeds)', ceiling, undefined],
    ['are not known (--base-feeds)', ceiling, withoutBase],
    ['the base revision has no feed "other"', { neverWiderThan: [{ feed: 'other' }] }, feeds(old, young)],
    ['cannot be read', ceiling, { ...feeds(old, young), base: { problem: 'x' } }],
    [
      'the lock of the base revision is damaged or out of date',
      ceiling,
      { ...feeds(old, young), base: damaged },
    ],
  ])('nothing is decided: %s', (why, asked, revisions) => {
    const [result = ''] = results(asked, revisions);
    expect(result).toMatch(/^not-checked/);
    expect(result).toContain(why);
  });

  test.each([
    ['a feed in a ceiling', ceiling, { neverWiderThan: ['203.0.113.0/24', { feed: 'mine' }] }, 1],
    ['a feed that must be kept out', { mustDeny: [{ feed: 'cdn' }] }, { mustDeny: [] }, 1],
    ['a ceiling without the feed', ceiling, { neverWiderThan: ['203.0.113.0/24'] }, 0],
    ['the same in another order', ceiling, { neverWiderThan: ['203.0.113.0/24', { feed: 'cdn' }] }, 0],
  ])('taken away is a weakened guard: %s', (_name, before, after, weakened) => {
    const report = unchanged({}, { ...demanding(after), base: demanding(before) });
    expect(newIds(report).filter((id) => id === 'guard-weakened')).toHaveLength(weakened);
  });
});

describe('declarations are guards', () => {
  const declared = (of: object) => revision({ networks: old, ...of });
  test.each([
    ['an update drops at most 80 % of it (now an update drops at most 90 %', { bounds: { atLeast: 0.1 } }],
    ['an update makes it at most 5 times as large (now ', { bounds: { atMost: 6 } }],
    ['no IPv4 network is wider than /8 (now no IPv4', { bounds: { widestIpv4: 4 } }],
    ['no IPv6 network is wider than /16 (now no', { bounds: { widestIpv6: 4 } }],
    ['it is checked at least every 30 days (now ', { maxAgeDays: 31 }],
    ['it comes from "', { source: { publisher: 'fastly' } }],
  ])('a declaration stops the change until exactly it is accepted if it no longer says: %s', (words, of) => {
    const report = unchanged({ change: declared(of) }, { failOn: 'never' });
    expect(told(report)[0]).toContain(
      `high guard-weakened: The change removes or weakens: of the feed "cdn" that ${words}`,
    );
    expect(report.verdict.outcome).toBe('findings');
    const accepted = report.acceptance?.hash ?? '';
    const again = (change: FeedRevisions['change']) => unchanged({ change }, { failOn: 'never', accepted });
    expect(again(declared(of)).verdict.outcome).toBe('clear');
    expect(again(declared({ ...of, maxAgeDays: 99 })).verdict.outcome).toBe('findings');
  });

  test('specialPurpose that is allowed is one, too', () => {
    const base = pinned({ cdn: { networks: old, bounds: { specialPurpose: false } } });
    const report = unchanged({ base });
    expect(told(report)[0]).toContain('networks are refused (now special-purpose networks are taken)');
  });

  test('stricter ones pass', () => {
    const stricter = declared({ bounds: { atLeast: 0.9, atMost: 1.5, widestIpv4: 16 }, maxAgeDays: 7 });
    expect(newIds(unchanged({ change: stricter }))).toEqual([]);
  });

  describe('another name loosens no bounds', () => {
    const defaults = { networks: old, bounds: { specialPurpose: false, atLeast: 2 / 3, atMost: 2 } };
    const strict = { ...defaults, bounds: { ...defaults.bounds, atMost: 1.2 }, maxAgeDays: 7 };
    const againstStrict = (declared: Record<string, FeedInRevision>) =>
      unchanged({ base: pinned({ cdn: strict }), change: pinned(declared) }, { failOn: 'never' });
    const elsewhere = { ...SOURCE, url: ['https://lists.example.com/other'] };

    test.each<[string, Record<string, FeedInRevision>]>([
      ['in its place', { other: defaults }],
      ['besides it', { cdn: strict, other: defaults }],
      ['as a part of it', { cdn: strict, other: { ...defaults, source: { ...SOURCE, aggregate: true } } }],
    ])('of the same documents, %s: it shows its bounds, and stops', (_name, declared) => {
      const report = againstStrict(declared);
      expect(told(report)[0]).toBe(
        'high guard-weakened: The change removes or weakens: of the feed "other" that an update makes it at most 1.2 times as ' +
          'large (now an update makes it at most 2 times as large) and of the feed "other" that it is checked at least every 7 ' +
          'days (now it is checked at least every 30 days).',
      );
      expect(report.verdict.outcome).toBe('findings');
      expect(told(report, 'feed-declared').join()).toContain(
        'an update drops at most 33.3 % of it, an update makes it at most 2 times as large, no IPv4 network is wider than /8, no ' +
          'IPv6 network is wider than /16, special-purpose networks are refused and it is checked at least every 30 days',
      );
    });

    test('of other documents, the defaults count: looser ones stop', () => {
      expect(newIds(againstStrict({ cdn: strict, other: { ...defaults, source: elsewhere } }))).toEqual([
        'feed-declared',
      ]);
      const loose = { ...defaults, bounds: { ...defaults.bounds, widestIpv4: 1 }, source: elsewhere };
      const report = againstStrict({ cdn: strict, other: loose });
      expect(newIds(report)).toEqual(['guard-weakened', 'feed-declared']);
      expect(report.verdict.outcome).toBe('findings');
    });

    test('as strict as before, it may have another name', () => {
      expect(newIds(againstStrict({ other: strict }))).toEqual(['feed-declared']);
    });
  });
});

describe('the lock itself', () => {
  test('one that does not match its digest is not decidable, whoever asks', () => {
    const report = change({
      change: revision({ networks: young, digest: 'sha256:0' }),
      published: publishing({ cdn: young }),
    });
    expect(report.verdict.outcome).toBe('not-decidable');
    expect(newIds(report)).toContain('feed-lock-broken');
    expect(report.feeds).toEqual([]);
    const noLock = change({ change: { problem: 'edge-policy.feeds.lock.json is not JSON.' } });
    expect(noLock.verdict.outcome).toBe('not-decidable');
    const noBase = change({ base: { problem: 'edge-policy.feeds.json is not JSON.' } }, { failOn: 'never' });
    expect(newIds(noBase)).toContain('base-feeds-unread');
    expect(noBase.verdict.outcome).toBe('findings');
  });

  test('older than maxAgeDays: a finding, and no news if the base is as old', () => {
    const stale = (before: string, checked: string, more: { maxAgeDays?: number } = {}) =>
      unchanged(feeds({ networks: old, checked: before }, { networks: old, checked, ...more }))
        .findings.filter(({ id }) => id === 'feed-stale')
        .map(({ isNew }) => isNew);
    expect(stale('2026-06-10', '2026-05-16')).toEqual([]);
    expect(stale('2026-06-10', '2026-05-15')).toEqual([true]);
    expect(stale('2026-05-15', '2026-05-15')).toEqual([false]);
    // A longer time that the change itself allows makes its lock no younger.
    expect(stale('2026-06-10', '2026-05-01', { maxAgeDays: 3000 })).toEqual([true]);
    // A day that is yet to come, as somebody has written it who wants to be asked no more.
    expect(stale('2026-06-10', '2036-06-10')).toEqual([true]);
  });

  test('a feed that the change declares is confirmed by nobody', () => {
    const report = change({ base: pinned({}), published: publishing({ cdn: young }) });
    expect(newIds(report)).toEqual(expect.arrayContaining(['access-widened', 'feed-declared']));
    expect(report.feeds).toEqual([]);
  });
});
