import type { MadeResource } from '../preview-builder';
import { mixed } from './mixed';
import { policies } from './policies';
import type { Scenario, Verdict } from './scenario';
import { steps } from './steps';
import { traffic } from './traffic';
import { userAgents } from './user-agents';

const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const hidden: Readonly<Record<string, string>> = { '?': UNKNOWN, '*': '[secret]' };
const plain = (text = ''): string => hidden[text] ?? text;

/** `a = allow 8.8.8.0/24 @ipp_2`, or `s := allow 8.8.8.0/24, deny 8.8.8.1/32`. */
function policyResource(
  text: string,
): Pick<MadeResource, 'type' | 'name'> & { inputs: Readonly<Record<string, unknown>> } {
  const set = /^(\w+) (!?):= (.*)$/.exec(text);
  if (set) {
    const entries = (set[3] ?? '').split(', ').map((rule) => rule.split(' ') as [string, string]);
    const rules = JSON.stringify(Object.fromEntries(entries.map(([action, cidr]) => [cidr, { action }])));
    const inputs = { ipPolicyId: 'ipp_1', exclusive: set[2] === '!', rules };
    return { type: 'IpPolicyRuleSet', name: set[1] ?? '', inputs };
  }
  const [, name = text, action, cidr, policy, description] =
    /^(?:(\w+) = )?(\S+) (\S+)(?: @(\S+))?(?: #(\w+))?$/.exec(text) ?? [];
  const inputs = {
    ipPolicyId: plain(policy ?? 'ipp_1'),
    cidr: plain(cidr),
    action: plain(action),
    ...(description !== undefined && { description }),
  };
  return { type: 'IpPolicyRule', name, inputs };
}

function policyChange(before: readonly string[], after: readonly string[]): MadeResource[] {
  const [left, right] = [before, after].map(
    (side) => new Map(side.map((text) => [policyResource(text).name, text])),
  );
  return [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].map((name) => {
    const [old, wanted] = [left?.get(name), right?.get(name)];
    const { type } = policyResource(old ?? wanted ?? '');
    return {
      type,
      name,
      ...(old !== undefined && { before: policyResource(old).inputs }),
      ...(wanted !== undefined && { after: policyResource(wanted).inputs }),
    };
  });
}

const moduleChange = (
  type: MadeResource['type'],
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): MadeResource[] => [{ type, name: 'module', ...(before && { before }), ...(after && { after }) }];

function document(side: readonly string[] | null): Readonly<Record<string, unknown>> | undefined {
  if (!side) return undefined;
  const enabled = side[0] !== 'off';
  const texts = side.filter((text) => text !== 'off');
  if (texts[0]?.startsWith('raw '))
    return { edgeId: 'edgtcp_1', enabled, value: texts[0].slice('raw '.length) };
  const phases: Record<string, unknown[]> = {};
  texts.forEach((text, index) => {
    const [, phase = 'inbound', type, config, expressions] =
      /^(?:(\w+)\/)?([\w-]+)(\{.*?\})?(?:: (.*))?$/.exec(text) ?? [];
    const action = { type, ...(config !== undefined && { config: JSON.parse(config) as unknown }) };
    (phases[phase] ??= []).push({
      name: `rule ${index}`,
      expressions: expressions?.split(' ;; ') ?? [],
      actions: [action],
    });
  });
  return { edgeId: 'edgtcp_1', enabled, value: JSON.stringify(phases) };
}

function filter(side: readonly string[] | null): Readonly<Record<string, unknown>> | undefined {
  if (!side) return undefined;
  const list = (sign: string) => side.filter((text) => text.startsWith(sign)).map((text) => text.slice(1));
  return { edgeId: 'e', routeId: 'r', enabled: side[0] !== 'off', allow: list('+'), deny: list('-') };
}

const table = <Side>(
  scenarios: readonly Scenario<Side>[],
  resources: (before: Side, after: Side) => MadeResource[],
) =>
  scenarios.map(([name, why, before, after, wanted]) => ({
    name,
    why,
    wanted,
    resources: resources(before, after),
  }));

/** One change and the verdict that is wanted, as the resources of a preview. */
export interface ScenarioRow {
  readonly of: string;
  readonly name: string;
  readonly why: string;
  readonly wanted: Verdict;
  readonly resources: readonly MadeResource[];
}

/** The whole table. */
export const allScenarios: readonly ScenarioRow[] = [
  ...table(policies, policyChange).map((row) => ({ ...row, of: 'policy' })),
  ...table(traffic, (before, after) =>
    moduleChange('TcpEdgeTrafficPolicyModule', document(before), document(after)),
  ).map((row) => ({ ...row, of: 'traffic' })),
  ...table(userAgents, (before, after) =>
    moduleChange('HttpsEdgeRouteUserAgentFilterModule', filter(before), filter(after)),
  ).map((row) => ({ ...row, of: 'user agents' })),
  ...mixed.map(([name, why, resources, wanted]) => ({ name, why, resources, wanted, of: 'mixed' })),
  ...steps.map(([name, why, resources, wanted]) => ({ name, why, resources, wanted, of: 'steps' })),
];
