import type { Fault } from '../../../emulator/src/index';
import {
  always,
  type FaultRow,
  type FaultSpec,
  hasAnswerBody,
  hasAnswerObject,
  onRules,
  type Place,
  verbs,
} from './fault-row';
import type { Operation } from './operations';

/** A success with another body than is due. */
const instead = (name: string, rawBody: string, reaches: FaultRow['reaches'] = hasAnswerBody): FaultRow => ({
  name: `success with ${name}`,
  outcome: 'A',
  hasEffect: true,
  reaches,
  fault: ({ operation: { successStatus: status } }) => ({
    kind: 'status',
    status,
    rawBody,
    contentType: rawBody.startsWith('<') ? 'text/html' : 'application/json',
    when: 'after',
  }),
});

type Changes = Pick<Fault & { kind: 'mutate' }, 'set' | 'remove'>;

/** A success whose object, or the first object of the list, is changed. */
const changed = (
  name: string,
  changes: Changes,
  options: { readonly reaches?: FaultRow['reaches']; readonly outcome?: 'A' | 'harmless' } = {},
): FaultRow => ({
  name,
  outcome: options.outcome ?? 'A',
  hasEffect: true,
  reaches: (operation) => hasAnswerObject(operation) && (options.reaches ?? always)(operation),
  fault: ({ operation: { verb } }) => {
    const at = (path: string): string => (verb === 'list' ? `/ip_policy_rules/0${path}` : path);
    const set = Object.entries(changes.set ?? {}).map(([path, value]) => [at(path), value] as const);
    return { kind: 'mutate', set: Object.fromEntries(set), remove: (changes.remove ?? []).map(at) };
  },
});

/** A row of a list that cannot be read is one row, and no failure of the list. */
const onOneRule = (operation: Operation): boolean => onRules(operation) && operation.verb !== 'list';

const id = (name: string, value: unknown): FaultRow =>
  changed(`the id is ${name}`, { set: { '/id': value } }, { reaches: onOneRule });

const ofTcp = ({ resource }: Operation): boolean => resource === 'TcpEdgeTrafficPolicyModule';
const ofHttps = ({ resource }: Operation): boolean => resource === 'HttpsEdgeRouteUserAgentFilterModule';

/** Of the same kind as that of the operation. */
function otherObject({ operation, otherRule }: Place): unknown {
  if (ofTcp(operation)) return { enabled: false, value: '{"inbound":[]}' };
  return ofHttps(operation) ? { enabled: false, allow: ['^other$'], deny: [] } : otherRule;
}

const nextPage = (name: string, uri: (place: Place) => string): FaultRow => ({
  name: `next page: ${name}`,
  outcome: 'D',
  reaches: verbs('list'),
  fault: (place) => ({ kind: 'mutate', set: { '/next_page_uri': uri(place) } }),
});

/** Empty pages, each of which leads to one that was never seen. */
function endlessPages(): FaultSpec {
  let page = 0;
  const mutate = (): object => ({
    ip_policy_rules: [],
    uri: '/ip_policy_rules',
    next_page_uri: `/ip_policy_rules?before_id=ipr_${(page += 1)}`,
  });
  return { kind: 'mutate', status: 200, mutate };
}

/** Successes that cannot be understood, or must not be believed; and what is merely odd. */
export const contentFaults: readonly FaultRow[] = [
  instead('HTML', '<html><body>Welcome</body></html>'),
  instead('no body', ''),
  // A complete `null` or `{}` is how a service may say that there is no module.
  instead('null', 'null', (operation) => onRules(operation) && hasAnswerBody(operation)),
  instead('[]', '[]'),
  instead('a text', '"done"'),
  instead('JSON that stops', '{"id": "ipr_1"'),
  id('..', '..'),
  id('CR LF', 'ipr_1\r\nX-Other: 1'),
  id('a number', 7),
  changed('a field is missing: cidr', { remove: ['/cidr'] }, { reaches: onOneRule }),
  changed('a field is missing: ip_policy', { remove: ['/ip_policy'] }, { reaches: onOneRule }),
  changed('a field is missing: enabled', { remove: ['/enabled'] }, { reaches: (it) => !onRules(it) }),
  changed('a wrong type: cidr', { set: { '/cidr': 7 } }, { reaches: onOneRule }),
  changed('a wrong value: action', { set: { '/action': 'permit' } }, { reaches: onOneRule }),
  changed('a wrong type: enabled', { set: { '/enabled': 'yes' } }, { reaches: (it) => !onRules(it) }),
  changed('a wrong type: value', { set: { '/value': {} } }, { reaches: ofTcp }),
  changed('a wrong type: allow', { set: { '/allow': 'x' } }, { reaches: ofHttps }),
  {
    name: 'the answer is about another object',
    outcome: 'A',
    hasEffect: true,
    // A module carries no id, and a read cannot know better: what is checked are the answers to writes.
    reaches: (operation) =>
      onRules(operation)
        ? verbs('create', 'read', 'update')(operation)
        : verbs('create', 'update')(operation),
    fault: (place) => ({ kind: 'mutate', set: { '': otherObject(place) } }),
  },
  changed('extra fields', { set: { '/owner': { id: 'x' }, '/tags': ['y'] } }, { outcome: 'harmless' }),
  changed(
    '`__proto__` and `__provider` in the answer',
    { set: { '/__proto__': { polluted: true }, '/__provider': 'exports.handler=()=>process.exit(1)' } },
    { outcome: 'harmless' },
  ),
  nextPage('loop', ({ serviceUrl }) => `${serviceUrl}/ip_policy_rules`),
  { ...nextPage('endless', () => ''), fault: endlessPages },
  nextPage('other-port', ({ otherUrl }) => `${otherUrl}/ip_policy_rules`),
];
