import type { Fault } from '../../emulator/src/index';
import { failureOf, type HttpAnswer } from './support/http';
import { testRule, useService } from './support/service';

const service = useService();
const { post, ruleCount } = service;

describe('status', () => {
  type Spec = Omit<Extract<Fault, { kind: 'status' }>, 'kind'>;

  test.each<[string, Spec, string | undefined, string]>([
    ['a page of HTML', { status: 502, rawBody: '<h1>bad</h1>' }, 'text/html', '<h1>bad</h1>'],
    ['an empty body', { status: 404, rawBody: '' }, 'text/html', ''],
    ['the JSON null', { status: 200, body: null }, 'application/json', 'null'],
    ['a JSON text', { status: 200, body: 'x' }, 'application/json', '"x"'],
    ['no body for a success', { status: 204 }, undefined, ''],
    ['JSON of another type', { status: 200, body: {}, contentType: 'text/html' }, 'text/html', '{}'],
  ])('%s', async (_what, fault, type, text) => {
    service.emulator.fault({ kind: 'status', ...fault });
    const answer = await post();
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([fault.status, type, text]);
  });

  test('headers, also one that comes twice', async () => {
    service.emulator.fault({ kind: 'status', status: 429, headers: { 'Retry-After': ['', '120'] } });
    const { rawHeaders } = await post();
    expect(rawHeaders.filter((_, index, all) => all[index - 1] === 'Retry-After')).toEqual(['', '120']);
  });
});

describe('cut', () => {
  test.each(['length', 'chunked'] as const)('%s: the body ends too early, noticeably', async (framing) => {
    service.emulator.fault({ kind: 'cut', framing, bytes: 20 });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(1);
  });

  test('close: the body ends too early, and only its JSON shows it', async () => {
    service.emulator.fault({ kind: 'cut', framing: 'close' });
    const answer = await post();
    expect([answer.status, answer.text]).toEqual([201, expect.stringMatching(/^\{"id":/)]);
    expect(() => answer.json()).toThrow(SyntaxError);
  });
});

describe('mutate', () => {
  const mutated = async (fault: Omit<Extract<Fault, { kind: 'mutate' }>, 'kind'>): Promise<HttpAnswer> => {
    service.emulator.fault({ kind: 'mutate', ...fault });
    return post();
  };

  test('fields missing, of another type, and too many; the stored object stays as it was', async () => {
    const set = { '/ip_policy/id': 7, '/extra': [1], '/id': 'a\r\nb', '/a~1b': 1, '/no/parent': 1 };
    const rule = (await mutated({ remove: ['/cidr', '/ip_policy/uri'], set })).json();
    expect(rule).toMatchObject({ ip_policy: { id: 7 }, extra: [1], id: 'a\r\nb', 'a/b': 1 });
    for (const path of [['cidr'], ['ip_policy', 'uri'], ['no']]) expect(rule).not.toHaveProperty(path);
    expect(service.emulator.state().rules).toMatchObject([
      { cidr: testRule.cidr, ip_policy: { id: testRule.ip_policy_id } },
    ]);
  });

  test('items of an array, the whole body by an empty path or by a function, and the status', async () => {
    expect((await mutated({ set: { '': [] } })).text).toBe('[]');
    service.emulator.fault({ kind: 'mutate', set: { '/ip_policy_rules/0/id': 'ipr_changed' } });
    const list = (await service.call('GET', '/ip_policy_rules')).json();
    expect(list).toMatchObject({ ip_policy_rules: [{ id: 'ipr_changed', cidr: testRule.cidr }] });
    service.emulator.reset();
    const answer = await mutated({ status: 299, mutate: (json) => [json] });
    expect([answer.status, answer.json()]).toMatchObject([299, [{ cidr: testRule.cidr }]]);
  });

  test('headers: more than a client reads', async () => {
    expect(await failureOf(mutated({ headers: { 'X-Padding': '0'.repeat(65_536) } }))).toBe(
      'HPE_HEADER_OVERFLOW',
    );
    expect(ruleCount()).toBe(1);
  });
});

test('drip: the whole answer, in small pieces', async () => {
  service.emulator.fault({ kind: 'drip', bytes: 100, intervalMs: 5 });
  const answer = await post();
  expect(answer.json()).toMatchObject({ cidr: testRule.cidr });
  expect(answer.pieces).toBeGreaterThan(1);
});

describe('which requests a fault hits', () => {
  const failing = { kind: 'status', status: 503 } as const;
  const statusesOf = async (paths: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const path of paths) all.push((await service.call('GET', path)).status);
    return all;
  };
  const lists = (count: number): Promise<number[]> =>
    statusesOf(Array<string>(count).fill('/ip_policy_rules'));

  test.each<[Fault['path'], number[]]>([
    ['/ip_policy_rules', [503, 404, 404]],
    ['/ip_policy_rules/{id}', [200, 503, 404]],
    ['/edges/tcp/edgtcp.1/traffic_policy', [200, 404, 404]],
    ['/edges/tcp/edgtcp_1/traffic_policy', [200, 404, 503]],
  ])('by path: %p', async (path, expected) => {
    service.emulator.fault({ ...failing, path });
    const edge = '/edges/tcp/edgtcp_1/traffic_policy';
    expect(await statusesOf(['/ip_policy_rules?limit=1', '/ip_policy_rules/ipr_1', edge])).toEqual(expected);
  });

  test('by method: upper or lower case, and no other method', async () => {
    service.emulator.fault({ ...failing, method: 'post' });
    expect(await lists(1)).toEqual([200]);
    expect((await post()).status).toBe(503);
  });

  test('the next one, so many from the nth on, or all until it is removed', async () => {
    const next = service.emulator.fault(failing);
    service.emulator.fault({ ...failing, nth: 4, times: 2 });
    expect(await lists(6)).toEqual([503, 200, 200, 503, 503, 200]);
    expect(next.hits).toBe(1);
    const always = service.emulator.fault({ ...failing, times: 'always' });
    expect(await lists(3)).toEqual([503, 503, 503]);
    always.remove();
    expect(await lists(1)).toEqual([200]);
    expect(always.hits).toBe(3);
  });

  test('of two faults for one request the first set wins, and both count it', async () => {
    service.emulator.fault({ ...failing, status: 500 });
    service.emulator.fault({ ...failing, status: 502, nth: 2 });
    expect(await lists(3)).toEqual([500, 502, 200]);
  });
});

test('the journal names the fault and the status that was sent', async () => {
  service.emulator.fault({ kind: 'status', status: 503 });
  service.emulator.fault({ kind: 'reset', nth: 2 });
  await post();
  await failureOf(post());
  expect(service.emulator.journal).toEqual([
    expect.objectContaining({ fault: 'status 503', status: 503 }),
    expect.objectContaining({ fault: 'reset' }),
  ]);
});
