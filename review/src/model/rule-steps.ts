import { making, type RunOrder, type RunStep } from './run-order';
import type { Origin, RuleDeclaration } from './declarations';
import { valueOf } from './known';
import type { ResourceChange } from './resource-change';
import type { StackChange } from './snapshot';
import { networkOf, takeOversOf } from './take-overs';

/** A resource that takes over what another one, or nobody, has: the rule of a network, or all rules of a policy. */
interface Taker {
  readonly urn: string;
  readonly rule?: RuleDeclaration;
}

export class RuleSteps {
  private readonly changes: ReadonlyMap<Origin, ResourceChange>;
  private readonly takers: ReadonlyMap<string, Taker>;
  private readonly kept: ReadonlySet<RuleDeclaration>;

  constructor(
    { changes, before, after }: StackChange,
    private readonly order: RunOrder,
  ) {
    const steps = changes.filter(({ kind }) => kind !== 'unchanged' && kind !== 'forget');
    this.changes = new Map(
      changes.flatMap((change) =>
        [change.before, change.after].flatMap((side) => (side ? [[side.origin, change] as const] : [])),
      ),
    );
    const changed = new Set(steps.flatMap(({ after: side }) => side?.origin ?? []));
    this.takers = new Map<string, Taker>([
      ...after.exclusiveSets.flatMap(({ origin, policyId }) =>
        changed.has(origin) ? [[valueOf(policyId) ?? '', origin] as const] : [],
      ),
      ...takeOversOf(steps).flatMap(({ origin: { urn }, rules }) =>
        rules.map((rule) => [networkOf(rule), { urn, rule }] as const),
      ),
    ]);
    const earlier = new Set(before.rules.all);
    this.kept = new Set(after.rules.all.filter((rule) => earlier.has(rule)));
  }

  /** The step that brings a rule of the side after; none if it has been there. */
  startOf(rule: RuleDeclaration): RunStep | undefined {
    const change = this.changes.get(rule.origin);
    return change?.after && this.isChanged(rule, change) ? making(change.after.origin.urn) : undefined;
  }

  /** The step that ends a rule of the side before; none if it stays. */
  endOf(rule: RuleDeclaration): RunStep | undefined {
    const change = this.changes.get(rule.origin);
    if (!this.isChanged(rule, change)) return undefined;
    const end = change && this.ownEndOf(change);
    const nextOwner = this.takers.get(networkOf(rule)) ?? this.takers.get(valueOf(rule.policyId) ?? '');
    const taker = nextOwner?.urn === rule.origin.urn ? undefined : nextOwner;
    if (!taker) return end ?? this.sometime(rule);
    if (end === undefined || this.order.layerOf(end) !== undefined) return making(taker.urn);
    // The giver may come first, or the taker: with the other action, it ends the rule as well.
    const isSame = valueOf(taker.rule?.action ?? rule.action) === valueOf(rule.action);
    return isSame ? end : this.sometime(rule);
  }

  /** With one object on both sides, only a replacement is a change; what others have is then left alone. */
  private isChanged(rule: RuleDeclaration, change: ResourceChange | undefined): boolean {
    if (change?.kind === 'unchanged' || change?.kind === 'forget') return false;
    return change?.kind === 'replace' || !this.kept.has(rule);
  }

  private ownEndOf({ kind, before, after }: ResourceChange): RunStep | undefined {
    if (kind === 'update' && after) return making(after.origin.urn);
    return before && this.order.deletes(before.origin.urn, before.id);
  }

  /** A step that waits for no other. */
  private sometime({ origin: { urn } }: RuleDeclaration): RunStep {
    return `sometime ${urn}`;
  }
}
