import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { type Cidr, contains, parseCidr, sameCidr } from 'pulumi-edge-policy/internal/values/cidr';

/** Selects rules; all given conditions must hold. */
export interface RuleFilter {
  readonly policyIds?: readonly string[];
  readonly action?: RuleAction;
  /** Exactly these networks. */
  readonly cidrs?: readonly string[];
  /** Networks inside one of these. */
  readonly within?: readonly Cidr[];
  /** A part of the description, case-insensitive. */
  readonly description?: string;
}

/** Whether a rule matches a filter. */
export function isMeant(rule: ServiceRule, filter: RuleFilter): boolean {
  const { policyIds, action, cidrs, within, description } = filter;
  return (
    (policyIds === undefined || policyIds.includes(rule.ipPolicyId)) &&
    (action === undefined || rule.action === action) &&
    (cidrs === undefined || cidrs.some((cidr) => sameCidr(cidr, rule.cidr))) &&
    (within === undefined || within.some((range) => isWithin(rule.cidr, range))) &&
    (description === undefined || holdsText(rule.description ?? '', description))
  );
}

function isWithin(cidr: string, range: Cidr): boolean {
  const parsed = parseCidr(cidr);
  return parsed.ok && contains(range, parsed.cidr);
}

const holdsText = (text: string, part: string): boolean =>
  text.toLocaleLowerCase('en').includes(part.toLocaleLowerCase('en'));
