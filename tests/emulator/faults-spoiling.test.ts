import type { Fault } from '../../emulator/src/index';
import { failureOf, type HttpAnswer } from './support/http';
import { clientHeaders, testRule, useService } from './support/service';

const service = useService();
const { post, ruleCount } = service;

describe('cut', () => {
  test.each(['length', 'chunked'] as const)('%s: the body ends too early, noticeably', async (framing) => {
    service.emulator.fault({ kind: 'cut', framing, bytes: 20 });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(1);
  });

  test('close: the body ends too early, and only its JSON shows it', async () => {
    service.emulator.fault({ kind: 'cut', framing: 'close', bytes: 20 });
    const answer = await post();
    expect([answer.status, answer.text.length]).toEqual([201, 20]);
    expect(() => answer.json()).toThrow(SyntaxError);
  });

  test('without a length: half of the body', async () => {
    service.emulator.fault({ kind: 'cut', framing: 'close' });
    expect((await post()).text).toMatch(/^\{"id":/);
  });
});

describe('mutate', () => {
  const mutated = async (fault: Omit<Extract<Fault, { kind: 'mutate' }>, 'kind'>): Promise<HttpAnswer> => {
    service.emulator.fault({ kind: 'mutate', ...fault });
    return post();
  };

  test.each(['..', 'a/b', '?x', 'a\r\nb', 'x'.repeat(10_240), 7, '', null])('id %j', async (id) => {
    expect((await mutated({ set: { id } })).json()).toMatchObject({ id });
  });

  test('fields missing, of another type, and too many', async () => {
    const rule = (
      await mutated({
        remove: ['/cidr', 'ip_policy.uri'],
        set: { '/ip_policy/id': 7, extra: [1], action: false },
      })
    ).json();
    expect(rule).toMatchObject({ ip_policy: { id: 7 }, extra: [1], action: false });
    expect(rule).not.toHaveProperty('cidr');
    expect(rule).not.toHaveProperty('ip_policy.uri');
  });

  test('__proto__ and __provider as real keys of the JSON', async () => {
    const answer = await mutated({ set: { '/__proto__': { polluted: true }, __provider: 'code' } });
    expect(answer.text).toContain('"__proto__":{"polluted":true}');
    expect(answer.text).toContain('"__provider":"code"');
  });

  test('items of an array, and names with slashes', async () => {
    const rule = await service.createRule();
    service.emulator.fault({
      kind: 'mutate',
      set: { '/ip_policy_rules/0/id': 'ipr_changed', '/a~1b': 1, 'no.such.parent': 1 },
    });
    const list = (await service.call('GET', '/ip_policy_rules')).json();
    expect(list).toMatchObject({ ip_policy_rules: [{ id: 'ipr_changed', cidr: rule.cidr }], 'a/b': 1 });
    expect(list).not.toHaveProperty('no');
  });

  test('the whole body, by an empty path, by text or by a function', async () => {
    expect((await mutated({ set: { '': [] } })).text).toBe('[]');
    service.emulator.reset();
    expect((await mutated({ rawBody: '{"id":' })).text).toBe('{"id":');
    service.emulator.reset();
    expect((await mutated({ mutate: (json) => [json] })).json()).toEqual([
      expect.objectContaining({ cidr: testRule.cidr }),
    ]);
  });

  test('status and content type', async () => {
    const answer = await mutated({ status: 299, contentType: 'text/plain' });
    expect([answer.status, answer.headers['content-type']]).toEqual([299, 'text/plain']);
    expect(answer.json()).toMatchObject({ cidr: testRule.cidr });
  });

  test('the stored object stays as it was', async () => {
    await mutated({ set: { '/ip_policy/id': 'ipp_changed', cidr: 'x' } });
    expect(service.emulator.state().rules[0]).toMatchObject({
      cidr: testRule.cidr,
      ip_policy: { id: 'ipp_test' },
    });
  });
});

describe('other-object', () => {
  test('another rule if there is one, an invented one if not', async () => {
    const first = await service.createRule();
    service.emulator.fault({ kind: 'other-object', times: 2 });
    const invented = (await service.call('GET', `/ip_policy_rules/${first.id}`)).json() as { id: string };
    expect(invented.id).toMatch(/^ipr_/);
    expect(invented.id).not.toBe(first.id);
    const answer = await post({ cidr: '10.0.0.0/8' });
    expect(answer.json()).toEqual(first);
  });

  test.each([
    ['/edges/tcp/edgtcp_1/traffic_policy', { enabled: true, value: '{"inbound":[],"x":1}' }],
    ['/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter', { enabled: true, allow: [], deny: ['x'] }],
  ])('%s: a module with other content', async (path, module) => {
    service.emulator.fault({ kind: 'other-object' });
    const answer = await service.call('PUT', path, module);
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toEqual(module);
  });
});

test('drip: the whole answer, in small pieces', async () => {
  service.emulator.fault({ kind: 'drip', bytes: 100, intervalMs: 5 });
  const answer = await post();
  expect(answer.json()).toMatchObject({ cidr: testRule.cidr });
  expect(answer.pieces).toBeGreaterThan(1);
});

test('huge-body: valid JSON of the size asked for', async () => {
  service.emulator.fault({ kind: 'huge-body', sizeBytes: 3_000_000 });
  const answer = await post();
  expect(answer.text.length).toBeGreaterThan(3_000_000);
  expect(answer.json()).toMatchObject({ cidr: testRule.cidr });
});

test('gzip-bomb: a few kilobytes that unpack to the size asked for', async () => {
  service.emulator.fault({ kind: 'gzip-bomb', sizeBytes: 20_000_000 });
  const answer = await fetch(`${service.emulator.url}/ip_policy_rules`, { headers: clientHeaders });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect((await answer.text()).length).toBeGreaterThan(20_000_000);
});

test('header-overflow: more headers than a client reads', async () => {
  service.emulator.fault({ kind: 'header-overflow' });
  expect(await failureOf(post())).toBe('HPE_HEADER_OVERFLOW');
  expect(ruleCount()).toBe(1);
});
