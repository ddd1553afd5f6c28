import type { RuleAction } from '../../api/wire';
import type { Family } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import type { CidrSet } from '../../values/cidr-set';
import { cidrSetOf, emptyCidrSet, subtract, union } from '../../values/cidr-set';
import type { RuleDeclaration } from '../model/declarations';
import type { Origin } from '../model/origin';
import { everything } from './address-space';
import type { IpAssumptions, IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, isDenyStronger, letsUnmatchedIn } from './evaluation-model';

/** A rule of which everything that access depends on is known. */
export interface VisibleRule {
  readonly origin: Origin;
  readonly property: string;
  readonly cidr: Cidr;
  readonly action: RuleAction;
}

/** One policy at one moment. */
export interface PolicySide {
  readonly rules: readonly VisibleRule[];
  /** Rules of which the network or the action cannot be seen. */
  readonly hiddenRules: readonly RuleDeclaration[];
  /** What some allow rule matches. */
  readonly allowed: CidrSet;
  /** What some deny rule matches. */
  readonly denied: CidrSet;
  /** Who gets in, by the assumed evaluation model. */
  readonly letIn: CidrSet;
}

/** Both families, in the order of reports. */
export const FAMILIES: readonly Family[] = [4, 6];

/** Works out who gets in by the rules of one policy. */
export function policySide(declarations: readonly RuleDeclaration[], assumptions: IpAssumptions): PolicySide {
  const rules: VisibleRule[] = [];
  const hiddenRules: RuleDeclaration[] = [];
  for (const declaration of declarations) {
    const { cidr, action, origin, property } = declaration;
    if (cidr.isKnown && action.isKnown)
      rules.push({ origin, property, cidr: cidr.value, action: action.value });
    else hiddenRules.push(declaration);
  }
  const matches = { allowed: networksOf(rules, 'allow'), denied: networksOf(rules, 'deny') };
  const letIn =
    declarations.length === 0 ? letInByEmptyPolicy(assumptions) : evaluate(matches, assumptions.model);
  return { rules, hiddenRules, ...matches, letIn };
}

const networksOf = (rules: readonly VisibleRule[], action: RuleAction): CidrSet =>
  cidrSetOf(rules.filter((rule) => rule.action === action).map((rule) => rule.cidr));

function letInByEmptyPolicy({ model, emptyPolicy }: IpAssumptions): CidrSet {
  const isOpen = emptyPolicy === 'by-model' ? letsUnmatchedIn(model) : emptyPolicy === 'let-all-in';
  return isOpen ? everything : emptyCidrSet;
}

/** Who gets in, given the addresses that some allow rule and that some deny rule matches. */
export function evaluate(
  { allowed, denied }: { readonly allowed: CidrSet; readonly denied: CidrSet },
  model: IpModel,
): CidrSet {
  const allows = doAllowsCount(model) ? allowed : emptyCidrSet;
  const denies = doDeniesCount(model) ? denied : emptyCidrSet;
  const unmatched = letsUnmatchedIn(model) ? everything : emptyCidrSet;
  if (isDenyStronger(model)) return subtract(union(allows, unmatched), denies);
  return union(allows, subtract(unmatched, denies));
}
