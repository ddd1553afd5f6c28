import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../provider/src/api/clock';
import { digestOf } from '../../../provider/src/feeds/lock';
import { CommandLine, noted, printed } from '../../support/command-line';
import { createSelfSigned } from '../../support/certificate';
import { startConnectProxy } from '../../support/connect-proxy';
import { documentsOf } from '../../support/feeds/documents';
import { networksOf } from '../../support/feeds/networks';
import { type Answer, PublisherServer } from '../../support/feeds/publisher-server';
import { freePort } from '../../support/ports';
import { trust } from '../../support/trust';

const DECLARATION = 'edge-policy.feeds.json';
const LOCK = 'edge-policy.feeds.lock.json';

const networks = networksOf({ networks: 30, aggregated: 30 });
const lines = (own: readonly string[]): string => own.map((network) => `${network}\n`).join('');

/** A project, as far as the commands of feeds look at it, and what the lock holds there. */
const project = (): CommandLine => {
  const line = new CommandLine();
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  return line;
};

interface LockFile {
  readonly feeds: Record<
    string,
    {
      readonly networks: string[];
      readonly token?: string;
      readonly accepted?: string;
      readonly checked: string;
    }
  >;
}
const lockOf = (line: CommandLine): LockFile['feeds'] => (JSON.parse(line.read(LOCK)) as LockFile).feeds;

/** A project with a feed of lines of text, and its publisher. */
const projectWithFeed = async (own: readonly string[] = networks) => {
  const publisher = await PublisherServer.start();
  const line = project();
  const url = publisher.publish('/list', lines(own));
  const added = await line.run('feeds', 'add', 'ours', '--url', url, '--format', 'text');
  expect(added).toMatchObject({ exitCode: 0, stderr: '' });
  return { publisher, line, added, url };
};

/** A clock that a test sets forward. */
const withClock = (line: CommandLine) => {
  const clock = { minutes: 0 };
  line.engine = {
    pulumi: () => Promise.reject(new Error('no command of feeds calls the CLI')),
    clock: { ...systemClock, epochMs: () => Date.now() + clock.minutes * 60_000 },
  };
  return clock;
};

test('add: declares the feed, fetches it and writes the lock', async () => {
  const { line, added } = await projectWithFeed();
  expect(added.stdout).toMatch(
    /^ours: new, 30 networks \(27,648 IPv4 addresses, 196,608 IPv6 \/64\)\n\nCommit /,
  );
  expect(JSON.parse(line.read(DECLARATION))).toMatchObject({ feeds: { ours: { format: 'text' } } });
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
  expect(await line.run('feeds', 'verify')).toMatchObject({
    exitCode: 0,
    stdout: 'The lock matches the declaration.\n',
  });
  const listed = await line.run('feeds', 'list');
  expect(listed.stdout).toMatch(/^ours {2}http:.*\/list {2}30 networks .* checked \d{4}-\d\d-\d\d\n$/);
});

test('update: says what the change means in networks and addresses, and rewrites the lock', async () => {
  const { publisher, line } = await projectWithFeed();
  publisher.publish('/list', lines([...networks.slice(1), '30.0.0.0/24', '30.0.2.0/24']));
  const checked = await line.run('feeds', 'diff');
  expect(checked.exitCode).toBe(1);
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
  const updated = await line.run('feeds', 'update');
  expect(updated).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `ours: 2 networks more, 1 fewer (512 IPv4 addresses more, 1,024 IPv4 addresses fewer)
  + 30.0.0.0/24
  + 30.0.2.0/24
  - ${networks[0] ?? ''}

${LOCK} was written: commit it.
`,
  });
  expect(await line.run('feeds', 'diff', 'ours')).toMatchObject({ exitCode: 0 });
});

const raw =
  (...parts: string[]): Answer =>
  (_, { socket }) => {
    socket?.end(parts.join('\r\n'));
  };
const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

const page = '<!DOCTYPE html><html><title>Just a moment...</title></html>';

const failures: readonly [string, Answer, RegExp][] = [
  ['an error page with status 200', page, /it is an HTML or XML page/],
  ['a "just a moment" page', answering(503, { 'Content-Type': 'text/html' }, page), /returned status 503/],
  ['0 bytes', answering(200, { 'Content-Length': '0' }), /it is empty/],
  ['no content', answering(204, {}), /returned status 204/],
  ['a partial answer nobody asked for', answering(206, {}, '20.0.0.0/24'), /status 206/],
  ['"not modified" that nobody asked for', answering(304, {}), /status 304/],
  ['not found', answering(404, {}, 'no'), /status 404/],
  ['too many requests', answering(429, { 'Retry-After': '60' }), /status 429/],
  [
    'an answer that is cut by its length',
    raw('HTTP/1.1 200 OK', 'Content-Length: 500', '', '20.0.0.0/24'),
    /could not be fetched|cut short/,
  ],
  [
    'an answer that is cut between chunks',
    raw('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'c', '20.0.0.0/24', ''),
    /could not be fetched|cut short/,
  ],
  [
    'an answer without a length',
    raw('HTTP/1.1 200 OK', 'Connection: close', '', lines(networks)),
    /does not say how long it is/,
  ],
  ['a reset', (_, response) => response.socket?.resetAndDestroy(), /could not be fetched \(ECONNRESET\)/],
  [
    'an encoding that nobody asked for',
    answering(
      200,
      { 'Content-Encoding': 'gzip', 'Content-Length': '60' },
      gzipSync('20.0.0.0/24').subarray(0, 60),
    ),
    /an encoding that was not requested/,
  ],
  ['a redirect to itself', answering(302, { Location: '/list' }), /behind more than 5 redirects/],
  [
    'a redirect to plain http elsewhere',
    answering(301, { Location: 'http://lists.example.com/' }),
    /leads away from https/,
  ],
  ['a redirect to a file', answering(301, { Location: 'file:///etc/passwd' }), /leads away from https/],
  ['a redirect to nowhere', answering(301, {}), /behind more than 5 redirects|leads away from https/],
  ['half of the list', lines(networks.slice(0, 15)), /50 % fewer networks/],
  ['a terminal escape', lines([...networks, '\u001b[2Jx']), /\\u\{1b\}\[2Jx/],
];

test.each(failures)(
  'a publisher that answers with %s: refused, exit code 2, and the lock stays as it is',
  async (_, answer, reason) => {
    const { publisher, line } = await projectWithFeed();
    const before = [line.read(LOCK), line.read(DECLARATION)];
    publisher.publish('/list', answer);
    const { exitCode, stdout } = await line.run('feeds', 'update');
    expect(stdout).toMatch(reason);
    expect(exitCode).toBe(2);
    expect([line.read(LOCK), line.read(DECLARATION)]).toEqual(before);
  },
);

test('add: a document that is refused is not declared', async () => {
  const publisher = await PublisherServer.start();
  const line = project();
  const url = publisher.publish('/list', page);
  const { exitCode, stdout } = await line.run('feeds', 'add', 'ours', '--url', url, '--format', 'text');
  expect({ exitCode, stdout }).toMatchObject(printed(2, /^ours: refused: it is an HTML or XML page/));
  expect(stdout).not.toContain('Commit');
  expect(() => line.read(DECLARATION)).toThrow('ENOENT');
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
  expect(await line.run('feeds', 'update')).toMatchObject(printed(2, 'there was no answer within 1 seconds'));
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
  expect(await line.run('feeds', 'update')).toMatchObject(printed(2, 'larger than 32 MiB'));
  expect(sentBytes).toBeLessThan(64 << 20);
});

test('a publisher that is down: exit code 2, and the other feeds are updated all the same', async () => {
  const { publisher, line } = await projectWithFeed();
  line.write('lists/partners.txt', lines(networks));
  await line.run('feeds', 'add', 'partners', '--file', 'lists/partners.txt', '--format', 'text');
  line.write(
    DECLARATION,
    line.read(DECLARATION).replace(/http:[^"]*/, `http://127.0.0.1:${await freePort()}/list`),
  );
  line.write('lists/partners.txt', lines(networks.slice(1)));
  expect(await line.run('feeds', 'update')).toMatchObject(
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
  expect((await line.run('feeds', 'update', '--accept', 'announced')).exitCode).toBe(3);
  for (const reason of [' ', 'two\nlines', 'a \u001b[2J'])
    expect((await line.run('feeds', 'update', 'ours', '--accept', reason)).exitCode).toBe(3);
  const { exitCode } = await line.run(
    'feeds',
    'update',
    'ours',
    '--accept',
    'announced on their status page',
  );
  expect(exitCode).toBe(0);
  expect(lockOf(line)['ours']).toMatchObject({
    accepted: 'announced on their status page',
    networks: { length: 10 },
  });
  // It lifts no other refusal.
  publisher.publish('/list', page);
  expect(await line.run('feeds', 'update', 'ours', '--accept', 'why not')).toMatchObject({ exitCode: 2 });
  publisher.publish('/list', lines(['20.0.0.0/6']));
  expect(await line.run('feeds', 'update', 'ours', '--accept', 'why not')).toMatchObject({ exitCode: 2 });
});

test('requests are conditional, and what a publisher says has not changed passes the checks once more', async () => {
  const { publisher, line } = await projectWithFeed();
  line.setEnvironment('XDG_CACHE_HOME', path.join(line.folder, '.cache'));
  publisher.publish('/list', (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"';
    response.writeHead(isKnown ? 304 : 200, { ETag: '"1"' }).end(isKnown ? '' : lines(networks.slice(1)));
  });
  expect((await line.run('feeds', 'update')).stdout).toMatch(/1 fewer/);
  expect((await line.run('feeds', 'update')).stdout).toMatch(/^ours: unchanged, 29 networks/);
  expect(publisher.headers.map((headers) => headers['if-none-match'])).toEqual([undefined, undefined, '"1"']);
});

test('a lock that an author has edited, digest and all, is put right even by "not modified"', async () => {
  const { publisher, line } = await projectWithFeed();
  line.setEnvironment('XDG_CACHE_HOME', path.join(line.folder, '.cache'));
  publisher.publish('/list', (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"';
    response.writeHead(isKnown ? 304 : 200, { ETag: '"1"' }).end(isKnown ? '' : lines(networks));
  });
  await line.run('feeds', 'update');
  const forged = [...networks.slice(1), '2a00:1450:99::/48'];
  const lock = JSON.parse(line.read(LOCK)) as { readonly feeds: { readonly ours: object } };
  const ours = { ...lock.feeds.ours, networks: forged, digest: digestOf(forged) };
  line.write(LOCK, JSON.stringify({ ...lock, feeds: { ours } }));
  expect(await line.run('feeds', 'verify')).toMatchObject({ exitCode: 0 });
  const { stdout } = await line.run('feeds', 'update');
  expect(stdout).toContain('  - 2a00:1450:99::/48\n');
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
});

test("within the publisher's minimum interval nothing is asked: one download an hour", async () => {
  const publisher = await PublisherServer.start();
  const line = project();
  line.setEnvironment('XDG_CACHE_HOME', path.join(line.folder, '.cache'));
  const clock = withClock(line);
  const [ipv4 = '', ipv6 = ''] = documentsOf['spamhaus-drop'](networks);
  const urls = ['--url', publisher.publish('/4', ipv4), '--url', publisher.publish('/6', ipv6)];
  const added = await line.run('feeds', 'add', 'drop', '--publisher', 'spamhaus-drop', ...urls);
  expect(added.stdout).toContain('(c) 2026 The publisher');
  clock.minutes = 59;
  await line.run('feeds', 'update');
  await line.run('feeds', 'add', 'twice', '--publisher', 'spamhaus-drop', ...urls);
  expect(publisher.requests).toBe(2);
  clock.minutes = 61;
  await line.run('feeds', 'update');
  expect(publisher.requests).toBe(4);
});

test('a document of which several feeds take their networks is fetched once a run', async () => {
  const publisher = await PublisherServer.start();
  const line = project();
  const [document = ''] = documentsOf.github(networks);
  const url = publisher.publish('/meta', document);
  for (const key of ['hooks', 'web'])
    await line.run('feeds', 'add', key, '--publisher', 'github', '--url', url, '--select', `keys=${key}`);
  expect(publisher.requests).toBe(2);
  await line.run('feeds', 'update');
  expect(publisher.requests).toBe(3);
});

test('no credentials are sent, whatever the settings hold', async () => {
  const { publisher, line } = await projectWithFeed();
  line.setEnvironment('EDGE_POLICY_API_KEY', 'canary-key');
  await line.run('feeds', 'update');
  expect(JSON.stringify(publisher.headers)).not.toMatch(/canary|authorization|cookie/i);
});

test('https: a certificate that nobody trusts is refused, and a proxy is used where one is set', async () => {
  const { key, cert } = createSelfSigned();
  const secure = await PublisherServer.start({ tls: { key, cert } });
  const line = project();
  const url = secure.publish('/list', lines(networks));
  const untrusted = await line.run('feeds', 'add', 'secure', '--url', url, '--format', 'text');
  expect(untrusted).toMatchObject(printed(2, /DEPTH_ZERO_SELF_SIGNED_CERT/));
  const proxy = await startConnectProxy();
  line.setEnvironment('EDGE_POLICY_PROXY', proxy.url);
  await line.run('feeds', 'add', 'secure', '--url', url, '--format', 'text');
  expect(proxy.tunnels).toEqual([new URL(url).host]);
  expect(secure.requests).toBe(0);
  // What cannot be a proxy is not passed over.
  line.setEnvironment('EDGE_POLICY_PROXY', 'proxy:3128');
  const wrong = await line.run('feeds', 'add', 'secure', '--url', url, '--format', 'text');
  expect(wrong).toMatchObject(noted(3, 'EDGE_POLICY_PROXY'));
});

test('https: a redirect to plain http is not followed, not even on this machine', async () => {
  const { key, cert } = createSelfSigned();
  trust(cert, 'test');
  const secure = await PublisherServer.start({ tls: { key, cert } });
  const plain = await PublisherServer.start();
  const Location = plain.publish('/list', lines(networks));
  const url = secure.publish('/list', answering(302, { Location }));
  const added = await project().run('feeds', 'add', 'secure', '--url', url, '--format', 'text');
  expect(added).toMatchObject(printed(2, /behind a redirect that leads away from https/));
  expect([secure.requests, plain.requests]).toEqual([1, 0]);
});

test('a file that leads out of the folder is not read', async () => {
  const line = project();
  symlinkSync('/etc/hostname', path.join(line.folder, 'list.txt'));
  const { exitCode, stdout } = await line.run(
    'feeds',
    'add',
    'host',
    '--file',
    'list.txt',
    '--format',
    'text',
  );
  expect({ exitCode, stdout }).toMatchObject(printed(2, 'leads out of the folder'));
});

test('verify: names everything that keeps the lock from being used, without the network', async () => {
  const { publisher, line } = await projectWithFeed();
  const clock = withClock(line);
  clock.minutes = 31 * 24 * 60;
  const stale = await line.run('feeds', 'verify');
  expect(stale).toMatchObject(
    printed(1, /"ours" was last checked 3[01] days ago, and its "maxAgeDays" is 30/),
  );
  expect((await line.run('feeds', 'list')).stdout).toContain('(too long ago)');
  line.write(LOCK, line.read(LOCK).replace('20.0.0.0/22', '20.0.0.0/24').replace('"ours"', '"old"'));
  const broken = await line.run('feeds', 'verify');
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toMatch(/lacks the feed "ours"[^]*holds "old", which is not declared/);
  expect(publisher.requests).toBe(1);
});

test('verify: names a feed that is locked twice, of which a person reads the first and a program the last', async () => {
  const { line } = await projectWithFeed();
  const { ours } = (JSON.parse(line.read(LOCK)) as { readonly feeds: { readonly ours: object } }).feeds;
  const forged = { ...ours, networks: ['20.66.0.0/16'], digest: digestOf(['20.66.0.0/16']) };
  line.write(LOCK, `{"version":1,"feeds":{"ours":${JSON.stringify(ours)},"ours":${JSON.stringify(forged)}}}`);
  expect(await line.run('feeds', 'verify')).toMatchObject(
    printed(
      1,
      /lock\.json repeats a key \(parsers disagree on which one counts\) at line 1, column \d+\.\n$/,
    ),
  );
});

test('a lock that is none is never replaced, as that would lift the bounds', async () => {
  const { line } = await projectWithFeed();
  for (const text of ['<<<<<<< HEAD', '{"version":1,', '{}']) {
    line.write(LOCK, text);
    const { exitCode, stderr } = await line.run('feeds', 'update');
    expect({ exitCode, stderr }).toMatchObject(noted(3, 'take it from the last good commit'));
    expect(line.read(LOCK)).toBe(text);
  }
});

/** Merges two versions of a lock as git does, in the styles that it has. */
const merged = (
  line: CommandLine,
  base: string,
  [ours, theirs]: readonly [string, string],
  style: string,
) => {
  for (const [name, text] of Object.entries({ ours, base, theirs })) line.write(`.merge/${name}`, text);
  const files = ['ours', 'base', 'theirs'].map((name) => path.join(line.folder, '.merge', name));
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...style.split(' '), ...files]);
  expect(status).toBeGreaterThan(0);
  line.write(LOCK, stdout.toString());
  return stdout.toString();
};

describe('a lock in which a merge has left a conflict', () => {
  const more = (count: number): string[] => networksOf({ networks: 30 + count, aggregated: 30 + count });

  /** Both sides have updated the feed. */
  const conflict = async (style: string) => {
    const { publisher, line } = await projectWithFeed();
    const base = line.read(LOCK);
    const sides: string[] = [];
    for (const list of [more(4), networks.slice(2)]) {
      line.write(LOCK, base);
      publisher.publish('/list', lines(list));
      expect((await line.run('feeds', 'update')).exitCode).toBe(0);
      sides.push(line.read(LOCK));
    }
    const [ours = '', theirs = ''] = sides;
    return { publisher, line, text: merged(line, base, [ours, theirs], style) };
  };

  test.each(['--diff3', '--quiet'])(
    'is resolved by an update that keeps to the bounds of both sides (%s)',
    async (style) => {
      const { publisher, line, text } = await conflict(style);
      expect((await line.run('feeds', 'verify')).stderr).toContain(
        'run "npx pulumi-edge-policy-cli feeds update"',
      );
      publisher.publish('/list', lines(networksOf({ networks: 260, aggregated: 260 })));
      const refused = await line.run('feeds', 'update');
      expect(refused).toMatchObject(
        printed(2, /^ours: refused: .* times as many[^]*keeps its conflict markers/),
      );
      expect(line.read(LOCK)).toBe(text);
      publisher.publish('/list', lines(more(2)));
      const { exitCode, stdout } = await line.run('feeds', 'update');
      expect({ exitCode, stdout }).toMatchObject(printed(0, 'was written: commit it'));
      expect(lockOf(line)['ours']?.networks).toEqual(more(2));
      expect((await line.run('feeds', 'verify')).exitCode).toBe(0);
    },
  );

  test('takes what one side has accepted, and stays in conflict while a feed of it is not updated', async () => {
    const { publisher, line } = await projectWithFeed();
    const base = line.read(LOCK);
    publisher.publish('/list', lines(networks.slice(0, -1)));
    await line.run('feeds', 'update');
    const ours = line.read(LOCK);
    line.write(LOCK, base);
    publisher.publish('/list', lines(networks.slice(0, 5)));
    await line.run('feeds', 'update', 'ours', '--accept', 'announced');
    const text = merged(line, base, [ours, line.read(LOCK)], '--diff3');
    line.write('list.txt', lines(networks));
    const added = await line.run('feeds', 'add', 'other', '--file', 'list.txt', '--format', 'text');
    expect(added).toMatchObject(noted(3, 'conflict'));
    expect(line.read(LOCK)).toBe(text);
    expect(await line.run('feeds', 'update')).toMatchObject({ exitCode: 0 });
    expect(lockOf(line)['ours']).toMatchObject({ accepted: 'announced', networks: { length: 5 } });
  });

  test('has every feed that a side has added and that is declared', async () => {
    const { line } = await projectWithFeed();
    const [base, declared] = [line.read(LOCK), line.read(DECLARATION)];
    line.write('list.txt', lines(networks));
    const sides: string[] = [];
    for (const name of ['first', 'gone']) {
      line.write(LOCK, base);
      line.write(DECLARATION, declared);
      await line.run('feeds', 'add', name, '--file', 'list.txt', '--format', 'text');
      sides.push(line.read(LOCK));
    }
    const file = { file: 'list.txt', format: 'text' };
    const { feeds } = JSON.parse(declared) as { readonly feeds: object };
    line.write(DECLARATION, JSON.stringify({ feeds: { ...feeds, first: file } }));
    merged(line, base, [sides[0] ?? '', sides[1] ?? ''], '--diff3');
    const { stdout } = await line.run('feeds', 'update', 'first');
    expect(stdout).toContain('gone: no longer declared, and dropped from the lock');
    expect(Object.keys(lockOf(line))).toEqual(['first', 'ours']);
  });
});

test('a refusal by the bounds shows the difference, the largest networks first, and how to accept it; diff shows it, too', async () => {
  const { publisher, line } = await projectWithFeed();
  const many = ['30.0.0.0/28', '31.0.0.0/10', '2a00:1450::/29'];
  publisher.publish('/list', lines([...many, ...networksOf({ networks: 90, aggregated: 90 }).slice(3)]));
  const difference = /63 networks more, 3 fewer \(.*\)\n {2}\+ 2a00:1450::\/29\n {2}\+ 31\.0\.0\.0\/10\n/;
  const refused = await line.run('feeds', 'update');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toMatch(difference);
  expect(refused.stdout).toMatch(/ {2}\+ and \d+ smaller ones: --json shows all\n/);
  expect(refused.stdout).toContain(
    'If intended: npx pulumi-edge-policy-cli feeds update ours --accept "REASON"\n',
  );
  const plain = JSON.parse((await line.run('feeds', 'update', '--json')).stdout) as object;
  expect(plain).toMatchObject({
    feeds: [{ kind: 'refused', added: { length: 63 }, removed: { length: 3 } }],
  });
  const shown = await line.run('feeds', 'diff', 'ours');
  expect(shown.exitCode).toBe(1);
  expect(shown.stdout).toMatch(difference);
  expect(shown.stdout).toContain('beyond the bounds: it has 3 times as many networks');
  expect(shown.stdout).not.toContain('refused');
  expect(lockOf(line)['ours']?.networks).toEqual(networks);
});

test('remove: takes a feed out of both files, and leaves the others as they are', async () => {
  const { line } = await projectWithFeed();
  const before = [line.read(DECLARATION), line.read(LOCK)];
  line.write('list.txt', lines(networks));
  await line.run('feeds', 'add', 'other', '--file', 'list.txt', '--format', 'text');
  expect(await line.run('feeds', 'remove', 'other')).toMatchObject({ exitCode: 0 });
  expect([line.read(DECLARATION), line.read(LOCK)]).toEqual(before);
});

test('update: what is no longer declared leaves the lock, and that is said', async () => {
  const { line } = await projectWithFeed();
  line.write(DECLARATION, '{"feeds":{}}');
  const said = { stdout: expect.stringMatching(/^ours: no longer declared/) as string };
  expect(await line.run('feeds', 'diff')).toMatchObject({ exitCode: 1, ...said });
  expect(await line.run('feeds', 'update')).toMatchObject({ exitCode: 0, ...said });
  expect(lockOf(line)).toEqual({});
});

test.each<[string, string[], RegExp]>([
  [
    'a name that is taken',
    ['add', 'ours', '--url', 'https://lists.example.com/', '--format', 'text'],
    /"ours" is already declared/,
  ],
  ['an unknown publisher', ['add', 'acme'], /"acme" is not a known publisher \(aws, /],
  ['a name that is none', ['add', 'A_B'], /the name of a feed consists of lower-case letters/],
  [
    'a selection that is none',
    ['add', 'aws', '--select', 'colour=red'],
    /the dimensions are keys, services, regions, tags/,
  ],
  ['a declaration that does not fit', ['add', 'github'], /needs "select.keys"/],
  ['an unknown feed', ['update', 'other'], /There is no feed "other"/],
  ['a feed that cannot be removed', ['remove', 'other'], /There is no feed "other"/],
])('wrong usage: %s is exit code 3', async (_, args, said) => {
  const { line } = await projectWithFeed();
  const { exitCode, stderr } = await line.run('feeds', ...args);
  expect(stderr).toMatch(said);
  expect(exitCode).toBe(3);
});

test('outside a project nothing is written', async () => {
  const line = new CommandLine();
  expect(await line.run('feeds', 'add', 'aws')).toMatchObject(noted(3, 'There is no Pulumi project'));
  expect(await line.run('feeds', 'verify')).toMatchObject(noted(3, 'add a feed with'));
});
