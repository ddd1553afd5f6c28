import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, emptyCidrSet, subtract, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { RuleDeclaration, VisibleRule } from '../model/declarations';
import { everything } from './public-space';
import type { IpAssumptions, IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, isDenyStronger, letsUnmatchedIn } from './evaluation-model';

/** What allow rules and what deny rules match. */
export interface Matches {
  readonly allowed: CidrSet;
  readonly denied: CidrSet;
}

/** The rules of one action that can be seen. */
export interface ActionRules {
  /** Sorted by network. */
  readonly rules: readonly VisibleRule[];
  /** What they match. */
  readonly networks: CidrSet;
}

/** One policy at one moment. */
export interface PolicySide extends Matches {
  /** The rules of the policy that can be seen, those of {@link doubtfulRules} among them. */
  readonly rules: readonly VisibleRule[];
  /** The same, by their actions. */
  readonly byAction: Readonly<Record<RuleAction, ActionRules>>;
  /** Rules of which the network or the action cannot be seen. */
  readonly hiddenRules: readonly RuleDeclaration[];
  /** Whatever may be a rule of this policy and may be none: its policy is hidden, or an exclusive set removes it. */
  readonly doubtfulRules: readonly RuleDeclaration[];
  /** Who gets in by the rules that are surely there and can be seen, by the assumed evaluation model. */
  readonly letIn: CidrSet;
  /** Whether it is sure that the policy has a rule: one without any may have a meaning of its own. */
  readonly hasRules: boolean;
}

/** The declarations that concern one policy. */
export interface PolicyParts {
  readonly declared: readonly RuleDeclaration[];
  /** Rules of a policy that cannot be seen: any policy may be theirs. */
  readonly homeless?: readonly RuleDeclaration[];
  /** Whether an exclusive set of the same policy removes a rule. */
  readonly isContested?: (rule: RuleDeclaration) => boolean;
}

/** Both families, in the order of reports. */
export const FAMILIES: readonly Family[] = [4, 6];

/** Works out who gets in by the rules of one policy. */
export function policySide(
  { declared, homeless = [], isContested }: PolicyParts,
  assumptions: IpAssumptions,
): PolicySide {
  const rules: VisibleRule[] = [];
  const sure: VisibleRule[] = [];
  const hiddenRules: RuleDeclaration[] = [];
  const doubtfulRules: RuleDeclaration[] = [...homeless];
  for (const declaration of declared) {
    const { visible } = declaration;
    const isDoubtful = isContested?.(declaration) === true;
    if (isDoubtful) doubtfulRules.push(declaration);
    if (visible) rules.push(visible);
    if (!isDoubtful) {
      if (visible) sure.push(visible);
      else hiddenRules.push(declaration);
    }
  }
  const byAction = { allow: actionRules(rules, 'allow'), deny: actionRules(rules, 'deny') };
  const matched = (action: RuleAction) =>
    sure.length === rules.length ? byAction[action].networks : actionRules(sure, action).networks;
  const matches = { allowed: matched('allow'), denied: matched('deny') };
  const hasRules = sure.length + hiddenRules.length > 0;
  const letIn =
    !hasRules && doubtfulRules.length === 0
      ? letInByEmptyPolicy(assumptions)
      : evaluate(matches, assumptions.model);
  return { rules, byAction, hiddenRules, doubtfulRules, ...matches, letIn, hasRules };
}

function actionRules(all: readonly VisibleRule[], action: RuleAction): ActionRules {
  const rules: VisibleRule[] = [];
  const networks: Cidr[] = [];
  let isSorted = true;
  let previous: Cidr | undefined;
  for (const rule of all) {
    if (rule.action !== action) continue;
    const { cidr } = rule;
    // As the rules of a set are.
    isSorted &&= previous === undefined || compareCidrs(previous, cidr) <= 0;
    previous = cidr;
    rules.push(rule);
    networks.push(cidr);
  }
  if (!isSorted) rules.sort((left, right) => compareCidrs(left.cidr, right.cidr));
  return { rules, networks: cidrSetOf(networks) };
}

/** Who gets in by a policy without any rule. */
export function letInByEmptyPolicy({ model, emptyPolicy }: IpAssumptions): CidrSet {
  const isOpen = emptyPolicy === 'by-model' ? letsUnmatchedIn(model) : emptyPolicy === 'let-all-in';
  return isOpen ? everything : emptyCidrSet;
}

/** Who gets in, given the addresses that some allow rule and that some deny rule matches. */
export function evaluate({ allowed, denied }: Matches, model: IpModel): CidrSet {
  const allows = doAllowsCount(model) ? allowed : emptyCidrSet;
  const denies = doDeniesCount(model) ? denied : emptyCidrSet;
  const unmatched = letsUnmatchedIn(model) ? everything : emptyCidrSet;
  if (isDenyStronger(model)) return subtract(union(allows, unmatched), denies);
  return union(allows, subtract(unmatched, denies));
}
