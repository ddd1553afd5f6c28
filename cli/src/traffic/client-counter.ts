import { formatAddress, parseAddress } from 'pulumi-edge-policy/internal/values/address';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { LogClients } from 'pulumi-edge-policy-review';
import type { RequestLine } from './request-line';

/** So many clients are kept apart; whether the others are concerned is not known. */
const MOST_CLIENTS = 500_000;
/** So much text of user agents is kept: these may be long. */
const MOST_TEXT = 256 * 1024 * 1024;

interface Agent {
  readonly place: number;
  /** The places of its clients, by their addresses as the log writes them. */
  readonly byAddress: Map<string, number>;
}

/** Counts the requests of each client: an address with a user agent. */
export class ClientCounter {
  private readonly networks: string[] = [];
  private readonly agents: (string | null)[] = [];
  private readonly agentOf: number[] = [];
  private readonly requests: number[] = [];
  private readonly firstSeenMs: number[] = [];
  private readonly lastSeenMs: number[] = [];
  private readonly byMeaning = new Map<string | null | undefined, Agent>();
  /** By the text that stands in the log, of the format of the last line. */
  private byText = new Map<string | null | undefined, Agent>();
  private decode: RequestLine['decode'] | undefined;
  private spellings = 0;
  private textLength = 0;
  private beyond = 0;

  constructor(private readonly mostClients = MOST_CLIENTS) {}

  /** Counts a request; false if its address is none. */
  add(request: RequestLine): boolean {
    const { agent, address, decode } = request;
    if (decode !== this.decode) this.byText = new Map();
    this.decode = decode;
    const client = this.byText.get(agent)?.byAddress.get(address) ?? this.clientOf(request);
    if (client === undefined) return false;
    if (client === BEYOND) this.beyond += request.requests;
    else {
      this.requests[client] = (this.requests[client] ?? 0) + request.requests;
      const { timeMs } = request;
      if (timeMs > (this.lastSeenMs[client] ?? -1)) this.lastSeenMs[client] = timeMs;
      const first = this.firstSeenMs[client] ?? -1;
      if (timeMs >= 0 && (first < 0 || timeMs < first)) this.firstSeenMs[client] = timeMs;
    }
    return true;
  }

  /** What was counted, and the requests of clients beyond the most. */
  counted(): { readonly clients: LogClients; readonly requestsBeyond: number } {
    const { networks, agents, agentOf, requests, firstSeenMs, lastSeenMs, beyond } = this;
    return {
      clients: { networks, agents, agentOf, requests, firstSeenMs, lastSeenMs },
      requestsBeyond: beyond,
    };
  }

  /** The client of a spelling that has not been seen. */
  private clientOf({ agent: text, address, decode }: RequestLine): number | undefined {
    const network = networkOf(address);
    if (network === undefined) return undefined;
    const meaning = typeof text === 'string' ? decode(text) : text;
    const there = this.byMeaning.get(meaning);
    const known = there?.byAddress.get(network);
    const isFull =
      this.networks.length >= this.mostClients || this.textLength + (meaning?.length ?? 0) > MOST_TEXT;
    if (known === undefined && isFull) return BEYOND;
    const agent = there ?? this.newAgent(meaning);
    const client = known ?? this.newClient(agent, network);
    // Spellings are only remembered to be found faster.
    if (this.spellings < this.mostClients) {
      this.spellings += 1;
      this.byText.set(typeof text === 'string' ? copied(text) : text, agent);
      agent.byAddress.set(copied(address), client);
    }
    return client;
  }

  private newAgent(meaning: string | null | undefined): Agent {
    const agent = {
      place: meaning === undefined ? UNKNOWN : this.agents.length,
      byAddress: new Map<string, number>(),
    };
    if (meaning !== undefined) this.agents.push(meaning);
    this.textLength += meaning?.length ?? 0;
    this.byMeaning.set(meaning, agent);
    return agent;
  }

  private newClient({ place, byAddress }: Agent, network: string): number {
    const client = this.networks.length;
    this.networks.push(copied(network));
    this.agentOf.push(place);
    this.requests.push(0);
    this.firstSeenMs.push(-1);
    this.lastSeenMs.push(-1);
    byAddress.set(copied(network), client);
    return client;
  }
}

const BEYOND = -1;
const UNKNOWN = -1;

/** A copy of its own: a slice would keep the whole text that it is from in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** The network of one address. A server that listens on both families at once writes an IPv4 client as `::ffff:192.0.2.1`. */
function networkOf(address: string): string | undefined {
  const direct = parseCidr(`${address}/32`);
  if (direct.ok && direct.cidr.family === 4) return direct.cidr.text;
  const parsed = parseAddress(address);
  if ('reason' in parsed) return undefined;
  if (parsed.family === 4) return `${parsed.text}/32`;
  const isMapped = parsed.value >> 32n === 0xffffn;
  return isMapped ? `${formatAddress(4, parsed.value & 0xffff_ffffn)}/32` : `${parsed.text}/128`;
}
