import type { Bag } from '../../support/host-process';
import { otherPolicyId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';

export const policies = [policyId, otherPolicyId] as const;
export const edges = [tcpEdgeId, otherTcpEdgeId, `${tcpEdgeId.slice(0, -1)}c`] as const;
export const routes = [routeId, otherRouteId] as const;

/** The networks of all programs: some lie in others, so that the order of requests matters. */
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

/** Those that programs write. */
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
  /** When a rule of a set ends. */
  readonly until?: string;
}

interface Common {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly dependsOn?: readonly string[];
  /** How the resource depends on those: not by any input, by one that changes, or by one whose change replaces it. */
  readonly link?: 'change' | 'replace';
  readonly overwrites: boolean;
  readonly replaceOnChanges?: boolean;
  /** An explicit provider, for the same account. */
  readonly provider?: string;
  /** What is written is refused by check. */
  readonly isRefused?: boolean;
}

export interface RulePart extends Common, Rule {
  readonly kind: 'rule';
  readonly policy: string;
  /** The text that is written, while `ignoreChanges` keeps the one that state has. */
  readonly ignoredText?: TextName;
}

export interface SetPart extends Common {
  readonly kind: 'set';
  readonly policy: string;
  readonly rules: readonly Rule[];
  /** Those that are written and have ended. */
  readonly ended?: readonly Rule[];
  readonly isExclusive: boolean;
}

export interface EdgePart extends Common {
  readonly kind: 'edge';
  readonly edge: string;
  readonly content: number;
}

export interface RoutePart extends Common {
  readonly kind: 'route';
  readonly route: string;
  readonly content: number;
}

/** One resource of a program. */
export type Part = RulePart | SetPart | EdgePart | RoutePart;

/** What somebody has written down, in the order in which it is registered. */
export type Program = readonly Part[];

/** The program, in which each text that `ignoreChanges` keeps is the one that state has. */
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

/** The rules that a program declares, whatever resource they are in. */
export const rulesOf = (program: Program): { readonly policy: string; readonly rule: Rule }[] =>
  program.flatMap((part) => {
    if (part.kind === 'rule') return [{ policy: part.policy, rule: part }];
    return part.kind === 'set' ? part.rules.map((rule) => ({ policy: part.policy, rule })) : [];
  });

/** The program as a process that begins now takes it: what is written stays, and what has ended asks for nothing. */
export const inForce = (program: Program, nowMs: number): Program =>
  program.some(
    (part) => part.kind === 'set' && [...part.rules, ...(part.ended ?? [])].some(({ until }) => until),
  )
    ? program.map((part) => {
        if (part.kind !== 'set') return part;
        const all = [...part.rules, ...(part.ended ?? [])];
        const isOver = ({ until }: Rule): boolean => until !== undefined && Date.parse(until) <= nowMs;
        return { ...part, rules: all.filter((rule) => !isOver(rule)), ended: all.filter(isOver) };
      })
    : program;

/** What a part stands for, so that no two parts may stand for the same. */
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

/** The program without what check refuses. */
export const mended = (program: Program): Program => program.map(({ isRefused: _, ...part }) => part);

/** The program without what it declares twice, or beside an exclusive set. */
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
