import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Family } from 'pulumi-edge-policy/internal/values/address';
import { compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, emptyCidrSet, subtract, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { RuleDeclaration, VisibleRule } from '../model/declarations';
import { everything } from './public-space';
import type { IpAssumptions, IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, isDenyStronger, letsUnmatchedIn } from './evaluation-model';

/** The addresses that allow rules and deny rules match. */
export interface Matches {
  readonly allowed: CidrSet;
  readonly denied: CidrSet;
}

/** The visible rules of one action. */
export interface ActionRules {
  /** Sorted by network. */
  readonly rules: readonly VisibleRule[];
  /** The addresses that they match. */
  readonly networks: CidrSet;
}

/** One policy at one moment. */
export interface PolicySide extends Matches {
  /** The visible rules of the policy, those of {@link doubtfulRules} included. */
  readonly rules: readonly VisibleRule[];
  /** The visible rules by action. */
  readonly byAction: Readonly<Record<RuleAction, ActionRules>>;
  /** Rules whose network or action is hidden. */
  readonly hiddenRules: readonly RuleDeclaration[];
  /** Rules that may or may not be the policy's: their policy is hidden, or an exclusive set may remove them. */
  readonly doubtfulRules: readonly RuleDeclaration[];
  /** Who gets in by the rules that are certain and visible, under the assumed evaluation model. */
  readonly letIn: CidrSet;
  /** Whether the policy certainly has a rule: an empty policy may have a meaning of its own. */
  readonly hasRules: boolean;
}

/** The declarations that concern one policy. */
export interface PolicyParts {
  readonly declared: readonly RuleDeclaration[];
  /** Rules whose policy is hidden: they may be any policy's. */
  readonly homeless?: readonly RuleDeclaration[];
  /** Whether an exclusive set of the same policy removes a rule. */
  readonly isContested?: (rule: RuleDeclaration) => boolean;
}

/** Both families, in the order of reports. */
export const FAMILIES: readonly Family[] = [4, 6];

/** Computes who gets in by the rules of one policy. */
export function policySide(
  { declared, homeless = [], isContested }: PolicyParts,
  assumptions: IpAssumptions,
): PolicySide {
  const contested = isContested ? declared.filter(isContested) : [];
  const isDoubtful = new Set(contested);
  const sure = contested.length === 0 ? declared : declared.filter((rule) => !isDoubtful.has(rule));
  const doubtfulRules: RuleDeclaration[] = [...homeless, ...contested];
  const hiddenRules = sure.filter(({ visible }) => !visible);
  const { rules, ...byAction } = visibleRules(declared);
  const certain = sure === declared ? byAction : visibleRules(sure);
  const matches = { allowed: certain.allow.networks, denied: certain.deny.networks };
  const hasRules = sure.length > 0;
  const letIn =
    !hasRules && doubtfulRules.length === 0
      ? letInByEmptyPolicy(assumptions)
      : evaluate(matches, assumptions.model);
  return { rules, byAction, hiddenRules, doubtfulRules, ...matches, letIn, hasRules };
}

function visibleRules(declared: readonly RuleDeclaration[]) {
  const rules = declared.flatMap(({ visible }) => visible ?? []);
  const ofAction = (action: RuleAction): ActionRules =>
    inOrder(rules.filter((rule) => rule.action === action));
  return { rules, allow: ofAction('allow'), deny: ofAction('deny') };
}

function inOrder(unsorted: readonly VisibleRule[]): ActionRules {
  const rules = [...unsorted].sort((left, right) => compareCidrs(left.cidr, right.cidr));
  return { rules, networks: cidrSetOf(rules.map(({ cidr }) => cidr)) };
}

/** Who gets in by a policy without any rule. */
export function letInByEmptyPolicy({ model, emptyPolicy }: IpAssumptions): CidrSet {
  const isOpen = emptyPolicy === 'by-model' ? letsUnmatchedIn(model) : emptyPolicy === 'let-all-in';
  return isOpen ? everything : emptyCidrSet;
}

/** Who gets in, given the addresses that the allow rules and the deny rules match. */
export function evaluate({ allowed, denied }: Matches, model: IpModel): CidrSet {
  const allows = doAllowsCount(model) ? allowed : emptyCidrSet;
  const denies = doDeniesCount(model) ? denied : emptyCidrSet;
  const unmatched = letsUnmatchedIn(model) ? everything : emptyCidrSet;
  if (isDenyStronger(model)) return subtract(union(allows, unmatched), denies);
  return union(allows, subtract(unmatched, denies));
}
