// How access logs are read: formats, gzip, several files, what cannot be read, and logs that a change could have written.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../provider/src/api/clock';
import { requireOutsideChange } from '../../../cli/src/traffic/change-tree';
import { ClientCounter } from '../../../cli/src/traffic/client-counter';
import { LineCounter } from '../../../cli/src/traffic/line-counter';
import { readLogs, type TrafficReading, unpacked } from '../../../cli/src/traffic/read-traffic';
import { trafficOption, type TrafficSource } from '../../../cli/src/traffic/traffic-options';
import type { TrafficLog } from '../../../review/src';
import { plain } from '../../../review/src/text/escape';
import { problemsOf } from '../../../review/src/traffic/replay';
import { FROM_SOURCES } from '../../support/command-line';
import { folderOf } from '../../support/folder';
import { previewText, removed } from '../review/preview-builder';
import { rule } from '../review/inputs';

let folder = '';
beforeEach(() => (folder = folderOf()));

const readAll = (sources: readonly TrafficSource[], more: Partial<TrafficReading> = {}) =>
  readLogs({ traffic: sources, cwd: folder, context: { clock: systemClock }, ...more });

/** Reads one file with this content. */
async function read(content: string | Buffer, more: Partial<TrafficReading> = {}): Promise<TrafficLog> {
  writeFileSync(path.join(folder, 'access.log'), content);
  const [log] = await readAll([{ file: 'access.log' }], more);
  if (!log) throw new Error('there is no log');
  return log;
}

/** The clients in words: address, user agent, requests, last seen. */
const clientsOf = ({ clients: { networks, agents, agentOf, requests, lastSeenMs } }: TrafficLog) =>
  networks.map((network, at) => [
    network,
    agents[agentOf[at] ?? -1],
    requests[at],
    (lastSeenMs[at] ?? -1) < 0 ? '' : new Date(lastSeenMs[at] ?? 0).toISOString().slice(0, 19),
  ]);

const COMBINED =
  '192.0.2.7 - frank [14/Jun/2026:08:00:00 -0700] "GET /a?b=\\"c\\" HTTP/1.1" 200 12 "-" "curl/8"';
const AT = '2026-06-14T15:00:00';

describe('formats, each known by its lines', () => {
  /** A client: its user agent, its last request, its address and its requests. */
  const by = (agent: unknown, at = AT, address = '192.0.2.7/32', requests = 1) => [
    ...[address, agent, requests, at],
  ];
  const SIX = '2001:db8::7/128';
  const odd = '"time":"2026-06-14 08:00:00.5-0700"';
  const balanced = (client: string, target = '10.0.0.1:80 0.000 0.001 0.000 200 200') =>
    `h2 2026-06-14T15:00:00.186641Z app/lb/50dc ${client} ${target} 34 366 "GET https://a.example/ HTTP/2.0" "curl/8" ECDHE TLSv1.2`;
  const ESCAPED = COMBINED.replace('curl/8', 'a \\"b\\" \\x22c\\xC3\\xA9');
  const CADDY =
    '{"ts":1781449200.5,"request":{"remote_ip":"10.0.0.1","client_ip":"192.0.2.7","headers":{"User-Agent":["curl/8"]}}}';
  const ENVOY =
    '{"downstream_remote_address":"[2001:db8::7]:5000","user_agent":"curl/8","start_time":"2026-06-14T15:00:00Z"}';
  const CLOUDFRONT =
    '#Version: 1.0\n#Fields: date time x-edge-location c-ip cs(User-Agent)\n2026-06-14\t15:00:00\tFRA2\t192.0.2.7\tmy%20agent';
  const CLOUDFRONT_JSON =
    '{"date":"2026-06-14","time":"15:00:00","c-ip":"192.0.2.7","cs(User-Agent)":"my%20agent"}';
  /** A line of nginx in JSON, with more members. */
  const nginx = (more: string) => `{"remote_addr":"192.0.2.7",${more}}`;
  const curl = '"http_user_agent":"curl/8"';

  test.each<[string, string, unknown[]?]>([
    ['Combined Log Format', COMBINED],
    ['with more behind it', `${COMBINED} 0.004 "10.0.0.1:80"`],
    ['without the header', COMBINED.replace('curl/8', '-'), by(null)],
    ['with an empty header', COMBINED.replace('curl/8', ''), by(null)],
    ['a user whose name is none of an address', COMBINED.replace('frank', 'cafe.fe')],
    ['a tab, as Apache writes it', COMBINED.replace('curl/8', 'curl\\t8'), by('curl\t8')],
    ['escaped quotes', ESCAPED, by('a "b" "c\u00e9')],
    ['Common Log Format', COMBINED.slice(0, COMBINED.indexOf(' "-"')), by(undefined)],
    ['IPv6', COMBINED.replace('192.0.2.7', '2001:DB8:0::7'), by('curl/8', AT, SIX)],
    ['IPv4 on a socket of both families', COMBINED.replace('192.0.2.7', '::ffff:192.0.2.7')],
    ['nginx, JSON', nginx(`${curl},"time_iso8601":"2026-06-14T08:00:00-07:00"`)],
    ['nginx, JSON, without the header', nginx('"http_user_agent":""'), by(null, '')],
    ['Caddy', CADDY],
    ['Caddy, without the header', '{"request":{"remote_ip":"192.0.2.7","headers":{}}}', by(null, '')],
    ['Envoy', ENVOY, by('curl/8', AT, SIX)],
    ['AWS load balancer', balanced('192.0.2.7:2817')],
    [
      'the same, IPv6 with a port that could be a part',
      balanced('2001:db8::7:2817', '- -1 -1 -1 403 -'),
      by('curl/8', AT, SIX),
    ],
    ['an agent in parts is not absent', nginx('"user_agent":{"original":"curl/8"}'), by(undefined, '')],
    [
      'AWS load balancer, JSON',
      '{"client_ip":"192.0.2.7","user_agent":"curl/8","time":"2026-06-14T15:00:00Z"}',
    ],
    ['CloudFront, JSON', CLOUDFRONT_JSON, by('my agent')],
    ['CloudFront', CLOUDFRONT, by('my agent')],
    ['a time that is none', COMBINED.replace(/\[.*\]/, '[notatime]'), by('curl/8', '')],
    ['a time without a zone, in JSON', nginx(`${curl},"time":"2026-06-14T15:00:00"`), by('curl/8', '')],
    ['a zone without a colon', nginx(`${curl},${odd}`)],
    ['an address', '192.0.2.7', by(undefined, '')],
    ['an address and a count', '192.0.2.7 12', by(undefined, '', '192.0.2.7/32', 12)],
    ['uniq -c', '     12 192.0.2.7', by(undefined, '', '192.0.2.7/32', 12)],
  ])('%s', async (_format, line, client = by('curl/8')) => {
    for (const end of ['\n', '\r\n\r\n', '\r\r'])
      expect(clientsOf(await read(`${line}${end}`))).toEqual([client]);
  });

  test.each([
    ['seconds', '1781449200'],
    ['seconds with a fraction', '1781449200.25'],
    ['milliseconds', '1781449200000'],
    ['microseconds', '1781449200000000'],
    ['nanoseconds', '1781449200000000000'],
    ['a number that is no time', '99999999999999999999999', ''],
    ['an endless number', '9'.repeat(400), ''],
  ])('a time in %s', async (_unit, time, seen = AT) => {
    for (const value of [time, `"${time}"`])
      expect(clientsOf(await read(`{"remote_addr":"192.0.2.7","ts":${value}}`))).toEqual([
        ['192.0.2.7/32', undefined, 1, seen],
      ]);
  });

  test('of two columns with addresses, none is taken for the client until its number is given', async () => {
    const lines = [
      COMBINED.replace('192.0.2.7', '203.0.113.1 192.0.2.7'),
      COMBINED.replace('192.0.2.7', '203.0.113.1:443 192.0.2.7'),
      COMBINED.replace('192.0.2.7 -', '2001:db8::1 192.0.2.7'),
      COMBINED.replace('frank', '203.0.113.1'),
      COMBINED.replace('- frank', '- - 203.0.113.1'),
      COMBINED.replace('frank', 'client=203.0.113.1'),
      COMBINED.replace('frank', '"203.0.113.1"'),
      COMBINED.replace('frank', 'relay: 203.0.113.1:'),
      COMBINED.replace('frank', '[2001:db8::1]:443'),
      COMBINED.replace('- frank', '- - [2001:db8::1]:443'),
      COMBINED.replace('frank', '-').replace('] "', '] 203.0.113.1 "'),
    ];
    const log = await read(lines.join('\n'));
    expect(log.files[0]).toMatchObject({ lines: 11, unreadable: 11, ambiguous: 11 });
    const fields = { address: '2' };
    const json = '{"remote_addr":"192.0.2.7"}';
    const second = await read([...lines.slice(0, 3), json].join('\n'), { trafficFields: fields });
    expect(clientsOf(second)).toEqual([
      ['192.0.2.7/32', 'curl/8', 3, AT],
      ['192.0.2.7/32', undefined, 1, ''],
    ]);
    expect(second.files[0]).not.toHaveProperty('ambiguous');
  });

  test('names of the members of JSON lines, also within others', async () => {
    const fields = { address: 'client.ip', agent: 'ua', time: 'at', count: 'n' };
    const line =
      '{"client":{"ip":"192.0.2.7"},"ua":"curl/8","at":1781449200000,"n":7,"remote_addr":"10.0.0.1"}';
    expect(clientsOf(await read(line, { trafficFields: fields }))).toEqual([
      ['192.0.2.7/32', 'curl/8', 7, AT],
    ]);
  });
});

test('a client is counted once, in whatever spelling and format, with the last time', async () => {
  const later = COMBINED.replace('08:00:00', '09:30:00');
  const json = '{"remote_addr":"::FFFF:192.0.2.7","http_user_agent":"curl/8"}';
  const log = await read([later, COMBINED, json, COMBINED.replace('curl/8', 'Wget')].join('\n'));
  expect(clientsOf(log)).toEqual([
    ['192.0.2.7/32', 'curl/8', 3, '2026-06-14T16:30:00'],
    ['192.0.2.7/32', 'Wget', 1, AT],
  ]);
});

test('what cannot be read is counted, with the number of the first such line; comments and empty lines are no requests', async () => {
  const lines = [
    '# a comment',
    '',
    COMBINED,
    '- - - [x] "GET /" 200',
    '{"remote_addr":1}',
    '{',
    'host.example.com',
    '192.0.2.0/24',
  ];
  const log = await read(lines.join('\n'));
  expect(log.files).toEqual([{ name: 'access.log', lines: 6, unreadable: 5, firstUnreadable: 4 }]);
});

test('a line without an end in sight is one line that cannot be read, and is not kept', async () => {
  const log = await read(`${COMBINED}\n${'x'.repeat(3_000_000)}\n${COMBINED}\n${'y'.repeat(700_000)}`);
  expect(log.files).toEqual([{ name: 'access.log', lines: 4, unreadable: 2, firstUnreadable: 2 }]);
  expect(clientsOf(log)).toEqual([['192.0.2.7/32', 'curl/8', 2, AT]]);
});

test('gzip is recognised, also of several members; a file that ends too early is refused', async () => {
  const [one, two] = [`${COMBINED}\n`, `${COMBINED}\n${COMBINED}\n`].map((text) => gzipSync(text));
  const both = Buffer.concat([one ?? Buffer.of(), two ?? Buffer.of()]);
  expect(clientsOf(await read(both))).toEqual([['192.0.2.7/32', 'curl/8', 3, AT]]);
  await expect(read(both.subarray(0, both.length - 12))).rejects.toThrow(
    /^access\.log cannot be read: .*unexpected end of file/,
  );
  await expect(readAll([{ file: 'none.log' }])).rejects.toThrow('none.log cannot be read');
});

test.each([
  ['the 31st of February', COMBINED.replace('14/Jun', '31/Feb')],
  ['a leap second', COMBINED.replace('08:00:00', '23:59:60')],
  ['no month', COMBINED.replace('Jun', 'Jux')],
  ['an hour too many', COMBINED.replace('08:00:00', '24:00:00')],
  ['no day of an RFC 3339 time', '{"remote_addr":"192.0.2.7","time":"2026-02-29T08:00:00Z"}'],
])('a line whose time is %s is not read', async (_what, line) => {
  const log = await read(`${line}\n${COMBINED}\n`);
  expect(log.files).toMatchObject([{ lines: 2, unreadable: 1, firstUnreadable: 1 }]);
  expect(clientsOf(log)).toEqual([['192.0.2.7/32', 'curl/8', 1, AT]]);
});

test.each(['192.0.2.7 3\n', `${COMBINED}\n`, '{"remote_addr":"192.0.2.7"}\n'])(
  'a byte order mark before %j is none of it',
  async (text) => {
    const log = await read(`\ufeff${text}`);
    expect(log.files).toMatchObject([{ lines: 1, unreadable: 0 }]);
    expect(log.clients.networks).toEqual(['192.0.2.7/32']);
  },
);

test('text behind gzip is not read, which is a problem of the log and not an error', async () => {
  const log = await read(Buffer.concat([gzipSync(`${COMBINED}\n`), Buffer.from(`${COMBINED}\n`)]));
  expect(problemsOf(log, 'policy').map(plain)).toContain(
    '"access.log" is read up to byte 0 only: what follows is in another form',
  );
});

describe('a log that is in one form up to a byte only', () => {
  const member = gzipSync(`${COMBINED}\n`);
  const zeros = Buffer.alloc(2_000_000);
  const much = `${COMBINED}\n`.repeat(9_000);

  test.each([
    ['zeros to the end are padding', [member, member, zeros], 2, undefined],
    ['a member behind zeros', [member, zeros, member], 1, member.length],
    ['a byte behind zeros', [member, zeros, Buffer.from('x')], 1, member.length],
    ['gzip behind text', [Buffer.from(`${COMBINED}\n`), member], 1, COMBINED.length + 1],
    ['gzip behind much text', [Buffer.from(much), member], 9_000, much.length],
  ])('%s', async (_what, parts, requests, unreadFrom) => {
    const log = await read(Buffer.concat(parts));
    expect(log.clients.requests).toEqual([requests]);
    expect(log.files[0]?.unreadFrom).toBe(unreadFrom);
    const upTo = `"access.log" is read up to byte ${unreadFrom?.toLocaleString('en')} only: what follows is in another form`;
    expect(problemsOf(log, 'policy').map(plain)).toEqual(unreadFrom === undefined ? [] : [upTo]);
  });

  test.each([
    ['a member behind a zero', [member, Buffer.of(0), member], member.length],
    ['text before gzip', [Buffer.from(`${COMBINED}\n`), member], COMBINED.length + 1],
    ['gzip', [member, member], undefined],
  ])('%s, in parts of any length', async (_what, parts, unreadFrom) => {
    const whole = Buffer.concat(parts);
    for (const length of [1, 2, member.length, member.length + 1]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / length) }, (_, at) =>
        whole.subarray(at * length, (at + 1) * length),
      );
      const { content, unreadFrom: found } = await unpacked(Readable.from(chunks));
      const lines = new LineCounter(new ClientCounter());
      for await (const chunk of content) lines.add(chunk);
      lines.end();
      expect([lines.lines, lines.unreadable]).toEqual([unreadFrom === undefined ? 2 : 1, 0]);
      expect(await found()).toBe(unreadFrom);
    }
  });
});

test('files of one subject are counted together, those of others apart', async () => {
  const subject = { kind: 'policy', subject: 'ipp_1' } as const;
  for (const name of ['a.log', 'b.log', 'c.log']) writeFileSync(path.join(folder, name), `${COMBINED}\n`);
  const logs = await readAll([{ file: 'a.log', subject }, { file: 'b.log' }, { file: 'c.log', subject }]);
  expect(logs.map((log) => [log.subject?.subject, log.files.length, log.clients.requests])).toEqual([
    ['ipp_1', 2, [2]],
    [undefined, 1, [1]],
  ]);
});

test('beyond the most clients, requests are only counted', async () => {
  const lines = Array.from({ length: 10 }, (_, at) => `192.0.2.${at} 5`).concat('192.0.2.0 1', 'nothing');
  const log = await read(lines.join('\n'), { mostClients: 3 });
  expect(log.clients.requests).toEqual([6, 5, 5]);
  expect(log.requestsBeyond).toBe(35);
  expect(log.files[0]?.unreadable).toBe(1);
});

test('a log from a pipe', () => {
  writeFileSync(path.join(folder, 'preview.json'), previewText([removed('office', rule('192.0.2.0/24'))]));
  const { stdout } = spawnSync(
    process.execPath,
    [...FROM_SOURCES, 'explain', '--preview', 'preview.json', '--traffic', '-'],
    { cwd: folder, input: gzipSync(`${COMBINED}\n`.repeat(20_000)), encoding: 'utf8', env: {} },
  );
  expect(stdout).toContain('ipp_1  before  1 client (20,000 requests) let in');
  expect(stdout).toContain('192.0.2.7/32  curl/8  20,000 requests, last seen 2026-06-14T15:00:00Z');
});

describe('the option', () => {
  const parsed = (text: string): unknown => trafficOption().parseArg?.(text, []);

  test.each([
    ['access.log', { file: 'access.log' }],
    ['-', { file: '-' }],
    ['logs/a=b.log', { file: 'logs/a=b.log' }],
    ['2026-11-25T10:00.log', { file: '2026-11-25T10:00.log' }],
    ['C:\\logs\\a=b.log', { file: 'C:\\logs\\a=b.log' }],
    ['./policy:ipp_1=a.log', { file: './policy:ipp_1=a.log' }],
    ['policy:ipp_1=-', { file: '-', subject: { kind: 'policy', subject: 'ipp_1' } }],
    ['edge:edgtcp_1=a=b.log', { file: 'a=b.log', subject: { kind: 'tcp-edge', subject: 'edgtcp_1' } }],
    ['route:e_1/r_1=/var/a.log', { file: '/var/a.log', subject: { kind: 'route', subject: 'e_1/r_1' } }],
  ])('%s', (text, source) => {
    expect(parsed(text)).toEqual([source]);
  });

  const WRONG =
    'policy:ipp_1 policy:=a.log edge:edgtcp_1= route:e_1=a.log policy:e_1/r_1=a.log polcy:ipp_1=a.log';
  test.each(['', ...WRONG.split(' ')])('refuses %j, and says what is expected', (text) => {
    expect(() => parsed(text)).toThrow(
      'policy:ipp_…=FILE, edge:edgtcp_…=FILE or route:edghts_…/edghtsrt_…=FILE',
    );
  });
});

describe('a log of the change that it is to judge', () => {
  const repository = () => {
    const tree = path.join(folder, 'repository');
    mkdirSync(path.join(tree, 'infra'), { recursive: true });
    execFileSync('git', ['init', '-q', tree]);
    return path.join(tree, 'infra');
  };
  const REFUSED = /is in .*repository, the working tree of the change under review/;
  const check = (file: string, cwd: string, projectFolder: string | undefined) => () => {
    requireOutsideChange(file, { cwd, projectFolder });
  };

  test('is refused anywhere in the repository, by whatever path, and by links in or into it', () => {
    const cwd = repository();
    const elsewhere = folderOf({ 'real.log': '' });
    for (const name of ['infra/own.log', 'own.log']) writeFileSync(path.join(folder, 'repository', name), '');
    symlinkSync(path.join(elsewhere, 'real.log'), path.join(cwd, 'link.log'));
    symlinkSync(elsewhere, path.join(cwd, 'logs'));
    symlinkSync(path.join(cwd, 'own.log'), path.join(elsewhere, 'into.log'));
    symlinkSync(path.join(folder, 'repository'), path.join(folder, 'alias'));
    const into = path.join(elsewhere, 'into.log');
    const alias = path.join(folder, 'alias', 'infra', 'logs', 'real.log');
    for (const file of ['own.log', '../own.log', 'link.log', 'logs/real.log', into, alias])
      expect(check(file, cwd, cwd)).toThrow(REFUSED);
    expect(check(path.join(elsewhere, 'real.log'), cwd, cwd)).not.toThrow();
  });

  test('a repository within another is part of its tree', () => {
    const cwd = repository();
    execFileSync('git', ['init', '-q', cwd]);
    writeFileSync(path.join(cwd, '..', 'own.log'), '');
    expect(check('../own.log', cwd, cwd)).toThrow(REFUSED);
  });

  test('without a repository the tree is the folder of the project; a folder that is neither holds no change', () => {
    const cwd = folderOf({ 'own.log': '' });
    expect(check('own.log', cwd, cwd)).toThrow('the working tree of the change');
    expect(check('own.log', cwd, undefined)).not.toThrow();
  });
});
