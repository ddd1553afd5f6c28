// What for: the watches: each holds some invariants of docs/contributing/fault-matrix.md.
// Must not know: how a life is made: watches see events and states.
import type { RuleWire } from '../../../emulator/src/index';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import type { Rule } from '../../../provider/src/rule/rule';
import type { Bag } from '../../support/host-process';
import type { Sent } from '../network/network';
import type { World } from '../world';
import { letIn } from './access';
import { Broken } from '../../support/invariants';
import { idsOf, liveThings, setRules } from '../../support/things';

/** A call of the provider that may write. */
export interface ProviderCall {
  readonly operation: 'create' | 'update' | 'delete';
  readonly type: ResourceType;
  /** The ids of its objects; none at a create. */
  readonly ids: readonly string[];
  readonly olds: Bag;
  readonly news: Bag;
}

interface OpenCall extends ProviderCall {
  /** What this process had been told before the call began. */
  readonly named: ReadonlySet<string>;
  readonly policy: string;
  /** What the policy lets in before or after; undefined if others work on it, or have written to it, meanwhile. */
  permitted: number | undefined;
}

/**
 * I13, at every instant at which something changes. An object that a resource declares alike before and after a run stays live,
 * unless it is deleted before the engine names that resource to the process. While a set is applied, nobody gets in who has
 * access neither before nor after.
 */
export class WindowWatch {
  private alike = new Set<string>();
  private named = new Set<string>();
  private isStateStale = false;
  private readonly calls = new Set<OpenCall>();

  constructor(private readonly world: Pick<World, 'account' | 'isKeptByOther' | 'isManaged'>) {}

  /**
   * A run begins.
   *
   * @param kept The effects that are live, in state, and declared for after the run.
   * @param isStateStale Others have changed our objects, or a run was killed, and state has not been refreshed since.
   */
  begin(kept: Iterable<string>, isStateStale: boolean): void {
    this.alike = new Set(kept);
    this.isStateStale = isStateStale;
    this.named = new Set();
    this.calls.clear();
  }

  end(): void {
    this.alike.clear();
    this.calls.clear();
  }

  /** check has seen these effects. */
  name(effects: readonly string[]): void {
    for (const effect of effects) this.named.add(effect);
  }

  open(call: ProviderCall): () => void {
    const { ipPolicyId = '' } = { ...call.olds, ...call.news };
    const policy = typeof ipPolicyId === 'string' ? ipPolicyId : '';
    const named = new Set(this.named);
    const open: OpenCall = { ...call, named, policy, permitted: this.permittedBy(call, policy) };
    // Either may take rules of the other over, and be done before anything changes.
    for (const other of this.callsOn(policy)) other.permitted = undefined;
    this.calls.add(open);
    return () => {
      this.calls.delete(open);
    };
  }

  /** A rule whose delete began before the engine named its other resource may be gone, so that one is replaced. */
  onSend({ method, target }: Sent): void {
    if (method !== 'DELETE') return;
    const rule = liveThings(this.world.account.state).find(({ id }) =>
      target.endsWith(`/ip_policy_rules/${String(id)}`),
    );
    if (rule !== undefined && !this.named.has(rule.effect)) this.alike.delete(rule.effect);
  }

  /** A request of the run's own process has just changed the service. */
  onChange(sent: Sent): Broken | undefined {
    return this.gapOf(sent) ?? this.openingOf(sent);
  }

  /** Another user has changed the service: an object that was kept may be gone. */
  onForeignChange(): void {
    const live = new Set(liveThings(this.world.account.state).map(({ effect }) => effect));
    for (const effect of this.alike) if (!live.has(effect)) this.alike.delete(effect);
    for (const call of this.calls) call.permitted = undefined;
  }

  private gapOf(sent: Sent): Broken | undefined {
    // A create takes nothing away.
    if (this.alike.size === 0 || sent.method === 'POST') return undefined;
    const live = new Set(liveThings(this.world.account.state).map(({ effect }) => effect));
    for (const effect of this.alike) {
      if (live.has(effect)) continue;
      this.alike.delete(effect);
      if (this.callOf(sent)?.named.has(effect) === true)
        return new Broken('I13', `${effect} is gone after request ${sent.number}, and its owner was known`);
    }
    return undefined;
  }

  private openingOf({ method, target, body }: Sent): Broken | undefined {
    for (const call of this.calls) {
      if (call.permitted === undefined) continue;
      const now = letIn(
        this.world.account.state.rules.filter(({ ip_policy }) => ip_policy.id === call.policy),
      );
      if ((now & ~call.permitted) !== 0)
        return new Broken('I13', `${method} ${target} ${JSON.stringify(body)} lets somebody in on the way`);
    }
    return undefined;
  }

  private callsOn(policy: string): OpenCall[] {
    return [...this.calls].filter((call) => call.policy === policy);
  }

  private callOf({ target, body, method }: Sent): OpenCall | undefined {
    const id = target.slice(target.lastIndexOf('/') + 1);
    const isModule = target.startsWith('/edges/');
    return [...this.calls].find((call) => {
      if (isModule) return call.ids.some((own) => own.split('/').every((part) => target.includes(part)));
      return method === 'POST'
        ? call.news['cidr'] === Reflect.get(body ?? {}, 'cidr')
        : call.ids.includes(id);
    });
  }

  private permittedBy(
    { type, operation, ids, olds, news }: ProviderCall,
    policy: string,
  ): number | undefined {
    if (type !== 'IpPolicyRuleSet' || this.callsOn(policy).length > 0) return undefined;
    const live = this.world.account.state.rules.filter(({ ip_policy }) => ip_policy.id === policy);
    // If a set assumes that a deny is live which is gone, or moved, it opens the policy in good faith (docs/reliability.md).
    if (this.isStateStale && !isAsInState(live, ids, setRules(olds))) return undefined;
    const declared = operation === 'delete' ? [] : setRules(news);
    const networks = new Set(declared.map(({ cidr }) => cidr));
    // Until the engine has named the other resource, nothing shows that it exists.
    const isAnothers = ({ id, cidr, action }: RuleWire): boolean =>
      this.world.isKeptByOther(id) && this.named.has(`${policy} ${action} ${cidr}`);
    // What a lost create of an earlier run has made is the set's own, too, and in nobody's state.
    const lost = String(olds['unsettledRules']).split('\n');
    const isTaken = (rule: RuleWire): boolean =>
      (ids.includes(rule.id) && !isAnothers(rule)) ||
      (lost.includes(`${rule.cidr} ${rule.action}`) && !this.world.isManaged(rule.id)) ||
      news['exclusive'] === true ||
      (news['overwriteExisting'] === true && networks.has(rule.cidr));
    return letIn(live) | letIn([...live.filter((rule) => !isTaken(rule)), ...declared]);
  }
}

/** Whether the rules of a set are live as in state. */
const isAsInState = (live: readonly RuleWire[], ids: readonly string[], rules: readonly Rule[]): boolean =>
  ids.every((id, index) =>
    live.some(
      (rule) => rule.id === id && rule.cidr === rules[index]?.cidr && rule.action === rules[index].action,
    ),
  );

/** The ids of the objects of a resource in the state. */
export const heldIds = (type: ResourceType, id: string, outputs: Bag): string[] =>
  type === 'IpPolicyRuleSet' ? idsOf(outputs) : [id];
