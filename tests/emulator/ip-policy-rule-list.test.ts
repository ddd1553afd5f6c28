import type { RuleWire } from '../../emulator/src/index';
import type { HttpAnswer } from './support/http';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

interface ListPage {
  ip_policy_rules: RuleWire[];
  uri: string;
  next_page_uri: string | null;
}

function seedRules(count: number): string[] {
  const rules = Array.from({ length: count }, (_, index) => ({
    cidr: `10.${index >> 8}.${index & 255}.0/24`,
    ip_policy_id: 'ipp_a',
    action: 'deny' as const,
  }));
  return service.emulator.seed({ rules }).map(({ id }) => id);
}

const pageAt = async (uri: string): Promise<ListPage> =>
  (await service.call('GET', uri.replace(service.emulator.url, ''))).json() as ListPage;

/** The pages from one on; none if it is null. */
async function pages(first: string | null = '/ip_policy_rules'): Promise<ListPage[]> {
  if (first === null) return [];
  const page = await pageAt(first);
  return [page, ...(await pages(page.next_page_uri))];
}

const idsOf = (all: readonly ListPage[]): string[] =>
  all.flatMap((page) => page.ip_policy_rules.map(({ id }) => id));

test('list: next_page_uri is absolute and carries before_id and limit', async () => {
  const ids = seedRules(3);
  const page = await pageAt('/ip_policy_rules?limit=2');
  expect(page.next_page_uri).toBe(
    `${service.emulator.url}/ip_policy_rules?before_id=${ids[1] ?? ''}&limit=2`,
  );
});

test('list: goes on behind the last rule, whatever is deleted or made in the meantime', async () => {
  const ids = seedRules(6);
  const first = await pageAt('/ip_policy_rules?limit=2');
  service.emulator.remote.deleteRule(ids[4] ?? '');
  await service.createRule();
  const rest = await pages(first.next_page_uri);
  expect(idsOf(rest)).toEqual([ids[3], ids[2], ids[1], ids[0]]);
});

test('list: a rule that is made anew under an earlier id is listed once, as the newest', async () => {
  const [first = '', second = ''] = seedRules(2);
  const { remote } = service.emulator;
  remote.deleteRule(first);
  remote.createRule({ id: first, cidr: '192.0.2.0/24', ip_policy_id: 'ipp_a', action: 'deny' });
  expect(idsOf(await pages())).toEqual([first, second]);
});

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=1&limit=2',
  'before_id=ipr_never',
  'before_id=',
  'offset=x',
  'limit=',
])('list: refuses ?%s with 400', async (query) => {
  expect((await service.call('GET', `/ip_policy_rules?${query}`)).status).toBe(400);
});

describe('switches of the list', () => {
  test('pageSize above 100: a limit of that size is taken', async () => {
    service.emulator.setSwitches({ pageSize: 1000 });
    seedRules(150);
    expect(await pages()).toHaveLength(1);
    expect((await service.call('GET', '/ip_policy_rules?limit=1000')).status).toBe(200);
  });

  test.each(['newest-first', 'oldest-first'] as const)(
    'emptyPage after-first, %s: the second page is empty, and the rules are in order over all pages',
    async (listOrder) => {
      service.emulator.setSwitches({ listOrder, pageSize: 2, emptyPage: 'after-first' });
      const ids = seedRules(5);
      const all = await pages();
      expect(all.map((page) => page.ip_policy_rules.length)).toEqual([2, 0, 2, 1]);
      expect(idsOf(all)).toEqual(listOrder === 'oldest-first' ? ids : ids.toReversed());
    },
  );

  test('emptyPage after-first: an account without rules has one page still', async () => {
    service.emulator.setSwitches({ emptyPage: 'after-first' });
    expect(await pages()).toHaveLength(1);
  });

  test.each(['never', 'after-first'] as const)(
    'listPages offset, an empty page %s: rules that are deleted while paging cut as many that are live',
    async (emptyPage) => {
      service.emulator.setSwitches({ listPages: 'offset', pageSize: 2, emptyPage });
      const ids = seedRules(6);
      expect(idsOf(await pages()).sort()).toEqual([...ids].sort());
      const first = await pageAt('/ip_policy_rules');
      expect(first.next_page_uri).toContain('/ip_policy_rules?offset=2');
      service.emulator.remote.deleteRule(ids[5] ?? '');
      expect(idsOf(await pages(first.next_page_uri))).toEqual([ids[2], ids[1], ids[0]]);
    },
  );

  test('deletedListedMs: the list shows a deleted rule until then, and no other request does', async () => {
    let nowMs = Date.UTC(2030, 0, 1);
    const emulator = await startEmulator({ clock: () => nowMs, switches: { deletedListedMs: 8_000 } });
    const { id } = emulator.remote.createRule({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' });
    emulator.remote.deleteRule(id);
    const get = async (path: string): Promise<HttpAnswer> =>
      callEmulator(emulator.url, { method: 'GET', path });
    const listed = async (): Promise<number> =>
      ((await get('/ip_policy_rules')).json() as ListPage).ip_policy_rules.length;
    expect([await listed(), (await get(`/ip_policy_rules/${id}`)).status]).toEqual([1, 404]);
    nowMs += 8_000;
    expect(await listed()).toBe(0);
  });
});
