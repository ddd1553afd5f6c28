import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import { isAmbiguous } from '../api/errors';
import type { IpPolicyRuleListWire } from '../api/wire';
import { canonicalNetworkText } from './network';

/** Look-ups that begin within this time share a list: waits that end together do not end in the same instant. */
const JOIN_WINDOW_MS = 20;

/** What is told about one create while it runs. */
export interface CreateWatch {
  /** The POST has been answered or lost: what follows are look-ups. */
  readonly onAnswered: () => void;
  /** The POST may have been carried out without an answer. */
  readonly onLost: () => void;
}

/**
 * The look-ups of creates that run side by side. Each settles its own lost answer, as the create of a single rule does,
 * but they wait for each other's POSTs and then read the list of the account once for all of them.
 */
export class SharedLookUps {
  readonly #networks: ReadonlySet<string>;
  #next: Promise<readonly IpPolicyRuleListWire[]> | undefined;
  readonly #allPosted: Promise<void>;
  #open: () => void = () => undefined;

  /** @param networks The networks of the creates, in canonical text: other rules are no concern of the look-ups. */
  constructor(
    private readonly client: ApiClient,
    networks: Iterable<string>,
  ) {
    this.#networks = new Set(networks);
    this.#allPosted = new Promise((resolve) => (this.#open = resolve));
  }

  /** Lets the look-ups begin: all POSTs have been answered or lost. */
  open(): void {
    this.#open();
  }

  /** The client as one create gets to see it. */
  clientFor(watch: CreateWatch): ApiClient {
    const { client } = this;
    const createIpPolicyRule: ApiClient['createIpPolicyRule'] = async (...call) => {
      try {
        return await client.createIpPolicyRule(...call);
      } catch (error) {
        if (isAmbiguous(error)) watch.onLost();
        throw error;
      } finally {
        watch.onAnswered();
      }
    };
    const listIpPolicyRules = (deadline: Deadline): AsyncIterable<IpPolicyRuleListWire> =>
      this.#list(deadline);
    return Object.assign(Object.create(client) as ApiClient, { createIpPolicyRule, listIpPolicyRules });
  }

  async *#list(deadline: Deadline): AsyncGenerator<IpPolicyRuleListWire> {
    await this.#allPosted;
    this.#next ??= this.#read(deadline);
    yield* await this.#next;
  }

  async #read(deadline: Deadline): Promise<readonly IpPolicyRuleListWire[]> {
    await this.client.clock.sleep(JOIN_WINDOW_MS);
    // Whoever asks from here on wants to know what is there later than this list.
    this.#next = undefined;
    const pages: IpPolicyRuleListWire[] = [];
    for await (const page of this.client.listIpPolicyRules(deadline)) {
      deadline.renew();
      const rules = page.ip_policy_rules.filter(({ cidr }) => this.#networks.has(canonicalNetworkText(cidr)));
      pages.push({ ...page, ip_policy_rules: rules });
    }
    return pages;
  }
}
