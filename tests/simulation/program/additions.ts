import {
  edges,
  networks,
  type Part,
  placesOf,
  policies,
  type Program,
  routes,
  type Rule,
  type SetPart,
} from './program';

/** Resources that are new in a program. `add double` declares what another one declares already. */
export const additionKinds = ['add rule', 'add set', 'add module', 'add filter', 'add double'] as const;

export type AdditionKind = (typeof additionKinds)[number];

interface Choice {
  readonly which: number;
  readonly how: number;
}

const MOST_PARTS = 12;

export function addition(program: Program, kind: AdditionKind, choice: Choice): Program {
  if (program.length >= MOST_PARTS) return program;
  const part = kind === 'add double' ? double(program, choice) : newPart(program, kind, choice);
  return part === undefined ? program : [...program, part];
}

function newPart(program: Program, kind: AdditionKind, { which, how }: Choice): Part | undefined {
  const taken = new Set(program.flatMap(placesOf));
  const overwrites = how % 3 === 0;
  if (kind === 'add module' || kind === 'add filter') {
    const places = kind === 'add module' ? edges : routes;
    const place = places.find((candidate) => !taken.has(candidate));
    if (place === undefined) return undefined;
    const content = how % 6;
    return kind === 'add module'
      ? { kind: 'edge', name: freeName(program, 'module'), edge: place, content, overwrites }
      : { kind: 'route', name: freeName(program, 'filter'), route: place, content, overwrites };
  }
  const policy = policies[which % policies.length] ?? policies[0];
  if (isOwned(program, policy)) return undefined;
  const free = networks.filter((network) => !taken.has(`${policy} ${network}`));
  const rule = ruleFor(free, { which, how });
  if (rule === undefined) return undefined;
  if (kind === 'add rule') {
    return { kind: 'rule', name: freeName(program, 'rule'), policy, overwrites, ...rule };
  }
  const rules = free
    .filter((_, index) => ((how >> (index % 8)) + index + which) % 3 === 0)
    .slice(0, 5)
    .map((network, index): Rule => ({
      network,
      action: (which + index) % 3 === 0 ? 'deny' : 'allow',
      text: index % 3,
    }));
  return { kind: 'set', name: freeName(program, 'set'), policy, overwrites, rules, isExclusive: false };
}

function ruleFor(free: readonly Rule['network'][], { which, how }: Choice): Rule | undefined {
  const network = free[(which * 7 + how) % Math.max(1, free.length)];
  return network === undefined
    ? undefined
    : { network, action: how % 3 === 1 ? 'deny' : 'allow', text: how % 4 };
}

/** A second declaration of a network, alone or in a set of its own, as a mistake of two teams. */
function double(program: Program, { which, how }: Choice): Part | undefined {
  const declared = program.flatMap((part) => {
    if (part.kind === 'rule') return [{ policy: part.policy, rule: part }];
    return part.kind === 'set' ? part.rules.map((rule) => ({ policy: part.policy, rule })) : [];
  });
  const chosen = declared[which % Math.max(1, declared.length)];
  if (chosen === undefined || isOwned(program, chosen.policy)) return undefined;
  const { network, action, text } = chosen.rule;
  const rule: Rule = { network, action, text };
  const common = { policy: chosen.policy, overwrites: true };
  if (how % 2 === 0) return { kind: 'rule', name: freeName(program, 'rule'), ...common, ...rule };
  return { kind: 'set', name: freeName(program, 'set'), ...common, rules: [rule], isExclusive: false };
}

/** Whether an exclusive set stands for the whole policy. */
export const isOwned = (program: Program, policy: string): boolean =>
  program.some((part) => part.kind === 'set' && part.isExclusive && part.policy === policy);

/** The first name of its kind that no part has, nor had before a rename. */
export function freeName(program: Program, base: string): string {
  const names = new Set(program.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  let number = 0;
  while (names.has(`${base}${number}`)) number += 1;
  return `${base}${number}`;
}

export const emptySet = (program: Program, policy: string): SetPart => ({
  kind: 'set',
  name: freeName(program, 'set'),
  policy,
  rules: [],
  isExclusive: false,
  overwrites: true,
});
