import { createServer, request as httpRequest } from 'node:http';

import { start, type Fault, type FaultKind } from '../../emulator/src/index';
import { failureOf, send, type HttpAnswer } from './support/http';
import { clientHeaders, useService } from './support/service';

const service = useService();
const body = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny', description: 'secret-text' };

const post = (): Promise<HttpAnswer> => service.call('POST', '/ip_policy_rules', body);
const ruleCount = (): number => service.emulator.state().rules.length;

/** Every kind has a test below; the compiler holds the list together with the type. */
const testedKinds: Record<FaultKind, true> = {
  reset: true,
  close: true,
  timeout: true,
  status: true,
  redirect: true,
  cut: true,
  mutate: true,
  'other-object': true,
  drip: true,
  'huge-body': true,
  'gzip-bomb': true,
  'header-overflow': true,
  paging: true,
};

describe('which requests a fault hits', () => {
  const failing = { kind: 'status', status: 503 } as const;
  const statusesOf = async (paths: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const path of paths) all.push((await service.call('GET', path)).status);
    return all;
  };

  test('without a target: the next request, once', async () => {
    const fault = service.emulator.fault(failing);
    expect(await statusesOf(['/ip_policy_rules', '/ip_policy_rules'])).toEqual([503, 200]);
    expect(fault.hits).toBe(1);
  });

  test.each<[Fault['path'], number[]]>([
    ['/ip_policy_rules', [503, 404, 404]],
    ['/ip_policy_rules/{id}', [200, 503, 404]],
    ['/edges/tcp/edgtcp_1/traffic_policy', [200, 404, 503]],
    [/rules\/ipr/, [200, 503, 404]],
    [{ pattern: '^/edges' }, [200, 404, 503]],
  ])('by path: %p', async (path, expected) => {
    service.emulator.fault({ ...failing, path });
    const paths = [
      '/ip_policy_rules?limit=1',
      '/ip_policy_rules/ipr_1',
      '/edges/tcp/edgtcp_1/traffic_policy',
    ];
    expect(await statusesOf(paths)).toEqual(expected);
  });

  test('by method: upper or lower case, and no other method', async () => {
    service.emulator.fault({ ...failing, method: 'post' });
    expect(await statusesOf(['/ip_policy_rules'])).toEqual([200]);
    expect((await post()).status).toBe(503);
  });

  test('nth and times: so many from the nth matching request on', async () => {
    service.emulator.fault({ ...failing, nth: 2, times: 2 });
    expect(await statusesOf(Array<string>(5).fill('/ip_policy_rules'))).toEqual([200, 503, 503, 200, 200]);
  });

  test('always: until it is removed', async () => {
    const fault = service.emulator.fault({ ...failing, times: 'always' });
    expect(await statusesOf(Array<string>(3).fill('/ip_policy_rules'))).toEqual([503, 503, 503]);
    fault.remove();
    expect(await statusesOf(['/ip_policy_rules'])).toEqual([200]);
    expect(fault.hits).toBe(3);
  });

  test('of two faults for one request the first set wins, and both count it', async () => {
    service.emulator.fault({ ...failing, status: 500 });
    service.emulator.fault({ ...failing, status: 502, nth: 2 });
    expect(await statusesOf(Array<string>(3).fill('/ip_policy_rules'))).toEqual([500, 502, 200]);
  });

  test('a reset removes them all', async () => {
    service.emulator.fault({ ...failing, times: 'always' });
    service.emulator.reset();
    expect(await statusesOf(['/ip_policy_rules'])).toEqual([200]);
  });

  test('every kind is tested', () => {
    expect(Object.keys(testedKinds)).toHaveLength(13);
  });
});

describe.each(['reset', 'close'] as const)('%s', (kind) => {
  test('before the effect: the connection ends and nothing was done', async () => {
    service.emulator.fault({ kind });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(0);
  });

  test('after the effect: the connection ends and the rule is there', async () => {
    service.emulator.fault({ kind, when: 'after' });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(1);
  });

  test('with a delayed effect: the rule shows up after the connection has ended', async () => {
    service.emulator.fault({ kind, effectDelayMs: 50 });
    expect(await failureOf(post())).toBe('ECONNRESET');
    expect(ruleCount()).toBe(0);
    while (ruleCount() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(service.emulator.journal).toHaveLength(1);
  });
});

test('a delayed effect does not happen after a reset of the emulator', async () => {
  service.emulator.fault({ kind: 'reset', effectDelayMs: 30 });
  await failureOf(post());
  service.emulator.reset();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ruleCount()).toBe(0);
});

test('a delayed effect that the service refuses changes nothing', async () => {
  service.emulator.fault({ kind: 'status', status: 500, effectDelayMs: 0 });
  await service.call('POST', '/ip_policy_rules', { ...body, cidr: 'nonsense' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([ruleCount(), (await post()).status]).toEqual([0, 201]);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)('timeout %s the effect: no answer until the client gives up', async (when, rules) => {
  service.emulator.fault({ kind: 'timeout', when });
  const failure = new Promise<string>((resolve) => {
    const request = httpRequest(`${service.emulator.url}/ip_policy_rules`, {
      method: 'POST',
      headers: { ...clientHeaders, 'Content-Type': 'application/json' },
      timeout: 100,
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error(), { code: 'GAVE_UP' })));
    request.on('error', (error) => {
      resolve((error as NodeJS.ErrnoException).code ?? '');
    });
    request.end(JSON.stringify(body));
  });
  expect(await failure).toBe('GAVE_UP');
  expect(ruleCount()).toBe(rules);
  expect(service.emulator.journal[0]).not.toHaveProperty('status');
});

describe('status', () => {
  const answerOf = async (fault: Omit<Extract<Fault, { kind: 'status' }>, 'kind'>): Promise<HttpAnswer> => {
    service.emulator.fault({ kind: 'status', ...fault });
    return post();
  };

  test.each([400, 401, 403, 404, 408, 409, 422, 500, 502, 503, 504])(
    '%i without more: an error body, and nothing was done',
    async (status) => {
      const answer = await answerOf({ status });
      expect([answer.status, answer.json()]).toEqual([
        status,
        expect.objectContaining({ status_code: status }),
      ]);
      expect(ruleCount()).toBe(0);
    },
  );

  test('500 though done', async () => {
    expect((await answerOf({ status: 500, when: 'after' })).status).toBe(500);
    expect(ruleCount()).toBe(1);
  });

  test('a page of HTML with any status', async () => {
    const answer = await answerOf({ status: 502, rawBody: '<h1>bad gateway</h1>' });
    expect([answer.headers['content-type'], answer.text]).toEqual(['text/html', '<h1>bad gateway</h1>']);
  });

  test('an empty body', async () => {
    const answer = await answerOf({ status: 404, rawBody: '' });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([404, '', '0']);
  });

  test.each([null, [], 'text', {}, 7])('200 with the JSON %j', async (json) => {
    const answer = await answerOf({ status: 200, body: json, when: 'after' });
    expect([answer.status, answer.headers['content-type'], answer.json()]).toEqual([
      200,
      'application/json',
      json,
    ]);
  });

  test('204 where a body is due', async () => {
    const answer = await answerOf({ status: 204, when: 'after' });
    expect([answer.status, answer.text, ruleCount()]).toEqual([204, '', 1]);
  });

  test.each(['7', 'Tue, 01 Jan 2030 00:00:00 GMT', '', '-1', '1e9', '2147483648', 'soon'])(
    '429 with Retry-After %j',
    async (value) => {
      const answer = await answerOf({ status: 429, headers: { 'Retry-After': value } });
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, value]);
    },
  );

  test('429 with two Retry-After headers', async () => {
    const answer = await answerOf({ status: 429, headers: { 'Retry-After': ['1', '120'] } });
    const values = answer.rawHeaders.filter(
      (_, index, all) => all[index - 1]?.toLowerCase() === 'retry-after',
    );
    expect(values).toEqual(['1', '120']);
  });

  test('422 that quotes what was sent', async () => {
    const answer = await answerOf({ status: 422, echo: true });
    expect((answer.json() as { msg: string }).msg).toContain('secret-text');
  });

  test('400 of one megabyte', async () => {
    const answer = await answerOf({ status: 400, sizeBytes: 1_000_000 });
    expect(answer.text.length).toBeGreaterThan(1_000_000);
    expect(answer.json()).toMatchObject({ status_code: 400 });
  });

  test('JSON under another content type', async () => {
    const answer = await answerOf({ status: 200, body: {}, contentType: 'text/html' });
    expect([answer.headers['content-type'], answer.text]).toEqual(['text/html', '{}']);
  });
});

test.each([301, 302, 303, 307, 308] as const)('redirect %i to another origin', async (status) => {
  service.emulator.fault({ kind: 'redirect', status, location: 'http://127.0.0.1:1/elsewhere' });
  const answer = await post();
  expect([answer.status, answer.headers.location]).toEqual([status, 'http://127.0.0.1:1/elsewhere']);
});

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
      expect.objectContaining({ cidr: body.cidr }),
    ]);
  });

  test('status and content type', async () => {
    const answer = await mutated({ status: 299, contentType: 'text/plain' });
    expect([answer.status, answer.headers['content-type']]).toEqual([299, 'text/plain']);
    expect(answer.json()).toMatchObject({ cidr: body.cidr });
  });

  test('the stored object stays as it was', async () => {
    await mutated({ set: { '/ip_policy/id': 'ipp_changed', cidr: 'x' } });
    expect(service.emulator.state().rules[0]).toMatchObject({
      cidr: body.cidr,
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
    const answer = await service.call('POST', '/ip_policy_rules', { ...body, cidr: '10.0.0.0/8' });
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
  expect(answer.json()).toMatchObject({ cidr: body.cidr });
  expect(answer.pieces).toBeGreaterThan(1);
});

test('drip: ends when the client goes', async () => {
  service.emulator.fault({ kind: 'drip', bytes: 1, intervalMs: 1000 });
  const answer = post();
  answer.catch(() => undefined);
  while (service.emulator.journal[0]?.status === undefined) await new Promise(setImmediate);
  service.emulator.reset();
  expect(ruleCount()).toBe(0);
});

test('huge-body: valid JSON of the size asked for', async () => {
  service.emulator.fault({ kind: 'huge-body', sizeBytes: 3_000_000 });
  const answer = await post();
  expect(answer.text.length).toBeGreaterThan(3_000_000);
  expect(answer.json()).toMatchObject({ cidr: body.cidr });
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

describe('paging', () => {
  const nextPage = async (fault: Omit<Extract<Fault, { kind: 'paging' }>, 'kind'>): Promise<string> => {
    service.emulator.fault({ kind: 'paging', ...fault });
    const answer = await service.call('GET', '/ip_policy_rules?limit=5');
    return (answer.json() as { next_page_uri: string }).next_page_uri;
  };
  const own = (): URL => new URL(service.emulator.url);

  test('loop: the page leads to itself', async () => {
    expect(await nextPage({ variant: 'loop' })).toBe(`${own().origin}/ip_policy_rules?limit=5`);
  });

  test('endless: each page leads to one that was never seen', async () => {
    const first = await nextPage({ variant: 'endless', times: 'always' });
    const answer = await service.call('GET', first.slice(own().origin.length));
    const second = (answer.json() as { next_page_uri: string }).next_page_uri;
    expect([answer.status, new URL(second).origin]).toEqual([200, own().origin]);
    expect(second).not.toBe(first);
  });

  test.each([
    ['other-host', (url: URL) => url.hostname !== own().hostname && url.port === own().port],
    ['other-port', (url: URL) => url.hostname === own().hostname && url.port !== own().port],
    ['other-scheme', (url: URL) => url.protocol === 'https:' && url.host === own().host],
    ['user-info', (url: URL) => url.username !== '' && url.host === own().host],
    ['outside-base-path', (url: URL) => url.origin === own().origin && url.pathname.startsWith('/outside/')],
  ] as const)('%s', async (variant, isAsNamed) => {
    expect(isAsNamed(new URL(await nextPage({ variant })))).toBe(true);
  });

  test('protocol-relative', async () => {
    expect(await nextPage({ variant: 'protocol-relative' })).toMatch(/^\/\/[^/]+\/ip_policy_rules$/);
  });

  test('to a server of the test, which sees the request', async () => {
    const second = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
    const address = second.address() as { port: number };
    const url = `http://127.0.0.1:${address.port}/ip_policy_rules`;
    const next = await nextPage({ variant: 'other-host', url });
    expect((await send({ method: 'GET', url: next })).status).toBe(200);
    second.close();
  });
});

test.each<Fault>([
  { kind: 'cut', framing: 'length', when: 'before' },
  { kind: 'drip', effectDelayMs: 5 },
])('a fault that spoils the real answer cannot come before it: %j', (fault) => {
  expect(() => service.emulator.fault(fault)).toThrow(/only come after the effect/);
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

test('closing the emulator ends requests that are never answered', async () => {
  const emulator = await start();
  emulator.fault({ kind: 'timeout' });
  const answer = failureOf(
    send({ method: 'GET', url: `${emulator.url}/ip_policy_rules`, headers: clientHeaders }),
  );
  while (emulator.journal.length === 0) await new Promise(setImmediate);
  await emulator.close();
  expect(await answer).toBe('ECONNRESET');
});
