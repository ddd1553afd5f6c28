import { getServers } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isUserError, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { refuseOddNetworks } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type Collected, inOrder } from './collect-networks';

interface Asked {
  /** The name servers of the system, which are this machine's unless given. */
  readonly system?: readonly string[] | undefined;
  readonly timeoutMs: number;
}

interface Resolving {
  readonly title: string;
  readonly servers: readonly string[];
}

/** The tries of one server, each of which may take so long. */
const TRIES = { tries: 2, timeout: 5000 };
const ROUNDS = 2;

/**
 * The addresses of the names of a feed. Two resolvers are asked twice each, and all four answers must be the same set: that catches
 * one liar and a name that rotates, never a hijacked name.
 *
 * @throws UserError that names the name, the resolver and what to do.
 */
export async function resolveNames(
  { source: { names = [], resolver = '' }, bounds }: FeedDeclaration,
  { system = getServers(), timeoutMs }: Asked,
): Promise<Collected> {
  const others = system.filter((server) => withPort(server) !== withPort(resolver));
  if (others.length === 0)
    throw new UserError(
      `the system asks ${resolver} as well: declare another "resolver", or one liar suffices`,
    );
  const resolvers = [
    { title: 'the resolver of the system', servers: others },
    { title: resolver, servers: [resolver] },
  ];
  const networks: Cidr[] = [];
  for (const name of names) networks.push(...(await agreedOn(name, resolvers, timeoutMs)));
  const all = inOrder(networks);
  refuseOddNetworks(all, bounds);
  return { networks: all };
}

function withPort(server: string): string {
  if (/^(?:\[.*\]|[^:]+):\d+$/.test(server)) return server;
  return server.includes(':') ? `[${server}]:53` : `${server}:53`;
}

/** The addresses of a name that every resolver gives in every round. */
async function agreedOn(name: string, resolvers: readonly Resolving[], timeoutMs: number): Promise<Cidr[]> {
  let first: { readonly title: string; readonly addresses: Cidr[] } | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { title, servers } of resolvers) {
      const addresses = await addressesOf(name, { title, servers }, timeoutMs);
      first ??= { title, addresses };
      if (inWords(first.addresses) === inWords(addresses)) continue;
      throw new UserError(
        `the answers for ${name} differ: ${shortly(first.addresses)} by ${first.title}, and ${shortly(addresses)} by ` +
          `${title}; try again later, and do not pin a name that rotates`,
      );
    }
  }
  const addresses = first?.addresses ?? [];
  if (addresses.length === 0)
    throw new UserError(`${name} has no address: correct the name, or remove it from the feed`);
  return addresses;
}

const inWords = (addresses: readonly Cidr[]): string => addresses.map(({ text }) => text).join(', ');

const shortly = (addresses: readonly Cidr[]): string =>
  addresses.length > 3
    ? `${inWords(addresses.slice(0, 3))} and ${addresses.length - 3} more`
    : inWords(addresses) || 'none';

/** The answer of one resolver for both families, which is asked anew: nothing is kept of the round before. */
async function addressesOf(name: string, from: Resolving, timeoutMs: number): Promise<Cidr[]> {
  const client = new Resolver(TRIES);
  client.setServers(from.servers);
  const timer = setTimeout(() => {
    client.cancel();
  }, timeoutMs);
  try {
    const answers = [
      ...(await orNone(client.resolve4(name))).map((address) => `${address}/32`),
      ...(await orNone(client.resolve6(name))).map((address) => `${address}/128`),
    ];
    return inOrder(answers.map((text) => addressIn(text, `${from.title} gave ${name}`)));
  } catch (error) {
    if (isUserError(error)) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new UserError(
      `${from.title} ${problemOf(code)} for ${name}; the locked addresses stay: ${remedyOf(code)}`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function addressIn(text: string, who: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed.ok) return parsed.cidr;
  throw new UserError(`${who} an address that cannot be used: ${parsed.reason}`);
}

/** A name without addresses of one family has those of the other. Any other failure may hide some. */
const orNone = (answer: Promise<string[]>): Promise<string[]> =>
  answer.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENODATA') return [];
    throw error;
  });

const problemOf = (code: string): string =>
  ({
    ENOTFOUND: 'knows no such name: NXDOMAIN',
    ESERVFAIL: 'failed: SERVFAIL',
    EREFUSED: 'refused the question',
    ETIMEOUT: 'did not answer in time',
    ECANCELLED: 'did not answer in time',
    ECONNREFUSED: 'could not be reached',
  })[code] ??
  `did not answer as a resolver does (${/^[A-Z0-9_]{1,30}$/.exec(code)?.[0] ?? 'no reason given'})`;

const remedyOf = (code: string): string =>
  code === 'ENOTFOUND' ? 'correct the name, or remove it from the feed' : 'run the command again later';
