import type { Answer } from '../answer';
import type { Service } from '../endpoint';
import { randomIdentifier } from '../identifiers';
import { ruleToWire } from '../routes/ip-policy-rule-wire';
import type { AccountStore } from '../store/account-store';

/** The answer that belongs to another rule, or a module with other content than the one asked about. */
export function answerOfOtherObject(answer: Answer, service: Service, account: AccountStore): Answer {
  const { body } = answer;
  if (typeof body !== 'object' || body === null) return answer;
  if ('id' in body) return { ...answer, body: otherRule(body, service, account) };
  if ('value' in body) return { ...answer, body: { enabled: false, value: '{"inbound":[]}' } };
  if ('allow' in body) return { ...answer, body: { enabled: false, allow: ['^other$'], deny: [] } };
  return answer;
}

function otherRule(body: object & { id: unknown }, service: Service, account: AccountStore): object {
  for (const rule of account.rules.all()) {
    if (rule.id !== body.id) return ruleToWire(service, rule);
  }
  const id = randomIdentifier('ipr');
  return { ...body, id, uri: `${service.url}/ip_policy_rules/${id}` };
}
