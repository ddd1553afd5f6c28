// Programs of many changes, each in two policies and on an edge of its own, so that one run carries all of them.
import { readPreviewDocument, readStackState } from '../../../review/src';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { literal, program } from '../../support/programs';
import type { PulumiStack } from '../../support/pulumi-stack';
import type { Program } from '../../support/stack-options';
import { ownResources, type StackState } from '../../support/stack-state';

/** A change as the program before and after it, in the words of {@link WORDS}. */
export interface Change {
  readonly before: string;
  readonly after: string;
  /** A program between them whose deletes are refused, so that it leaves something to be deleted. */
  readonly between: string;
  /** A program of which the service refuses deletes and answers nothing else, whether or not it is carried out. */
  readonly lost?: string;
}

export const change = (before: string, after: string, between = before): Change => ({
  before,
  after,
  between,
});

/**
 * `one`, `set`, `edge` and `route` declare a rule, a set and modules; `was` is an alias, and `get` a look-up of an object of the
 * state. A, B and C are networks, of which all are allowed but those in `deny`.
 */
const WORDS = `
const [A, B, C] = ['10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24'];
const FORCED = { overwriteExisting: true };
const FIRST = { deleteBeforeReplace: false };
const DENY = { action: 'deny' };
const deny = (cidr) => ({ cidr, ...DENY });
const of = (place, policies, edgeId, routeId) => ({
  one: (name, cidr, { at = 0, ...more } = {}, options = {}) =>
    new IpPolicyRule(place + '-' + name, { ipPolicyId: policies[at], cidr, action: 'allow', ...more }, options),
  set: (name, rules, { at = 0, ...more } = {}, options = {}) =>
    new IpPolicyRuleSet(place + '-' + name, { ipPolicyId: policies[at],
      rules: rules.map((rule) => (rule.cidr ? rule : { cidr: rule, action: 'allow' })), ...more }, options),
  edge: (name, cidrs, more = {}, options = {}) =>
    new TcpEdgeTrafficPolicyModule(place + '-' + name, { edgeId, value: { inbound: cidrs.map((cidr) => ({ name: cidr,
      expressions: ["inCidrRange(conn.client_ip, '" + cidr + "')"], actions: [{ type: 'deny' }] })) }, ...more }, options),
  route: (name, deny, more = {}, options = {}) =>
    new HttpsEdgeRouteUserAgentFilterModule(place + '-' + name,
      { edgeId: '${httpsEdgeId}', routeId, deny: [deny], ...more }, options),
  was: (name) => ({ aliases: [{ name: place + '-' + name }] }),
  idOf: (name) => ids[place + '-' + name],
  get: (type, name, id) => void (id && type.get(place + '-' + name, id)),
});`;

const letters = (index: number): string =>
  [Math.floor(index / 26), index % 26].map((at) => String.fromCharCode(97 + at)).join('');

export const policiesOf = (index: number): [string, string] => [
  `${policyId.slice(0, -3)}p${letters(index)}`,
  `${policyId.slice(0, -3)}q${letters(index)}`,
];
export const edgeOf = (index: number): string => `${tcpEdgeId.slice(0, -2)}${letters(index)}`;

/** The number of the change that a resource belongs to, as all or none. */
export const changesIn = (urn = ''): number[] => /::c(\d+)-[^:]*$/.exec(urn)?.slice(1).map(Number) ?? [];

/** The ids of a state, by the former names of the resources. */
export const idsIn = (state: StackState): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    ownResources(state).flatMap(({ urn, id, ...each }) =>
      'delete' in each ? [] : [[/::((?:c\d+-)?[^:-]*)[^:]*$/.exec(urn)?.[1] ?? '', id]],
    ),
  );

/** A program with a part for each change, and none for those without one; before them, what they share. */
export const programOf = (parts: readonly (string | undefined)[], shared = ''): Program =>
  program(
    [
      WORDS,
      shared,
      ...parts.flatMap((part, index) => {
        if (part === undefined) return [];
        const route = `${routeId.slice(0, -2)}${letters(index)}`;
        const place = [`c${index}`, policiesOf(index), edgeOf(index), route].map(literal).join(', ');
        return `{ const { one, set, edge, route, was, idOf, get } = of(${place}); ${part} }`;
      }),
      'return {};',
    ].join('\n'),
  );

/** The whole of what a run would do, and what the state says before it. */
export async function previewed(stack: PulumiStack) {
  const { stdout } = await stack.call(['preview', '--json', '--show-sames', '--show-replacement-steps']);
  return { preview: readPreviewDocument(stdout), state: stateOf(await stack.state()) };
}

export const stateOf = ({ pendingOperations, ...deployment }: StackState) =>
  readStackState(JSON.stringify({ deployment: { ...deployment, pending_operations: pendingOperations } }));
