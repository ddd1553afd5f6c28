import type { Family } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import { compareCidrs } from '../../values/cidr';
import type { CidrSet } from '../../values/cidr-set';
import { intersect, subtract, toCidrs, union } from '../../values/cidr-set';
import type { RuleDeclaration } from '../model/declarations';
import type { Pairing } from '../model/pairing';
import { pairByKey } from '../model/pairing';
import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import type { IpAssumptions } from './evaluation-model';
import type { PolicySide } from './policy-side';
import { FAMILIES, policySide } from './policy-side';

/** Who gains and who loses access in one address family. */
export interface FamilyChange {
  readonly family: Family;
  readonly gained: readonly Cidr[];
  readonly lost: readonly Cidr[];
  /** Who gets in, or is kept out, only while replaced rules are away. */
  readonly gapGained: readonly Cidr[];
  readonly gapLost: readonly Cidr[];
}

/** One policy before and after the change. */
export interface PolicyChange {
  readonly policyId: string;
  readonly before: PolicySide;
  readonly after: PolicySide;
  readonly families: readonly FamilyChange[];
  /** False when a rule that cannot be seen may have a part in the change. */
  readonly isDecidable: boolean;
  /** Resources with a rule of this policy that the change touches. */
  readonly changedUrns: ReadonlySet<string>;
}

/** Every policy that the stack has rules of, before or after, by its identifier. */
export function policyChanges(stack: StackChange, assumptions: IpAssumptions): PolicyChange[] {
  const changed = new Set(stack.changes.filter((change) => change.kind !== 'unchanged').map(urnOf));
  const replaced = new Set(stack.changes.filter(isReplacedWithGap).map(urnOf));
  return pairByKey(stack.before.rules, stack.after.rules, (rule) => rule.policyId).map((pairing) =>
    policyChange(pairing, { assumptions, changed, replaced }),
  );
}

const urnOf = (change: ResourceChange): string => change.before?.origin.urn ?? change.after?.origin.urn ?? '';
const isReplacedWithGap = (change: ResourceChange): boolean =>
  change.kind === 'replace' && change.isDeletedFirst;

interface Circumstances {
  readonly assumptions: IpAssumptions;
  readonly changed: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
}

function policyChange(
  pairing: Pairing<RuleDeclaration>,
  { assumptions, changed, replaced }: Circumstances,
): PolicyChange {
  const before = policySide(pairing.before, assumptions);
  const after = policySide(pairing.after, assumptions);
  const isInGap = pairing.before.some((rule) => replaced.has(rule.origin.urn));
  const gap = isInGap
    ? policySide(
        pairing.before.filter((rule) => !replaced.has(rule.origin.urn)),
        assumptions,
      )
    : before;
  const changedUrns = new Set(
    [...pairing.before, ...pairing.after].map((rule) => rule.origin.urn).filter((urn) => changed.has(urn)),
  );
  const hasHidden = before.hiddenRules.length > 0 || after.hiddenRules.length > 0;
  return {
    policyId: pairing.key,
    before,
    after,
    families: familyChanges({ before: before.letIn, after: after.letIn, gap: gap.letIn }),
    isDecidable: !hasHidden || changedUrns.size === 0,
    changedUrns,
  };
}

function familyChanges({ before, after, gap }: Record<'before' | 'after' | 'gap', CidrSet>): FamilyChange[] {
  const [gained, lost] = [subtract(after, before), subtract(before, after)].map(largestFirst);
  const [gapGained, gapLost] = [
    subtract(gap, union(before, after)),
    subtract(intersect(before, after), gap),
  ].map(largestFirst);
  const of = (family: Family, cidrs: readonly Cidr[] = []) => cidrs.filter((cidr) => cidr.family === family);
  return FAMILIES.map((family) => ({
    family,
    gained: of(family, gained),
    lost: of(family, lost),
    gapGained: of(family, gapGained),
    gapLost: of(family, gapLost),
  }));
}

/** The least number of networks, the largest first. */
const largestFirst = (set: CidrSet): Cidr[] =>
  toCidrs(set).sort((left, right) => left.prefixLength - right.prefixLength || compareCidrs(left, right));
