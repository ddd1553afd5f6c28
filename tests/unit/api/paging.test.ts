import { parseBaseUrl } from '../../../provider/src/api/base-url';
import { decodeIpPolicyRule, type RulePage } from '../../../provider/src/api/decode';
import { AnswerError } from '../../../provider/src/api/errors';
import { nextQuery, pages, type FetchPage } from '../../../provider/src/api/paging';
import type { ServiceRule } from '../../../provider/src/rule/rule';

jest.setTimeout(60_000);

const base = parseBaseUrl('https://api.example.com/v1');
const list = 'https://api.example.com/v1/ip_policy_rules';

const rule = (id: string): ServiceRule =>
  decodeIpPolicyRule({
    ...{ id, uri: `${list}/${id}`, created_at: '2030-01-01T00:00:00Z', cidr: '10.0.0.0/8', action: 'allow' },
    ip_policy: { id: 'ipp_1', uri: 'https://api.example.com/v1/ip_policies/ipp_1' },
  });

const page = (ids: readonly string[], next: string | null): RulePage => ({
  rules: ids.map(rule),
  unreadable: [],
  nextPageUri: next,
});

const readAll = async (fetchPage: FetchPage): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const each of pages(base, fetchPage)) ids.push(...each.rules.map(({ id }) => id));
  return ids;
};

test.each([
  ['absolute', `${list}?before_id=a&limit=2`],
  ['a path of the origin', '/v1/ip_policy_rules?before_id=a&limit=2'],
  ['a path of the base URL', '/ip_policy_rules?before_id=a&limit=2'],
  ['a relative path', 'ip_policy_rules?before_id=a&limit=2'],
  ['a query alone', '?before_id=a&limit=2'],
  ['protocol-relative to the same host', '//api.example.com/v1/ip_policy_rules?before_id=a&limit=2'],
])('a next page is followed: %s', (_how, uri) => {
  expect(nextQuery(base, '?before_id=b', uri)).toBe('?before_id=a&limit=2');
});

test.each([
  ['another host', 'https://evil.example/v1/ip_policy_rules?x'],
  ['another scheme', 'http://api.example.com/v1/ip_policy_rules?x'],
  ['another port', 'https://api.example.com:8443/v1/ip_policy_rules?x'],
  ['user info', 'https://user@api.example.com/v1/ip_policy_rules?x'],
  ['a password', 'https://:pw@api.example.com/v1/ip_policy_rules?x'],
  ['another host, protocol-relative', '//evil.example/v1/ip_policy_rules?x'],
  ['another host, with a slash and a backslash', '/\\evil.example/v1/ip_policy_rules?x'],
  ['a path outside the base path', 'https://api.example.com/v2/ip_policy_rules?x'],
  ['a path above the base path', `${list}/../../../ip_policy_rules?x`],
  ['another resource', 'https://api.example.com/v1/api_keys?x'],
  ['one rule', `${list}/ipr_1`],
  ['no URL', 'https://'],
  ['nothing', ''],
  ['more than 8192 characters', `?x=${'x'.repeat(8190)}`],
])('a next page that leads to %s is an error', (_where, uri) => {
  expect(() => nextQuery(base, '', uri)).toThrow(AnswerError);
  expect(() => nextQuery(base, '', uri)).toThrow('next_page_uri');
});

test('a next page of 8192 characters is followed', () => {
  expect(nextQuery(base, '', `?x=${'x'.repeat(8189)}`)).toHaveLength(8192);
});

test('without a base path, a path of the origin is a path of the base URL', () => {
  expect(nextQuery(parseBaseUrl('https://api.example.com'), '', '/ip_policy_rules?x=1')).toBe('?x=1');
});

test('all pages are read in order, and an empty one in the middle ends nothing', async () => {
  const queries: string[] = [];
  const byQuery: Record<string, RulePage> = {
    '': page(['ipr_3'], '?p=2'),
    '?p=2': page([], `${list}?p=3`),
    '?p=3': page(['ipr_2', 'ipr_1'], null),
  };
  const ids = await readAll((query) => {
    queries.push(query);
    return Promise.resolve(byQuery[query] ?? page([], null));
  });
  expect(ids).toEqual(['ipr_3', 'ipr_2', 'ipr_1']);
  expect(queries).toEqual(['', '?p=2', '?p=3']);
});

test('a page is fetched when it is asked for, and not before', async () => {
  let fetched = 0;
  const iterator = pages(base, () =>
    Promise.resolve(page([`ipr_${String((fetched += 1))}`], `?p=${fetched}`)),
  );
  expect(fetched).toBe(0);
  await iterator.next();
  expect(fetched).toBe(1);
  await iterator.return();
  expect(fetched).toBe(1);
});

test('a list that leads back to a page ends in an error, before anything is read twice', async () => {
  let fetched = 0;
  const loop: FetchPage = () => Promise.resolve(page([`ipr_${(fetched += 1)}`], `?p=${fetched % 2}`));
  await expect(readAll(loop)).rejects.toThrow('points back to a page already read');
  expect(fetched).toBe(3);
});

test('a list without end that brings nothing new ends in an error after a hundred pages', async () => {
  let fetched = 0;
  const endless: FetchPage = () => Promise.resolve(page(['ipr_1'], `?p=${(fetched += 1)}`));
  await expect(readAll(endless)).rejects.toThrow('does not end');
  expect(fetched).toBe(101);
});

test('ninety-nine empty pages in a row end nothing, as often as that happens', async () => {
  let fetched = 0;
  const sparse: FetchPage = () => {
    fetched += 1;
    const ids = fetched % 100 === 0 ? [`ipr_${fetched}`] : [];
    return Promise.resolve(page(ids, fetched < 1000 ? `?p=${fetched}` : null));
  };
  expect(await readAll(sparse)).toHaveLength(10);
});

test('a list of more than a million rules ends in an error', async () => {
  const prototype = rule('ipr');
  let fetched = 0;
  const long: FetchPage = () => {
    fetched += 1;
    const rules = Array.from({ length: 20_000 }, (_, at) => ({ ...prototype, id: `ipr_${fetched}_${at}` }));
    return Promise.resolve({ rules, unreadable: [], nextPageUri: `?p=${fetched}` });
  };
  await expect(readAll(long)).rejects.toThrow('does not end');
  expect(fetched).toBe(51);
});
