import { agents, stepsOf, tcp, type MadeResource } from '../preview-builder';
import { SECRET, UNKNOWN } from '../inputs';
import { policies } from './policies';
import { resources } from './resources';
import { partsOf, type Scenarios, type Sides, type Wanted } from './scenario';
import { EXPRESSIONS, traffic } from './traffic';
import { userAgents } from './user-agents';

const hidden: Readonly<Record<string, string>> = { '?': UNKNOWN, '*': SECRET };
const plain = (text = ''): string => hidden[text] ?? text;

/** `a = allow 8.8.8.0/24 @ipp_2`, or `s := allow 8.8.8.0/24, deny 8.8.8.1/32 @ipp_2`; `!:=` is an exclusive set. */
function policyResource(
  text: string,
): Pick<MadeResource, 'type' | 'name'> & { inputs: Readonly<Record<string, unknown>> } {
  const set = /^(\w+) (!?):= (.*?)(?: @(\S+))?$/.exec(text);
  if (set) {
    const entries = (set[3] ?? '').split(', ').map((rule) => rule.split(' ') as [string, string]);
    const rules = JSON.stringify(Object.fromEntries(entries.map(([action, cidr]) => [cidr, { action }])));
    const inputs = { ipPolicyId: plain(set[4] ?? 'ipp_1'), exclusive: set[2] === '!', rules };
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

export function policyChange(sides: Sides): MadeResource[] {
  const [left, right] = partsOf(sides).map(
    (side) => new Map((side ?? []).map((text) => [policyResource(text).name, text])),
  );
  return [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].map((name) => {
    const [old, wanted] = [left?.get(name), right?.get(name)];
    const sideOf = (text: string | undefined) =>
      text === undefined ? undefined : policyResource(text).inputs;
    const { type } = policyResource(old ?? wanted ?? '');
    return stepsOf(type)(name, { before: sideOf(old), after: sideOf(wanted) });
  });
}

/** The change of one module, of which each side is made from its parts. */
function moduleChange(
  make: typeof tcp,
  sides: ReturnType<typeof partsOf>,
  inputsOf: (parts: readonly string[]) => object,
): MadeResource[] {
  const [before, after] = sides.map((parts) => (parts ? inputsOf(parts) : undefined));
  return [make('module', { before, after })];
}

function document(parts: readonly string[]): object {
  const enabled = parts[0] !== 'off';
  const texts = parts
    .filter((text) => text !== 'off')
    .map((text) => text.replace(/<(\w+)>/g, (_, name: string) => EXPRESSIONS[name] ?? name));
  if (texts[0]?.startsWith('raw '))
    return { edgeId: 'edgtcp_1', enabled, value: texts[0].slice('raw '.length) };
  const phases: Record<string, unknown[]> = {};
  texts.forEach((text, index) => {
    const [, phase = 'inbound', type, config, expression] =
      /^(?:(\w+)\/)?([\w-]+)(\{.*?\})?(?:: (.*))?$/.exec(text) ?? [];
    const action = { type, ...(config !== undefined && { config: JSON.parse(config) as unknown }) };
    (phases[phase] ??= []).push({
      name: `rule ${index}`,
      expressions: expression === undefined ? [] : [expression],
      actions: [action],
    });
  });
  return { edgeId: 'edgtcp_1', enabled, value: JSON.stringify(phases) };
}

function filter(parts: readonly string[]): object {
  const list = (sign: string) => parts.filter((text) => text.startsWith(sign)).map((text) => text.slice(1));
  return { edgeId: 'e', routeId: 'r', enabled: parts[0] !== 'off', allow: list('+'), deny: list('-') };
}

export function userAgentChange(sides: Sides): MadeResource[] {
  return moduleChange(agents, partsOf(sides, ' '), filter);
}

/** One change and the verdict that is wanted, as the resources of a preview. */
export interface ScenarioRow {
  readonly of: string;
  readonly name: string;
  readonly wanted: Wanted;
  readonly resources: readonly MadeResource[];
}

function rowsOf<Change>(
  of: string,
  scenarios: Scenarios<Change>,
  resourcesOf: (change: Change) => readonly MadeResource[],
): ScenarioRow[] {
  return Object.entries(scenarios).flatMap(([wanted, changes]) =>
    Object.entries(changes).map(([name, change]) => ({
      ...{ of, name, wanted: wanted as Wanted },
      resources: resourcesOf(change),
    })),
  );
}

/** The resources of a change in the notation of each table. */
const changeOf = {
  policy: policyChange,
  traffic: (sides: Sides) => moduleChange(tcp, partsOf(sides), document),
  'user agents': userAgentChange,
};

/** The whole table. */
export const allScenarios: readonly ScenarioRow[] = [
  ...rowsOf('policy', policies, changeOf.policy),
  ...rowsOf('traffic', traffic, changeOf.traffic),
  ...rowsOf('user agents', userAgents, changeOf['user agents']),
  ...rowsOf('resources', resources, (made) => made),
];
