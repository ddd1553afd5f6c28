import type { Family } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import { compareCidrs } from '../../values/cidr';
import type { RuleDeclaration } from '../model/declarations';
import type { Pairing } from '../model/pairing';
import { pairByKey } from '../model/pairing';
import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import type { AddressSet } from './address-set';
import { intersect, subtract, toCidrs, unionOf } from './address-set';
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
    families: FAMILIES.map((family) => familyChange(family, { before, after, gap })),
    isDecidable: !hasHidden || changedUrns.size === 0,
    changedUrns,
  };
}

function familyChange(
  family: Family,
  sides: Readonly<Record<'before' | 'after' | 'gap', PolicySide>>,
): FamilyChange {
  const before = sides.before.families[family].letIn;
  const after = sides.after.families[family].letIn;
  const gap = sides.gap.families[family].letIn;
  const isGapless = sides.gap === sides.before;
  return {
    family,
    gained: largestFirst(family, subtract(after, before)),
    lost: largestFirst(family, subtract(before, after)),
    gapGained: isGapless ? [] : largestFirst(family, subtract(gap, unionOf([...before, ...after]))),
    gapLost: isGapless ? [] : largestFirst(family, subtract(intersect(before, after), gap)),
  };
}

/** The least number of networks, the largest first. */
const largestFirst = (family: Family, set: AddressSet): Cidr[] =>
  toCidrs(family, set).sort(
    (left, right) => left.prefixLength - right.prefixLength || compareCidrs(left, right),
  );
