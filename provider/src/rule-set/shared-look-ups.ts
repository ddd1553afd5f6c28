import type { Deadline } from '../api/deadline';
import { isAmbiguous } from '../api/errors';
import type { RulePage } from '../api/decode';
import type { PolicyRule, ServiceRule } from '../rule/rule';
import type { RuleClient } from '../run/ledger';

/** Look-ups that begin within this time share a list: waits that end together do not end in the same instant. */
const JOIN_WINDOW_MS = 20;

/** Called about one create while it runs. */
export interface CreateWatch {
  /** The POST has been answered or lost: only look-ups follow. */
  readonly onAnswered: () => void;
  /** The POST may have been carried out without an answer. */
  readonly onLost: () => void;
}

/**
 * The look-ups of creates that run at once. Each settles its own lost answer, as the create of a single rule does, but they
 * wait for each other's POSTs and then read the list of the account once for all.
 */
export class SharedLookUps {
  /** The client as the creates see it: one for all of them, which tells them apart by the objects that they pass. */
  readonly client: RuleClient;
  private readonly networks: ReadonlySet<string>;
  private readonly watches = new WeakMap<PolicyRule, CreateWatch>();
  private readonly allPosted: Promise<void>;
  private openGate: () => void = () => undefined;
  private next: Promise<readonly RulePage[]> | undefined;

  /** @param networks The networks of the creates, in canonical text: the look-ups ignore other rules. */
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
      // Not shared: this may be called before the caller's POST, for which the others would wait.
      listIpPolicyRules: (deadline) => service.listIpPolicyRules(deadline),
      deleteIpPolicyRule: (...call) => service.deleteIpPolicyRule(...call),
      serverTimeOffsetMs: () => service.serverTimeOffsetMs(),
    };
  }

  /** Registers callbacks for the create of a rule, identified by its object. */
  watch(wanted: PolicyRule, watch: CreateWatch): void {
    this.watches.set(wanted, watch);
  }

  /** Starts the look-ups: all POSTs have been answered or lost. */
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
    // Later callers need a list that begins after their call.
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
