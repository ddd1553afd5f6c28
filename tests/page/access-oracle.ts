// Who gets in by a stack as the oracle of the page makes them, one address at a time, in as few words as possible. It shares no code
// with the product.
import type { resource } from '../support/state-resource';

type Resource = ReturnType<typeof resource>;

/** The addresses of a network. */
interface Span {
  readonly isSix: boolean;
  readonly first: bigint;
  readonly last: bigint;
}

/** Undefined if it depends on what nobody sees. */
type Outcome = boolean | undefined;

/** One address as a number. */
interface Point {
  readonly isSix: boolean;
  readonly at: bigint;
}

function spanOf(text: string): Span {
  const [address = '', length] = text.split('/');
  const isSix = address.includes(':');
  const [bits, parts] = isSix ? [128, groupsOf(address)] : [32, address.split('.').map(BigInt)];
  const value = parts.reduce((sum, part) => (sum << BigInt(isSix ? 16 : 8)) + part, 0n);
  const size = 1n << BigInt(bits - Number(length ?? bits));
  const first = value - (value % size);
  return { isSix, first, last: first + size - 1n };
}

function groupsOf(address: string): bigint[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').flatMap((group) => (group === '' ? [] : BigInt(`0x${group}`))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0n), ...tail];
}

const isIn = (span: Span, { isSix, at }: Point): boolean =>
  span.isSix === isSix && span.first <= at && at <= span.last;

/** A rule; of a secret network it is not known whom it matches, nor of one that an exclusive set may have deleted. */
interface Rule {
  readonly isAllow: boolean;
  readonly span: Span | undefined;
  readonly isSure: boolean;
}

/** The words of the page for a network, by the id of each policy and edge. */
export function wordsFor(resources: readonly Resource[], network: string): Record<string, string> {
  const { first, last, isSix } = spanOf(network);
  const subjects = [...policiesOf(resources), ...edgesOf(resources)];
  return Object.fromEntries(
    subjects.map(({ id, spans, outcomeOf }) => {
      // Between two boundaries of networks all addresses are alike.
      const boundaries = [first, ...spans.flatMap((span) => [span.first, span.last + 1n])];
      const points = boundaries.filter((at) => first <= at && at <= last).map((at) => ({ isSix, at }));
      return [id, wordOf(points.map(outcomeOf))];
    }),
  );
}

function wordOf(outcomes: readonly Outcome[]): string {
  if (outcomes.every((outcome) => outcome === true)) return 'In';
  if (outcomes.every((outcome) => outcome === false)) return 'Out';
  return outcomes.includes(true) && outcomes.includes(false) ? 'Partly' : 'Not decided';
}

interface Subject {
  readonly id: string;
  readonly spans: readonly Span[];
  readonly outcomeOf: (point: Point) => Outcome;
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
    const declared =
      rules === undefined
        ? [[cidr, action]]
        : rules
            .split('\n')
            .slice(1, -1)
            .map((line) => line.split(/:? /));
    const isSure = (owners.get(ipPolicyId) ?? each.urn) === each.urn;
    for (const [where, what] of declared) {
      const span = typeof where === 'string' ? spanOf(where) : undefined;
      const others = policies.get(ipPolicyId) ?? [];
      policies.set(ipPolicyId, [...others, { isAllow: what === 'allow', span, isSure }]);
    }
  }
  return [...policies].map(([id, rules]) => ({
    id,
    spans: rules.flatMap(({ span }) => span ?? []),
    outcomeOf: (point) => outcomeOfRules(rules, point),
  }));
}

/** A denied address stays out, and so does one that nothing allows. */
function outcomeOfRules(rules: readonly Rule[], point: Point): Outcome {
  const matching = (isAllow: boolean, mustBeSure: boolean) =>
    rules.some((rule) => {
      if (rule.isAllow !== isAllow || (mustBeSure && !rule.isSure)) return false;
      return rule.span === undefined ? !mustBeSure : isIn(rule.span, point);
    });
  if (matching(false, true) || !matching(true, false)) return false;
  return matching(true, true) && !matching(false, false) ? true : undefined;
}

/** The country of a client is the one that is asked for, another one, or not known, so that the question fails. */
const COUNTRIES = ['XX', 'other', 'error'] as const;

function edgesOf(resources: readonly Resource[]): Subject[] {
  return resources.flatMap((each) => {
    const { edgeId = '', enabled, value } = inputsOf(each);
    if (value === undefined) return [];
    const { inbound } = JSON.parse(value) as {
      inbound: { expressions: string[]; actions: { type: string }[] }[];
    };
    const denials = (enabled === true ? inbound : [])
      .filter(({ actions }) => actions[0]?.type === 'deny')
      .map(({ expressions: [text = ''] }) => {
        const network = /inCidrRange\(conn\.client_ip, '([^']*)'\)/.exec(text)?.[1];
        return { isNegated: text.startsWith('!'), span: network === undefined ? undefined : spanOf(network) };
      });
    const outcomeOf = (point: Point): Outcome => {
      const outcomes = COUNTRIES.map(
        (country) =>
          !denials.some(({ span, isNegated }) =>
            span ? isIn(span, point) !== isNegated : country === (isNegated ? 'other' : 'XX'),
          ),
      );
      return outcomes.every((letsIn) => letsIn === outcomes[0]) ? outcomes[0] : undefined;
    };
    return [{ id: edgeId, spans: denials.flatMap(({ span }) => span ?? []), outcomeOf }];
  });
}

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
