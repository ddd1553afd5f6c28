import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../provider/src/api/clock';
import { processContext } from '../../../cli/src/command/context';
import { askPublishers } from '../../../cli/src/feeds/ask-publishers';
import { CommandLine, noted, printed } from '../../support/command-line';
import { createSelfSigned } from '../../support/certificate';
import { startConnectProxy } from '../../support/connect-proxy';
import { declared, documentsOf } from '../../support/feeds/documents';
import { networksOf } from '../../support/feeds/networks';
import { type Answer, PublisherServer } from '../../support/feeds/publisher-server';
import { freePort } from '../../support/listening';
import { trust } from '../../support/trust';

const DECLARATION = 'edge-policy.feeds.json';
const LOCK = 'edge-policy.feeds.lock.json';

const networks = networksOf({ networks: 30, aggregated: 30 });
const lines = (own: readonly string[]): string => own.map((network) => `${network}\n`).join('');

/** A project with these feeds, as far as the commands of feeds look at it. */
const project = (feeds: Readonly<Record<string, object>> = {}): CommandLine => {
  const line = new CommandLine();
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  declare(line, feeds);
  return line;
};

/** What the lock holds. */
type Locked = Readonly<Record<string, { readonly networks: readonly string[] }>>;
const lockOf = (line: CommandLine): Locked => (JSON.parse(line.read(LOCK)) as { feeds: Locked }).feeds;

const declare = (line: CommandLine, feeds: Readonly<Record<string, object>>): void => {
  line.write(DECLARATION, JSON.stringify({ feeds }));
};
const textAt = (url: string): object => ({ url, format: 'text' });
const textIn = (file: string): object => ({ file, format: 'text' });

const update = (line: CommandLine, ...more: readonly string[]) => line.run('feeds', 'update', ...more);

/** A project with a feed of lines of text, and its publisher. */
const projectWithFeed = async () => {
  const publisher = await PublisherServer.start();
  const url = publisher.publish('/list', lines(networks));
  const line = project({ ours: textAt(url) });
  const first = await update(line);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  return { publisher, line, first, url };
};

test('update: fetches a new feed and writes the lock; then says what has changed, and rewrites it', async () => {
  const { publisher, line, first } = await projectWithFeed();
  expect(first.stdout).toMatch(/^ours: new, 30 networks\n\n.* was written: commit it\.\n$/);
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
  publisher.publish('/list', lines([...networks.slice(1), '30.0.0.0/24', '30.0.2.0/24']));
  const updated = await update(line);
  expect(updated).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `ours: 2 networks more, 1 fewer
  + 30.0.0.0/24
  + 30.0.2.0/24
  - ${networks[0] ?? ''}

${LOCK} was written: commit it.
`,
  });
  expect(await update(line, 'ours')).toMatchObject(printed(0, /^ours: unchanged, 31 /));
});

const raw =
  (...parts: string[]): Answer =>
  (_, { socket }) => {
    socket?.end(['HTTP/1.1 200 OK', ...parts].join('\r\n'));
  };
const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

const to = (Location: string) => answering(301, { Location });
const zipped = answering(
  ...([200, { 'Content-Encoding': 'gzip', 'Content-Length': '60' }] as const),
  gzipSync('20.0.0.0/24').subarray(0, 60),
);
const CUT = /could not be fetched|cut short/;
const page = '<!DOCTYPE html><html><title>Just a moment...</title></html>';

test.each<[string, Answer, RegExp]>([
  ['a "just a moment" page', answering(503, { 'Content-Type': 'text/html' }, page), /returned status 503/],
  ['0 bytes', answering(200, { 'Content-Length': '0' }), /it is empty/],
  ['a partial answer nobody asked for', answering(206, {}, '20.0.0.0/24'), /status 206/],
  ['"not modified" that nobody asked for', answering(304, {}), /status 304/],
  ['an answer that is cut by its length', raw('Content-Length: 500', '', '20.0.0.0/24'), CUT],
  ['one cut between chunks', raw('Transfer-Encoding: chunked', '', 'c', '20.0.0.0/24', ''), CUT],
  ['no length', raw('Connection: close', '', lines(networks)), /does not say how long it is/],
  ['a reset', (_, response) => response.socket?.resetAndDestroy(), /could not be fetched \(ECONNRESET\)/],
  ['an encoding that nobody asked for', zipped, /an encoding that was not requested/],
  ['a redirect to itself', answering(302, { Location: '/list' }), /behind more than 5 redirects/],
  ['a redirect to plain http', to('http://lists.example.com/'), /leads away from https/],
  ['a redirect to a file', to('file:///etc/passwd'), /leads away from https/],
  ['a terminal escape', lines([...networks, '\u001b[2Jx']), /\\u\{1b\}\[2Jx/],
])(
  'a publisher that answers with %s: refused, exit code 2, and the lock stays as it is',
  async (_, answer, reason) => {
    const { publisher, line } = await projectWithFeed();
    const before = [line.read(LOCK), line.read(DECLARATION)];
    publisher.publish('/list', answer);
    expect(await update(line)).toMatchObject(printed(2, reason));
    expect([line.read(LOCK), line.read(DECLARATION)]).toEqual(before);
  },
);

test('update: if the first document is refused, there is no lock', async () => {
  const publisher = await PublisherServer.start();
  const line = project({ ours: textAt(publisher.publish('/list', page)) });
  const refused = await update(line);
  expect(refused).toMatchObject(printed(2, /^ours: refused: it is an HTML or XML page/));
  expect(refused.stdout).not.toContain('commit');
  expect(() => line.read(LOCK)).toThrow('ENOENT');
});

test('a publisher that does not answer in time, or drips, is refused', async () => {
  const { publisher, line } = await projectWithFeed();
  line.setEnvironment('EDGE_POLICY_REQUEST_TIMEOUT_SECONDS', '1');
  publisher.publish('/list', (_, response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    const drip = setInterval(() => response.write('#'), 100);
    response.on('close', () => {
      clearInterval(drip);
    });
  });
  expect(await update(line)).toMatchObject(printed(2, 'there was no answer within 1 seconds'));
});

test('a document beyond 32 MiB is refused before it is whole', async () => {
  const { publisher, line } = await projectWithFeed();
  let sentBytes = 0;
  publisher.publish('/list', (_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(1 << 20, '#');
    const send = (): void => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
    };
    response.on('drain', send);
    send();
  });
  expect(await update(line)).toMatchObject(printed(2, 'larger than 32 MiB'));
  expect(sentBytes).toBeLessThan(64 << 20);
});

test('a publisher that is down: exit code 2, and the other feeds are updated all the same', async () => {
  const { publisher, line, url } = await projectWithFeed();
  line.write('lists/partners.txt', lines(networks));
  const partners = textIn('lists/partners.txt');
  declare(line, { ours: textAt(url), partners });
  await update(line, 'partners');
  declare(line, { ours: textAt(`http://127.0.0.1:${await freePort()}/list`), partners });
  line.write('lists/partners.txt', lines(networks.slice(1)));
  expect(await update(line)).toMatchObject(
    printed(
      2,
      /ours: refused: from 127\.0\.0\.1:\d+: it could not be fetched \(ECONNREFUSED\)\npartners: 0 networks more, 1 fewer/,
    ),
  );
  expect(publisher.requests).toBe(1);
});

test('--accept lifts the bounds for one feed and one run, and the reason goes into the lock', async () => {
  const { publisher, line } = await projectWithFeed();
  publisher.publish('/list', lines([...networks.slice(0, 9), ...networks.slice(-1)]));
  expect((await update(line, '--accept', 'announced')).exitCode).toBe(3);
  for (const reason of [' ', 'two\nlines', 'a \u001b[2J'])
    expect((await update(line, 'ours', '--accept', reason)).exitCode).toBe(3);
  expect(await update(line, 'ours', '--accept', 'announced on their status page')).toMatchObject({
    exitCode: 0,
  });
  expect(lockOf(line)['ours']).toMatchObject({
    accepted: 'announced on their status page',
    networks: { length: 10 },
  });
  // It lifts no other refusal.
  publisher.publish('/list', page);
  expect(await update(line, 'ours', '--accept', 'why not')).toMatchObject({ exitCode: 2 });
  publisher.publish('/list', lines(['20.0.0.0/6']));
  expect(await update(line, 'ours', '--accept', 'why not')).toMatchObject({ exitCode: 2 });
});

test("within the publisher's minimum interval nothing is asked: one download an hour", async () => {
  const publisher = await PublisherServer.start();
  const [ipv4 = '', ipv6 = ''] = documentsOf['spamhaus-drop'](networks);
  const url = [publisher.publish('/4', ipv4), publisher.publish('/6', ipv6)];
  const drop = { publisher: 'spamhaus-drop', url };
  const line = project({ drop });
  line.setEnvironment('XDG_CACHE_HOME', path.join(line.folder, '.cache'));
  let minutes = 0;
  line.engine = { clock: { ...systemClock, epochMs: () => Date.now() + minutes * 60_000 } };
  expect((await update(line)).stdout).toContain('(c) 2026 The publisher');
  minutes = 59;
  declare(line, { drop, twice: drop });
  expect(await update(line)).toMatchObject(printed(0, /^twice: new/m));
  expect(publisher.requests).toBe(2);
  minutes = 61;
  await update(line);
  expect(publisher.requests).toBe(4);
});

test('a document of which several feeds take their networks is fetched once a run', async () => {
  const publisher = await PublisherServer.start();
  const [document = ''] = documentsOf.github(networks);
  const url = publisher.publish('/meta', document);
  const feedOf = (keys: string) => ({ publisher: 'github', url, select: { keys } });
  const line = project({ hooks: feedOf('hooks'), web: feedOf('web') });
  expect(await update(line)).toMatchObject(printed(0, /^hooks: new.*\nweb: new/));
  expect(publisher.requests).toBe(1);
});

test('no credentials are sent, whatever the settings hold', async () => {
  const { publisher, line } = await projectWithFeed();
  line.setEnvironment('EDGE_POLICY_API_KEY', 'canary-key');
  await update(line);
  expect(JSON.stringify(publisher.headers)).not.toMatch(/canary|authorization|cookie/i);
});

test('https: a certificate that nobody trusts is refused, and a proxy is used where one is set', async () => {
  const { key, cert } = createSelfSigned();
  const secure = await PublisherServer.start({ tls: { key, cert } });
  const url = secure.publish('/list', lines(networks));
  const line = project({ secure: textAt(url) });
  expect(await update(line)).toMatchObject(printed(2, /DEPTH_ZERO_SELF_SIGNED_CERT/));
  const proxy = await startConnectProxy();
  line.setEnvironment('EDGE_POLICY_PROXY', proxy.url);
  await update(line);
  expect(proxy.tunnels).toEqual([new URL(url).host]);
  expect(secure.requests).toBe(0);
  // What cannot be a proxy is not passed over.
  line.setEnvironment('EDGE_POLICY_PROXY', 'proxy:3128');
  expect(await update(line)).toMatchObject(noted(3, 'EDGE_POLICY_PROXY'));
});

test('https: a redirect to plain http is not followed, not even on this machine', async () => {
  const { key, cert } = createSelfSigned();
  trust(cert, 'test');
  const secure = await PublisherServer.start({ tls: { key, cert } });
  const plain = await PublisherServer.start();
  const Location = plain.publish('/list', lines(networks));
  const line = project({ secure: textAt(secure.publish('/list', answering(302, { Location }))) });
  expect(await update(line)).toMatchObject(printed(2, /behind a redirect that leads away from https/));
  expect([secure.requests, plain.requests]).toEqual([1, 0]);
});

test('a file that leads out of the folder is not read', async () => {
  const line = project({ host: textIn('list.txt') });
  symlinkSync('/etc/hostname', path.join(line.folder, 'list.txt'));
  expect(await update(line)).toMatchObject(printed(2, 'leads out of the folder'));
});

test('a lock that is none is never replaced, as that would lift the bounds', async () => {
  const { line } = await projectWithFeed();
  for (const [text, remedy] of [
    [`<<<<<<< HEAD\n${line.read(LOCK)}=======\n{}\n>>>>>>> main\n`, `"git checkout --ours ${LOCK}"`],
    ['{"version":1,', 'take it from the last good commit'],
    ['{}', 'take it from the last good commit'],
  ] as const) {
    line.write(LOCK, text);
    expect(await update(line)).toMatchObject(noted(3, remedy));
    expect(line.read(LOCK)).toBe(text);
  }
});

test('a refusal by the bounds shows the difference, the largest networks first, and how to accept it', async () => {
  const { publisher, line } = await projectWithFeed();
  const many = ['30.0.0.0/28', '31.0.0.0/10', '2a00:1450::/29'];
  publisher.publish('/list', lines([...many, ...networksOf({ networks: 90, aggregated: 90 }).slice(3)]));
  const difference = /63 networks more, 3 fewer\n {2}\+ 2a00:1450::\/29\n {2}\+ 31\.0\.0\.0\/10\n/;
  const refused = await update(line);
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toMatch(difference);
  expect(refused.stdout).toMatch(/ {2}\+ and \d+ smaller ones\n/);
  expect(refused.stdout).toContain(
    'If intended: npx --no-install pulumi-edge-policy-cli feeds update ours --accept "REASON"\n',
  );
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
});

test('update: what is no longer declared leaves the lock, and that is said', async () => {
  const { line } = await projectWithFeed();
  declare(line, {});
  expect(await update(line)).toMatchObject(printed(0, /^ours: no longer declared/));
  expect(lockOf(line)).toEqual({});
});

test('wrong usage, of an unknown feed or in a declaration, is exit code 3', async () => {
  expect(await update(project(), 'other')).toMatchObject(noted(3, 'There is no feed "other"'));
  const github = project({ github: { publisher: 'github' } });
  expect(await update(github)).toMatchObject(noted(3, 'needs "select.keys"'));
  // Without a declaration, an example of one is given.
  expect(await update(new CommandLine())).toMatchObject(
    noted(3, '{"feeds":{"cloudflare":{"publisher":"cloudflare"}}}, and run'),
  );
});

describe('to confirm what a change claims', () => {
  const context = { ...processContext(), environment: {} };

  test('a publisher is asked anew, whatever the machine has kept of it', async () => {
    const publisher = await PublisherServer.start();
    const [document = ''] = documentsOf['spamhaus-drop'](['8.8.8.0/24']);
    const url = publisher.publish('/list', document);
    const feed = declared({ url, publisher: 'spamhaus-drop' });
    const withCache = { ...context, environment: { XDG_CACHE_HOME: new CommandLine().folder } };
    for (const requests of [1, 2]) {
      const answers = await askPublishers([feed], withCache);
      expect(answers.get('feed')).toMatchObject({ networks: [{ text: '8.8.8.0/24' }] });
      expect(publisher.requests).toBe(requests);
    }
  });

  test('a document in a file has no publisher', async () => {
    const feed = declared(textIn('lists/own.txt'));
    expect([...(await askPublishers([feed], context)).values()]).toEqual([
      { problem: expect.stringContaining('its document is a file in the repository') as string },
    ]);
  });

  test('once publishers have taken too long together, the others are not asked', async () => {
    const publisher = await PublisherServer.start();
    let ms = 0;
    const url = publisher.publish('/slow', (_, response) => {
      ms += 46_000;
      response.writeHead(200, { 'Content-Length': 11 }).end('8.8.8.0/24\n');
    });
    const feeds = [
      declared(textAt(url), 'slow'),
      declared(textAt(publisher.publish('/list', '8.8.8.0/24\n')), 'late'),
    ];
    const clock = { ...systemClock, monotonicMs: () => ms };
    const answers = await askPublishers(feeds, { ...context, clock });
    expect(answers.get('slow')).toMatchObject({ networks: [{ text: '8.8.8.0/24' }] });
    expect(answers.get('late')).toEqual({ problem: expect.stringContaining('was not asked') as string });
    expect(publisher.requests).toBe(1);
  });
});
