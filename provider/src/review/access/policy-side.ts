import type { RuleAction } from '../../api/wire';
import type { Family } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import type { RuleDeclaration } from '../model/declarations';
import type { Origin } from '../model/origin';
import type { AddressSet } from './address-set';
import { everything, subtract, unionOf } from './address-set';
import type { IpAssumptions, IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, isDenyStronger, letsUnmatchedIn } from './evaluation-model';

/** A rule of which everything that access depends on is known. */
export interface VisibleRule {
  readonly origin: Origin;
  readonly property: string;
  readonly cidr: Cidr;
  readonly action: RuleAction;
}

/** The addresses of one family as the rules of a policy treat them. */
export interface FamilySide {
  readonly allowed: AddressSet;
  readonly denied: AddressSet;
  /** Who gets in, by the assumed evaluation model. */
  readonly letIn: AddressSet;
}

/** One policy at one moment. */
export interface PolicySide {
  readonly rules: readonly VisibleRule[];
  /** Rules of which the network or the action cannot be seen. */
  readonly hiddenRules: readonly RuleDeclaration[];
  readonly families: Readonly<Record<Family, FamilySide>>;
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
  const isEmpty = declarations.length === 0;
  return {
    rules,
    hiddenRules,
    families: {
      4: familySide(4, rules, { ...assumptions, isEmpty }),
      6: familySide(6, rules, { ...assumptions, isEmpty }),
    },
  };
}

function familySide(
  family: Family,
  rules: readonly VisibleRule[],
  { model, emptyPolicy, isEmpty }: IpAssumptions & { isEmpty: boolean },
): FamilySide {
  const networksOf = (action: RuleAction) =>
    unionOf(
      rules.filter((rule) => rule.action === action && rule.cidr.family === family).map((rule) => rule.cidr),
    );
  const [allowed, denied] = [networksOf('allow'), networksOf('deny')];
  if (isEmpty && emptyPolicy !== 'by-model') {
    return { allowed, denied, letIn: emptyPolicy === 'let-all-in' ? everything(family) : [] };
  }
  return { allowed, denied, letIn: evaluate(family, { allowed, denied }, model) };
}

/** Who gets in, given the addresses that some allow rule and that some deny rule matches. */
export function evaluate(
  family: Family,
  { allowed, denied }: { readonly allowed: AddressSet; readonly denied: AddressSet },
  model: IpModel,
): AddressSet {
  const allows = doAllowsCount(model) ? allowed : [];
  const denies = doDeniesCount(model) ? denied : [];
  const unmatched = letsUnmatchedIn(model) ? everything(family) : [];
  if (isDenyStronger(model)) return subtract(unionOf([...allows, ...unmatched]), denies);
  return unionOf([...allows, ...subtract(unmatched, denies)]);
}
