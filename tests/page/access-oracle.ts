// Who gets in by a stack as the oracle of the page makes them, one address at a time, in as few words as possible. It shares no code
// with the product.
import { isInNetwork, prefixOf } from '../unit/review/oracle/addresses';
import { isAdmitted } from '../unit/review/oracle/traffic-oracle';
import type { resource } from '../support/state-resource';

type Resource = ReturnType<typeof resource>;

/** Undefined if it depends on what nobody sees. */
type Outcome = boolean | undefined;

/** The words of the page for a network, by the id of each policy and edge. */
export function wordsFor(resources: readonly Resource[], network: string): Record<string, string> {
  const subjects = [...policiesOf(resources), ...edgesOf(resources)];
  return Object.fromEntries(
    subjects.map(({ id, networks, outcomeOf }) => [
      id,
      wordOf(addressesIn(network, networks).map(outcomeOf)),
    ]),
  );
}

/** Between two boundaries of networks all addresses are alike, so one of them is enough. */
function addressesIn(network: string, others: readonly string[]): string[] {
  const { width } = prefixOf(network);
  const [first, last] = endsOf(network);
  const boundaries = others
    .filter((other) => prefixOf(other).width === width)
    .map(endsOf)
    .flatMap(([begin, end]) => [begin, end + 1n]);
  return [first, ...boundaries].filter((at) => first <= at && at <= last).map((at) => textOf(at, width));
}

function endsOf(network: string): readonly [first: bigint, last: bigint] {
  const { prefix, width } = prefixOf(network);
  return [BigInt(`0b${prefix.padEnd(width, '0')}`), BigInt(`0b${prefix.padEnd(width, '1')}`)];
}

function textOf(address: bigint, width: number): string {
  const bits = address.toString(2).padStart(width, '0');
  if (width === 32) return (bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)).join('.');
  return (bits.match(/.{16}/g) ?? []).map((group) => parseInt(group, 2).toString(16)).join(':');
}

function wordOf(outcomes: readonly Outcome[]): string {
  if (outcomes.every((outcome) => outcome === true)) return 'In';
  if (outcomes.every((outcome) => outcome === false)) return 'Out';
  return outcomes.includes(true) && outcomes.includes(false) ? 'Partly' : 'Not decided';
}

interface Subject {
  readonly id: string;
  /** Those that its rules name. */
  readonly networks: readonly string[];
  readonly outcomeOf: (ip: string) => Outcome;
}

/** The inputs that decide, of whatever resource. */
interface Inputs {
  readonly ipPolicyId?: string;
  /** Not a text if it is secret. */
  readonly cidr?: string | object;
  readonly action?: string;
  readonly rules?: string;
  readonly exclusive?: boolean;
  readonly edgeId?: string;
  readonly enabled?: boolean;
  readonly value?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

const inputsOf = ({ inputs }: Resource): Inputs => inputs;

/** A rule; of a secret network it is not known whom it matches, nor of one that an exclusive set may have deleted. */
interface Rule {
  readonly isAllow: boolean;
  readonly network: string | undefined;
  readonly isSure: boolean;
}

function policiesOf(resources: readonly Resource[]): Subject[] {
  const policies = new Map<string, Rule[]>();
  const owners = new Map(
    resources.flatMap((each) =>
      inputsOf(each).exclusive === true ? [[inputsOf(each).ipPolicyId, each.urn]] : [],
    ),
  );
  for (const each of resources) {
    const { ipPolicyId, cidr, action, rules } = inputsOf(each);
    if (ipPolicyId === undefined) continue;
    const lines = rules?.split('\n').slice(1, -1);
    const declared = lines ? lines.map((line) => line.split(/:? /)) : [[cidr, action]];
    const isSure = (owners.get(ipPolicyId) ?? each.urn) === each.urn;
    const own = declared.map(([where, what]) => ({
      ...{ isAllow: what === 'allow', isSure },
      network: typeof where === 'string' ? where : undefined,
    }));
    policies.set(ipPolicyId, [...(policies.get(ipPolicyId) ?? []), ...own]);
  }
  return [...policies].map(([id, rules]) => ({
    id,
    networks: rules.flatMap(({ network }) => network ?? []),
    outcomeOf: (ip) => outcomeOfRules(rules, ip),
  }));
}

/** A denied address stays out, and so does one that nothing allows. */
function outcomeOfRules(rules: readonly Rule[], ip: string): Outcome {
  const matching = (isAllow: boolean, mustBeSure: boolean) =>
    rules.some((rule) => {
      if (rule.isAllow !== isAllow || (mustBeSure && !rule.isSure)) return false;
      return rule.network === undefined ? !mustBeSure : isInNetwork(ip, rule.network);
    });
  if (matching(false, true) || !matching(true, false)) return false;
  return matching(true, true) && !matching(false, false) ? true : undefined;
}

/** The country of a client is the one that is asked for, another one, or not known, so that the question fails. */
const COUNTRIES = ['XX', 'other', undefined];

const edgesOf = (resources: readonly Resource[]): Subject[] =>
  resources.map(inputsOf).flatMap(({ edgeId = '', enabled, value }) => {
    if (value === undefined) return [];
    const outcomeOf = (ip: string): Outcome => {
      const outcomes = COUNTRIES.map((country) => isAdmitted(value, enabled === true, { ip, country }));
      return outcomes.every((isIn) => isIn === outcomes[0]) ? outcomes[0] : undefined;
    };
    const networks = Array.from(value.matchAll(/client_ip, '([^']*)'/g), ([, network = '']) => network);
    return [{ id: edgeId, networks, outcomeOf }];
  });

/** The word of the page for a client of the route: an allow pattern wins, and one that is not valid may match anybody. */
export function wordForAgent(resources: readonly Resource[], userAgent: string): string {
  const { allow, deny } = resources.map(inputsOf).find((inputs) => inputs['deny']) as Record<
    string,
    string[]
  >;
  const matches = (patterns: readonly string[] = []): Outcome[] =>
    patterns.map((pattern) => {
      if (pattern === '(') return undefined;
      return new RegExp(pattern.replace('(?i)', ''), pattern.startsWith('(?i)') ? 'i' : '').test(userAgent);
    });
  if (matches(allow).includes(true)) return 'In';
  if (matches(deny).includes(true)) return 'Out';
  return matches(deny).includes(undefined) ? 'Not decided' : 'In';
}
