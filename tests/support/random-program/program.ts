// What for: random programs, and the edits that people make.
// Must not know: the network, the watches, and what becomes of a program.
import type { Dice } from '../dice';
import type { Bag } from '../host-process';
import { otherPolicyId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../ids';

export const policies = [policyId, otherPolicyId] as const;
export const edges = [tcpEdgeId, otherTcpEdgeId, `${tcpEdgeId.slice(0, -1)}c`] as const;
export const routes = [routeId, otherRouteId] as const;

/** The networks of all programs: some are nested, so that the order of requests matters. */
export const networks = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.0/24',
  '10.1.2.3/32',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '2001:db8::/32',
  '2001:db8:1::/48',
  '203.0.113.0/24',
  '203.0.113.0/25',
] as const;

export type Network = (typeof networks)[number];
export type Action = 'allow' | 'deny';

/** The description and metadata of a rule, by name. */
export const TEXTS = {
  none: {},
  office: { description: 'office' },
  'office v1': { description: 'office', metadata: '{"v":1}' },
  v2: { metadata: '{"v":2}' },
  /** What others write into a rule of ours. */
  theirs: { description: 'theirs' },
} as const satisfies Readonly<Record<string, Bag>>;

export type TextName = keyof typeof TEXTS;

/** What programs write. */
export const ownTexts = ['none', 'office', 'office v1', 'v2'] as const;

const textNameOf = ({ description, metadata }: Bag): TextName | undefined =>
  (Object.keys(TEXTS) as TextName[]).find((name) => {
    const said: Bag = TEXTS[name];
    return said['description'] === description && said['metadata'] === metadata;
  });

/** One rule, alone or in a set. */
export interface Rule {
  readonly network: Network;
  readonly action: Action;
  readonly text: TextName;
}

interface Common {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly overwrites: boolean;
  readonly replaceOnChanges?: boolean;
  /** An explicit provider, for the same account. */
  readonly provider?: string;
  /** Check refuses the declaration. */
  readonly isRefused?: boolean;
}

export interface RulePart extends Common, Rule {
  readonly kind: 'rule';
  readonly policy: string;
  /** The declared text, while `ignoreChanges` keeps the one in state. */
  readonly ignoredText?: TextName;
}

export interface SetPart extends Common {
  readonly kind: 'set';
  readonly policy: string;
  readonly rules: readonly Rule[];
  readonly isExclusive: boolean;
}

interface EdgePart extends Common {
  readonly kind: 'edge';
  readonly edge: string;
  readonly content: number;
}

interface RoutePart extends Common {
  readonly kind: 'route';
  readonly route: string;
  readonly content: number;
}

/** One resource of a program. */
export type Part = RulePart | SetPart | EdgePart | RoutePart;

/** A program, with its resources in the order of registration. */
export type Program = readonly Part[];

/** One thing that people do to a program; without effect if it makes no sense there. */
export type Edit = (program: Program, dice: Dice) => Program;

/** The program in which each text that `ignoreChanges` keeps is the one in state. */
export const asKept = (program: Program, inputsOf: (part: Part) => Bag | undefined): Program =>
  program.map((part) => {
    if (part.kind !== 'rule' || part.ignoredText === undefined) return part;
    return { ...part, text: textNameOf(inputsOf(part) ?? TEXTS[part.ignoredText]) ?? part.text };
  });

export const policyOf = (content: number): Bag => ({
  enabled: content % 3 !== 2,
  value: JSON.stringify({
    inbound: [{ name: `policy ${content}`, expressions: ['true'], actions: [{ type: 'deny' }] }],
  }),
});

export const filterOf = (content: number): Bag => ({
  enabled: content % 3 !== 2,
  deny: [['bad.*bot'], ['bad.*bot', 'worse'], ['worse']][content % 3],
  allow: [[], ['good']][content % 2],
});

/** The rules that a program declares, in whatever resource. */
export const rulesOf = (program: Program): { readonly policy: string; readonly rule: Rule }[] =>
  program.flatMap((part) => {
    if (part.kind === 'rule') return [{ policy: part.policy, rule: part }];
    return part.kind === 'set' ? part.rules.map((rule) => ({ policy: part.policy, rule })) : [];
  });

/** The object of a part, of which no two parts may have the same. */
export const placesOf = (part: Part): string[] => {
  switch (part.kind) {
    case 'rule':
      return [`${part.policy} ${part.network}`];
    case 'set':
      return part.rules.map(({ network }) => `${part.policy} ${network}`);
    case 'edge':
      return [part.edge];
    case 'route':
      return [part.route];
  }
};

/** The program without the declarations that check refuses. */
export const mended = (program: Program): Program => program.map(({ isRefused: _, ...part }) => part);

/** The program without double declarations, and those next to an exclusive set. */
export function withoutConflicts(program: Program): Program {
  const taken = new Set<string>();
  const exclusive = new Set(
    program.flatMap((part) => (part.kind === 'set' && part.isExclusive ? [part.policy] : [])),
  );
  const owners = new Set<string>();
  return program.filter((part) => {
    if (part.kind === 'rule' || part.kind === 'set') {
      const isOwner = part.kind === 'set' && part.isExclusive && !owners.has(part.policy);
      if (exclusive.has(part.policy) && !isOwner) return false;
      if (isOwner) owners.add(part.policy);
    }
    const places = placesOf(part);
    if (places.some((place) => taken.has(place))) return false;
    for (const place of places) taken.add(place);
    return true;
  });
}
