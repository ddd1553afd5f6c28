import type { Deadline } from '../api/deadline';
import { isAmbiguous } from '../api/errors';
import type { RulePage } from '../api/decode';
import type { PolicyRule, ServiceRule } from '../rule/rule';
import type { RuleClient } from '../settle/ledger';

/** Look-ups that begin within this time share a list: waits that end together do not end in the same instant. */
const JOIN_WINDOW_MS = 20;

/** What is reported of one create while it runs. */
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
  /** The client as the creates get to see it: one for all of them, told apart by the objects that they ask for. */
  readonly client: RuleClient;
  private readonly networks: ReadonlySet<string>;
  private readonly watches = new WeakMap<PolicyRule, CreateWatch>();
  private readonly allPosted: Promise<void>;
  private openGate: () => void = () => undefined;
  private next: Promise<readonly RulePage[]> | undefined;

  /** @param networks The networks of the creates, in canonical text: other rules are no concern of the look-ups. */
  constructor(
    private readonly service: RuleClient,
    networks: Iterable<string>,
  ) {
    this.networks = new Set(networks);
    this.allPosted = new Promise((resolve) => (this.openGate = resolve));
    this.client = {
      clock: service.clock,
      createIpPolicyRule: (...call) => this.create(call),
      getIpPolicyRule: (...call) => service.getIpPolicyRule(...call),
      // Not shared: whoever asks whether a rule is gone may do so before its POST, for which the others would wait.
      listIpPolicyRules: (deadline) => service.listIpPolicyRules(deadline),
      deleteIpPolicyRule: (...call) => service.deleteIpPolicyRule(...call),
      serverTimeOffsetMs: () => service.serverTimeOffsetMs(),
    };
  }

  /** Registers callbacks for the create of a rule, told apart by its object. */
  watch(wanted: PolicyRule, watch: CreateWatch): void {
    this.watches.set(wanted, watch);
  }

  /** Lets the look-ups begin: all POSTs have been answered or lost. */
  open(): void {
    this.openGate();
  }

  private async create(call: Parameters<RuleClient['createIpPolicyRule']>): Promise<ServiceRule> {
    const watch = this.watches.get(call[0]);
    try {
      return await this.service.createIpPolicyRule(...call);
    } catch (error) {
      if (isAmbiguous(error)) watch?.onLost();
      throw error;
    } finally {
      watch?.onAnswered();
    }
  }

  /** The list for look-ups, read once for all that wait for it. */
  async *listIpPolicyRules(deadline: Deadline): AsyncGenerator<RulePage, void> {
    await this.allPosted;
    this.next ??= this.read(deadline);
    yield* await this.next;
  }

  private async read(deadline: Deadline): Promise<readonly RulePage[]> {
    await this.service.clock.sleep(JOIN_WINDOW_MS);
    // Whoever asks from here on wants to know what is there later than this list.
    this.next = undefined;
    const pages: RulePage[] = [];
    for await (const page of this.service.listIpPolicyRules(deadline)) {
      deadline.renew();
      const rules = page.rules.filter(({ cidr }) => this.networks.has(cidr));
      pages.push({ ...page, rules });
    }
    return pages;
  }
}
