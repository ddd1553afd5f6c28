// What for: the operations of the service, a file for each noun.
// Must not know: HTTP servers, faults and the journal: a route gets a call and returns an answer.
import { type Answer, Refusal } from '../answer';
import type { Call, Endpoint } from '../endpoint';
import { oddIdentifier, randomIdentifier } from '../identifiers';
import {
  byText,
  editedTexts,
  type Rule,
  RULE_TEXTS,
  type RuleAction,
  type RuleTexts,
} from '../store/stored-rule';
import { type Fields, invalid, readFields, readText, requireText } from './fields';
import { listRules } from './ip-policy-rule-list';
import { ruleToWire } from './ip-policy-rule-wire';
import type { Switches } from '../switches';
import { formatNetwork, type Network, parseNetwork, withoutHostBits } from '../values/cidr';

const LIST_PARAMETERS = ['before_id', 'offset', 'limit'];

// Section 4.1 of the document.
export const IP_POLICY_RULE_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/ip_policy_rules', handle: createRule },
  { method: 'GET', path: '/ip_policy_rules/{id}', handle: getRule },
  { method: 'GET', path: '/ip_policy_rules', queryParameters: LIST_PARAMETERS, handle: listRules },
  { method: 'PATCH', path: '/ip_policy_rules/{id}', handle: updateRule },
  { method: 'DELETE', path: '/ip_policy_rules/{id}', handle: deleteRule },
];

function createRule(call: Call): Answer {
  const fields = readFields(call, [...RULE_TEXTS, 'cidr', 'ip_policy_id', 'action']);
  const policyId = requireText(fields, 'ip_policy_id');
  const action = readAction(fields);
  const texts = readTextsOf(fields);
  const cidr = storedCidr(requireText(fields, 'cidr'), call.service.switches);
  requirePolicy(call, policyId);
  const content = { ...cidr, policyId, action, ...editedTexts({}, texts) };
  const equal = equalRule(call, content);
  if (equal !== undefined) return { status: 201, body: ruleToWire(call.service, equal) };
  refuseDuplicate(call, content);
  const { switches, nowMs } = call.service;
  const id = switches.ruleIds === 'any' ? oddIdentifier('ipr') : randomIdentifier('ipr');
  const rule: Rule = { id, createdAtMs: nowMs(), ...content };
  call.account.rules.put(rule);
  return { status: 201, body: ruleToWire(call.service, rule) };
}

/** The rule that answers a POST of its content, if the switch says so. */
function equalRule({ service, account }: Call, content: Omit<Rule, 'id' | 'createdAtMs'>): Rule | undefined {
  if (service.switches.equalPost === 'duplicate') return undefined;
  const names = [...RULE_TEXTS, 'network', 'policyId', 'action'] as const;
  return [...account.rules.all()].find((rule) => names.every((name) => rule[name] === content[name]));
}

function getRule(call: Call): Answer {
  const rule = findRule(call);
  return rule === undefined ? missingRule(call) : { status: 200, body: ruleToWire(call.service, rule) };
}

function updateRule(call: Call): Answer {
  const rule = findRule(call);
  if (rule === undefined) return missingRule(call);
  const { switches } = call.service;
  const fields = readFields(call, ['id', ...RULE_TEXTS, 'cidr', 'action', 'ip_policy_id']);
  if (fields['id'] !== undefined && fields['id'] !== rule.id) {
    throw invalid('The field id must be the identifier of the path.');
  }
  const isImmutableNamed = fields['action'] !== undefined || fields['ip_policy_id'] !== undefined;
  if (isImmutableNamed && switches.immutablePatch === '400') {
    throw invalid('The action and the IP policy of a rule cannot be changed.');
  }
  const cidrText = readText(fields, 'cidr');
  const texts = readTextsOf(fields);
  if (cidrText === undefined && Object.keys(texts).length === 0 && switches.emptyPatch === '400') {
    throw invalid(`Nothing to change: give ${RULE_TEXTS.join(', ')} or cidr.`);
  }
  const cidr = cidrText === undefined ? {} : storedCidr(cidrText, switches);
  const before = switches.partialPatch === 'kept' ? rule : {};
  const changed: Rule = { ...rule, ...cidr, ...editedTexts(before, texts) };
  refuseDuplicate(call, changed);
  call.account.rules.put(changed);
  return { status: 200, body: ruleToWire(call.service, changed) };
}

function deleteRule(call: Call): Answer {
  const rule = findRule(call);
  if (rule === undefined) return missingRule(call);
  const isLast = call.account.rules.countOfPolicy(rule.policyId) === 1;
  if (isLast && call.service.switches.lastRuleOfPolicy === '400') {
    throw new Refusal(400, 'ERR_LAST_RULE', `IP policy ${rule.policyId} is in use and must keep a rule.`);
  }
  call.account.rules.delete(rule.id, call.service.nowMs());
  return { status: 204 };
}

function findRule(call: Call): Rule | undefined {
  return call.account.rules.get(call.parameters['id'] ?? '');
}

function missingRule(call: Call): Answer {
  const position = call.service.switches.missingRule;
  if (position === 'empty') return { status: 404 };
  const message = `IP policy rule ${call.parameters['id'] ?? ''} not found.`;
  if (position === 'error-body') throw new Refusal(404, 'ERR_RULE_NOT_FOUND', message);
  return { status: 404, body: { status_code: 404, msg: message } };
}

function readAction(fields: Fields): RuleAction {
  const action = requireText(fields, 'action');
  if (action === 'allow' || action === 'deny') return action;
  throw invalid('The field action must be allow or deny.');
}

const readTextsOf = (fields: Fields): RuleTexts =>
  byText((name, limitBytes) => readText(fields, name, limitBytes));

function requirePolicy(call: Call, policyId: string): void {
  const { parents, missingParentOnPost } = call.service.switches;
  if (call.account.hasParent('policies', policyId, parents)) return;
  throw new Refusal(Number(missingParentOnPost), 'ERR_POLICY_NOT_FOUND', `IP policy ${policyId} not found.`);
}

function refuseDuplicate(call: Call, rule: Pick<Rule, 'policyId' | 'network'> & { id?: string }): void {
  const { duplicateCidr } = call.service.switches;
  if (duplicateCidr === 'accepted') return;
  if (!call.account.rules.hasNetwork(rule.policyId, rule.network, rule.id)) return;
  const message = `IP policy ${rule.policyId} already has a rule for ${rule.network}: duplicate CIDR.`;
  throw new Refusal(Number(duplicateCidr), 'ERR_DUPLICATE_CIDR', message);
}

type CidrSwitches = Pick<Switches, 'bareAddress' | 'hostBits' | 'ipv6Text'>;

/** How the service stores a given CIDR, and the canonical network by which it finds duplicates. */
function storedCidr(text: string, switches: CidrSwitches): { cidr: string; network: string } {
  const sent = parseNetwork(text);
  if (sent === undefined) throw refuse(`${JSON.stringify(text)} is not an IP range in CIDR notation.`);
  const network = formatNetwork(withoutHostBits(sent));
  return { network, cidr: storedText(text, { sent, network, switches }) };
}

function storedText(text: string, given: { sent: Network; network: string; switches: CidrSwitches }): string {
  const { sent, network, switches } = given;
  const hasHostBits = withoutHostBits(sent).address !== sent.address;
  if (!sent.hasPrefixLength) {
    if (switches.bareAddress === 'refused') throw refuse(`${text} has no prefix length.`);
    return switches.bareAddress === 'canonical' ? network : text;
  }
  if (hasHostBits) {
    if (switches.hostBits === 'refused') {
      throw refuse(`${text} has host bits set; did you mean ${network}?`);
    }
    return switches.hostBits === 'canonical' ? network : text;
  }
  if (sent.family === 4 || switches.ipv6Text === 'as-sent') return text;
  return switches.ipv6Text === 'canonical' ? network : text.toLowerCase();
}

const refuse = (message: string): Refusal => new Refusal(400, 'ERR_INVALID_CIDR', message);
