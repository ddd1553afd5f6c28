import { createServer } from 'node:http';

import type { Fault } from '../../emulator/src/index';
import { send } from './support/http';
import { useService } from './support/service';

const service = useService();

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
