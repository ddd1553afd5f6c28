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
  /** The visible rules by action. */
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
  const rules: VisibleRule[] = [];
  const allow: VisibleRule[] = [];
  const deny: VisibleRule[] = [];
  for (const { visible } of declared) {
    if (!visible) continue;
    rules.push(visible);
    if (visible.action === 'allow') allow.push(visible);
    else deny.push(visible);
  }
  return { rules, allow: inOrder(allow), deny: inOrder(deny) };
}

function inOrder(rules: VisibleRule[]): ActionRules {
  const networks: Cidr[] = [];
  let isSorted = true;
  let previous: Cidr | undefined;
  for (const { cidr } of rules) {
    // As the rules of a set are.
    isSorted &&= previous === undefined || compareCidrs(previous, cidr) <= 0;
    previous = cidr;
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
