// Addresses of DNS names, resolved through two name servers on this machine.
import { systemClock } from '../../../provider/src/api/clock';
import { CommandLine, printed } from '../../support/command-line';
import { type DnsAnswer, startDns, type Zone } from '../../support/dns-server';

jest.setTimeout(60_000);

const LOCK = 'edge-policy.feeds.lock.json';
const NAME = 'gw.lisbon.example.net';

const gives =
  (...addresses: string[]): Zone =>
  ({ family }) => ({ addresses: addresses.filter((address) => address.includes(':') === (family === 6)) });

const [ONE, TWO, SIX] = ['11.0.0.7', '11.0.0.9', '2a00::7'];

/** One resolver for the system, one for the file. */
async function projectWith(system: Zone, declared: Zone, feed: object = {}) {
  const [own, other] = [await startDns(system), await startDns(declared)];
  const line = new CommandLine();
  line.engine = { nameServers: [own.address] };
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  const declare = (more: object): void => {
    const feeds = { lisbon: { names: [NAME], mostAddresses: 4, ...more } };
    line.write('edge-policy.feeds.json', JSON.stringify({ resolver: other.address, feeds }));
  };
  declare(feed);
  return { line, declare, servers: [own, other] as const, update: () => line.run('feeds', 'update') };
}

const networksIn = (line: CommandLine): readonly string[] => {
  const { feeds } = JSON.parse(line.read(LOCK)) as {
    readonly feeds: Readonly<Record<string, { readonly networks: readonly string[] }>>;
  };
  return feeds['lisbon']?.networks ?? [];
};

test('a name is pinned as single addresses of both families, after two questions to each resolver', async () => {
  const zone = gives(ONE, TWO, SIX);
  const { line, update, servers } = await projectWith(zone, zone);
  expect(await update()).toMatchObject({ exitCode: 0, stderr: '' });
  expect(networksIn(line)).toEqual([`${ONE}/32`, `${TWO}/32`, `${SIX}/128`]);
  expect(JSON.parse(line.read(LOCK))).toMatchObject({ version: 2 });
  const asked = [`${NAME} A`, `${NAME} AAAA`, `${NAME} A`, `${NAME} AAAA`];
  expect(servers.map(({ questions }) => questions)).toEqual([asked, asked]);
});

test('the lock changes with the addresses only, however old it is, and has no bounds on steps', async () => {
  let addresses = [ONE, TWO];
  const zone: Zone = (question) => gives(...addresses)(question);
  const { line, update } = await projectWith(zone, zone);
  await update();
  const before = line.read(LOCK);
  line.engine = { ...line.engine, clock: { ...systemClock, epochMs: () => Date.now() + 400 * 86_400_000 } };
  expect((await update()).stdout).toMatch(/^lisbon: unchanged, 2 networks/);
  expect(line.read(LOCK)).toBe(before);
  addresses = [SIX];
  expect((await update()).stdout).toContain('1 network more, 2 fewer');
  expect(networksIn(line)).toEqual([`${SIX}/128`]);
});

const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `11.0.${Math.floor(index / 200)}.${(index % 200) + 1}`);
const answers =
  (answer: DnsAnswer): Zone =>
  (question) => ({ ...gives(ONE)(question), ...answer });
const onlyA =
  (forSix: DnsAnswer | undefined): Zone =>
  (question) =>
    question.family === 6 ? forSix : gives(ONE)(question);
const good = gives(ONE);
const inTurns =
  (...rounds: readonly (readonly string[])[]): Zone =>
  (question) =>
    gives(...(rounds[question.nth % rounds.length] ?? []))(question);

type Hostile = readonly [string, system: Zone, declared: Zone, RegExp | undefined];

/** What both resolvers answer. */
const by = (name: string, zone: Zone, refused: RegExp): Hostile[] => [[name, zone, zone, refused]];

const cut: Zone = (each) => ({ ...gives(...many(300))(each), isTruncated: true });

/** Each with what must be said of it; undefined if it is taken. */
const HOSTILE: readonly Hostile[] = [
  ['split horizon: another address by the other resolver', gives(ONE), gives(TWO), /differ: 11\.0\.0\.7\/32/],
  ['one resolver adds an address', gives(ONE), gives(ONE, '66.6.6.6'), /differ/],
  ['one resolver adds an IPv6 address', gives(ONE), gives(ONE, '2a00::666'), /differ/],
  ['one resolver says that there is no such name', good, answers({ addresses: [], rcode: 3 }), /NXDOMAIN/],
  ['no such name', answers({ addresses: [], rcode: 3 }), good, /NXDOMAIN.*correct the name/],
  ['one resolver has no address', good, gives(), /differ: 11\.0\.0\.7\/32 .* none by 127/],
  ...by('a name that rotates', inTurns([ONE], [TWO]), /differ.*do not pin a name that rotates/),
  ...by('rebinding: private ones alone', gives('192.168.0.1'), /special-purpose addresses.*public internet/),
  ...by('this machine', gives('127.0.0.1'), /127\.0\.0\.1\/32 holds special-purpose/),
  ...by('a private address of IPv6', gives('fd00::1'), /special-purpose/),
  ...by('an address of IPv4 in one of IPv6', gives('::ffff:b00:7'), /cannot be used/),
  ...by('a translated address', gives('64:ff9b::b00:7'), /special-purpose/),
  ...by('a 6to4 address', gives('2002:b00:7::1'), /special-purpose/),
  ...by('a public address beside a private one', gives(ONE, '10.0.0.7'), /10\.0\.0\.7\/32 holds special/),
  ...by('one address too many', gives(...many(5)), /5 addresses, and "mostAddresses" allows 4/),
  ['no address', gives(), gives(), /has no address: correct the name, or remove it/],
  ['SERVFAIL of one family', onlyA({ rcode: 2 }), onlyA({ rcode: 2 }), /SERVFAIL.*locked addresses stay/],
  ['the same at the second resolver', good, onlyA({ rcode: 2 }), /127\.0\.0\.1:\d+ failed: SERVFAIL/],
  ['a question that is refused', answers({ addresses: [], rcode: 5 }), good, /refused the question/],
  ['no answer for one family', onlyA(undefined), good, /did not answer in time/],
  ['an answer cut short over UDP', answers({ isTruncated: true }), good, undefined],
  ['300 addresses, cut short over UDP', cut, good, /differ/],
  ['the same addresses in another order', gives(ONE, TWO), gives(TWO, ONE), undefined],
  ['an address twice', gives(ONE, ONE), gives(ONE), undefined],
];

test.each(HOSTILE)('%s', async (_, system, declared, refused) => {
  let [one, other] = [gives('11.9.9.9'), gives('11.9.9.9')];
  const { line, update } = await projectWith(
    (question) => one(question),
    (question) => other(question),
  );
  await update();
  expect(networksIn(line)).toEqual(['11.9.9.9/32']);
  [one, other] = [system, declared];
  line.setEnvironment('EDGE_POLICY_REQUEST_TIMEOUT_SECONDS', '1');
  const before = line.read(LOCK);
  const result = await update();
  if (refused === undefined) {
    expect(result).toMatchObject({ exitCode: 0 });
    expect(networksIn(line)).toContain(`${ONE}/32`);
  } else {
    expect(result).toMatchObject(printed(2, refused));
    expect(line.read(LOCK)).toBe(before);
  }
});

test('a resolver that the system asks as well is no second one', async () => {
  const { line, declare, update, servers } = await projectWith(good, good);
  declare({ resolver: servers[0].address });
  expect((await update()).stdout).toMatch(
    /the system asks 127\.0\.0\.1:\d+ as well: declare another "resolver"/,
  );
  expect(servers.map(({ questions }) => questions)).toEqual([[], []]);
  line.engine = { nameServers: servers.map(({ address }) => address) };
  declare({});
  expect(await update()).toMatchObject({ exitCode: 0 });
});

test('--accept does not lift the number of addresses', async () => {
  const zone = gives(...many(5));
  const { line } = await projectWith(zone, zone);
  const result = await line.run('feeds', 'update', 'lisbon', '--accept', 'moved');
  expect(result).toMatchObject(printed(2, 'allows 4'));
});
