import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, compareCidrs, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, emptyCidrSet, everything, subtract } from './cidr-set';
import type { RuleDeclaration, VisibleRule } from '../model/declarations';
import { isOver } from '../model/ending-rules';
import { doDeniesCount, getsIn, type IpModel } from './evaluation-model';

export interface Matches {
  readonly allowed: CidrSet;
  readonly denied: CidrSet;
}

export interface ActionRules {
  /** Sorted by network. */
  readonly rules: readonly VisibleRule[];
  readonly networks: CidrSet;
}

export interface PolicySide extends Matches {
  /** The visible rules of the policy that the stack manages, those of {@link doubtfulRules} included. */
  readonly rules: readonly VisibleRule[];
  readonly byAction: Readonly<Record<RuleAction, ActionRules>>;
  /** Rules whose network or action is hidden. */
  readonly hiddenRules: readonly RuleDeclaration[];
  /** Rules that may or may not be the policy's: their policy or end is hidden, or something may remove them. */
  readonly doubtfulRules: readonly RuleDeclaration[];
  readonly sureRules: readonly VisibleRule[];
  readonly letIn: CidrSet;
  readonly hasEnds: boolean;
}

export interface PolicyParts {
  readonly declared: readonly RuleDeclaration[];
  readonly homeless: readonly RuleDeclaration[];
  readonly isContested: (rule: RuleDeclaration) => boolean;
  /** The time of an apply. A rule that has ended decides nothing, although it is live until then. */
  readonly nowMs: number;
}

export const FAMILIES: readonly Family[] = [4, 6];

export function policySide(
  { declared, homeless, isContested, nowMs }: PolicyParts,
  model: IpModel,
): PolicySide {
  const hasEnds = declared.some(isEnding) || homeless.some(isEnding);
  const isDoubtful = (rule: RuleDeclaration): boolean =>
    rule.doubt !== undefined || rule.until?.isKnown === false || isContested(rule);
  const counting = (rules: readonly RuleDeclaration[]) => rules.filter((rule) => !isOver(rule, nowMs));
  const counted = counting(declared);
  const sure = counted.filter((rule) => !isDoubtful(rule));
  const doubtfulRules = [...counting(homeless), ...counted.filter(isDoubtful)];
  const hiddenRules = sure.filter(({ visible }) => !visible);
  const { rules, ...byAction } = visibleRules(counted.filter(({ doubt }) => !doubt));
  const { rules: sureRules, ...certain } = visibleRules(sure);
  const matches = { allowed: certain.allow.networks, denied: certain.deny.networks };
  const letIn = letInBy(matches, model);
  return { rules, byAction, hiddenRules, doubtfulRules, sureRules, ...matches, letIn, hasEnds };
}

export const possibleNetworks = ({ cidr, readings = [] }: RuleDeclaration): readonly Cidr[] =>
  cidr.isKnown ? [cidr.value] : readings.length > 0 ? readings : EVERYTHING;

const EVERYTHING = FAMILIES.map((family) => networkAt(family, 0n, 0));

const isEnding = ({ until }: RuleDeclaration): boolean => until !== undefined;

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

export function letInBy({ allowed, denied }: Matches, model: IpModel): CidrSet {
  const isIn = (isAllowed: boolean, isDenied: boolean): boolean => getsIn(isAllowed, isDenied, model);
  // Who gets in if nobody was denied, and what denies change of that.
  const undenied = isIn(false, false) ? everything : isIn(true, false) ? allowed : emptyCidrSet;
  if (!doDeniesCount(model)) return undenied;
  return subtract(undenied, isIn(true, true) ? subtract(denied, allowed) : denied);
}
