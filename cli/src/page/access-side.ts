// One side of a page, with everything that is computed from its declarations. The page and the command share it, so it needs no Node.js.
import {
  type AddressAccess,
  type Assumptions,
  emptyCidrSet,
  Explainer,
  type RuleEffect,
  ruleEffects,
  type RuleDeclaration,
  type Snapshot,
  snapshotAt,
  snapshotOf,
  type StackChange,
  stackChangeOf,
} from 'pulumi-edge-policy-review/lookup';
import type { PageContent, PageSide, Proof, When } from './page-data';

export interface AccessSide extends PageSide {
  readonly snapshot: Snapshot;
  readonly explainer: Explainer;
  /** What each rule does; undecided if a part of it is hidden. */
  readonly effectOf: (rule: RuleDeclaration) => RuleEffect;
}

export interface AccessSides {
  readonly sides: readonly AccessSide[];
  readonly change?: StackChange;
}

export function accessSidesOf({ sides, changes, assumptions }: PageContent): AccessSides {
  const [first, second] = sides;
  const previewed = changes && stackChangeOf(changes);
  const snapshotOfSide = (side: PageSide): Snapshot =>
    previewed?.[side.when === 'before' ? 'before' : 'after'] ?? snapshotOf(side.resources);
  const read = sides.map((side) => accessSideOf(side, snapshotOfSide(side), assumptions));
  const [before, after] = read;
  if (!first || !second || !before || !after) return { sides: read };
  return {
    sides: read,
    change: previewed ?? { changes: [], before: before.snapshot, after: after.snapshot },
  };
}

function accessSideOf(side: PageSide, snapshot: Snapshot, assumptions: Assumptions): AccessSide {
  const explainer = explainerWith(side.proofs, snapshot, assumptions);
  const effects = new Map<string, ReturnType<typeof ruleEffects>>();
  const effectsAt = (policyId: string) => {
    const known = effects.get(policyId);
    if (known) return known;
    const policy = explainer.policy(policyId);
    const computed = policy ? ruleEffects(policy.after, assumptions.ipModel) : new Map<never, never>();
    effects.set(policyId, computed);
    return computed;
  };
  const effectOf = ({ policyId, visible }: RuleDeclaration): RuleEffect =>
    (policyId.isKnown && visible ? effectsAt(policyId.value).get(visible) : undefined) ?? 'undecided';
  return { ...side, snapshot, explainer, effectOf };
}

/** The answers at another moment, when some rules have ended. */
export const explainerAt = ({ snapshot, proofs, explainer }: AccessSide, atMs: number): Explainer =>
  explainerWith(proofs, snapshotAt(snapshot, atMs), explainer.assumptions);

/** Answers with what the command has proved. */
const explainerWith = (proofs: readonly Proof[], snapshot: Snapshot, assumptions: Assumptions): Explainer =>
  new Explainer(snapshot, assumptions, (parent) =>
    proofs.flatMap((proof): AddressAccess[] => {
      if (proof.of !== 'addresses' || proof.kind !== parent) return [];
      const { surely, possibly, ...rest } = proof;
      const side = { surely, possibly };
      return [{ ...rest, before: side, after: side, gained: NOBODY, lost: NOBODY }];
    }),
  );

const NOBODY = { surely: emptyCidrSet, possibly: emptyCidrSet };

export const NAMES: Readonly<Record<When, string>> = {
  now: 'Now',
  before: 'Before',
  after: 'After',
  state: 'State',
  live: 'Live',
};
