import type { Service } from '../endpoint';
import { byText, type Rule, type RuleText } from '../store/stored-rule';
import type { Switches } from '../switches';
import { extraFields } from './fields';

/** A rule as plain JSON without its unset texts, as `state()` shows it. */
export interface RuleWire extends Partial<Record<RuleText, string>> {
  id: string;
  uri: string;
  created_at: string;
  cidr: string;
  ip_policy: { id: string; uri: string };
  action: 'allow' | 'deny';
}

export function plainRule(
  url: string,
  rule: Rule,
  timestamps: Switches['timestamps'] = 'whole-seconds',
): RuleWire {
  return {
    id: rule.id,
    uri: `${url}/ip_policy_rules/${rule.id}`,
    created_at: timestamp(rule.createdAtMs, timestamps),
    ...byText((name) => rule[name]),
    cidr: rule.cidr,
    ip_policy: { id: rule.policyId, uri: `${url}/ip_policies/${rule.policyId}` },
    action: rule.action,
  };
}

/** A rule in the form that answers have in the current positions of the switches. */
export function ruleToWire(service: Service, rule: Rule): object {
  const { url, switches } = service;
  const shown = { ...rule, createdAtMs: rule.createdAtMs + switches.createdAtAheadMs };
  const { ip_policy, ...plain } = plainRule(url, shown, switches.timestamps);
  return {
    ...plain,
    ...byText((name) => plain[name] ?? UNSET[switches.unsetText]),
    ip_policy: { ...ip_policy, ...extraFields(service) },
    ...extraFields(service),
  };
}

const UNSET: Readonly<Record<Switches['unsetText'], '' | null | undefined>> = {
  absent: undefined,
  empty: '',
  null: null,
};

const OFFSET_HOURS = 2;

/** RFC 3339 in the form that the switch selects; the offset form names the same instant two hours east of UTC. */
function timestamp(epochMs: number, form: Switches['timestamps']): string {
  if (form === 'fraction') return new Date(epochMs).toISOString();
  const wholeSeconds = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
  if (form === 'whole-seconds') return `${wholeSeconds(epochMs)}Z`;
  return `${wholeSeconds(epochMs + OFFSET_HOURS * 3_600_000)}+0${OFFSET_HOURS}:00`;
}
