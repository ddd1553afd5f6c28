import type { Service } from '../endpoint';
import type { Rule } from '../store/changes';
import type { Switches } from '../switches';
import { extraFields } from './fields';

/** A rule as plain JSON, with the texts that are not set left out: how `state()` shows it. */
export interface RuleWire {
  id: string;
  uri: string;
  created_at: string;
  description?: string;
  metadata?: string;
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
    ...(rule.description === undefined ? {} : { description: rule.description }),
    ...(rule.metadata === undefined ? {} : { metadata: rule.metadata }),
    cidr: rule.cidr,
    ip_policy: { id: rule.policyId, uri: `${url}/ip_policies/${rule.policyId}` },
    action: rule.action,
  };
}

/** A rule as an answer carries it, in the position of the switches. */
export function ruleToWire(service: Service, rule: Rule): object {
  const { url, switches } = service;
  const { description, metadata, ip_policy, ...plain } = plainRule(url, rule, switches.timestamps);
  return {
    ...plain,
    ...textField('description', description, switches.unsetText),
    ...textField('metadata', metadata, switches.unsetText),
    ip_policy: { ...ip_policy, ...extraFields(service) },
    ...extraFields(service),
  };
}

function textField(name: string, value: string | undefined, unset: Switches['unsetText']): object {
  if (value !== undefined) return { [name]: value };
  if (unset === 'absent') return {};
  return { [name]: unset === 'empty' ? '' : null };
}

const OFFSET_HOURS = 2;

/** RFC 3339 in the form of the switch; the offset form names the same instant two hours east of UTC. */
function timestamp(epochMs: number, form: Switches['timestamps']): string {
  if (form === 'fraction') return new Date(epochMs).toISOString();
  const wholeSeconds = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
  if (form === 'whole-seconds') return `${wholeSeconds(epochMs)}Z`;
  return `${wholeSeconds(epochMs + OFFSET_HOURS * 3_600_000)}+0${OFFSET_HOURS}:00`;
}
