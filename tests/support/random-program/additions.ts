import type { Dice } from '../dice';
import {
  edges,
  networks,
  ownTexts,
  type Part,
  placesOf,
  policies,
  type Program,
  routes,
  type Rule,
  rulesOf,
  type SetPart,
} from './program';

/** New resources of a program. `add double` declares again what another resource declares. */
export const additionKinds = ['add rule', 'add set', 'add module', 'add filter', 'add double'] as const;

export type AdditionKind = (typeof additionKinds)[number];

const MOST_PARTS = 12;
const MOST_RULES = 5;

export function addition(program: Program, kind: AdditionKind, dice: Dice): Program {
  if (program.length >= MOST_PARTS) return program;
  const part = newPart(program, kind, dice);
  return part === undefined ? program : [...program, part];
}

function newPart(program: Program, kind: AdditionKind, dice: Dice): Part | undefined {
  switch (kind) {
    case 'add rule':
      return newRule(program, dice);
    case 'add set':
      return newSet(program, dice);
    case 'add double':
      return double(program, dice);
    default:
      return newModule(program, kind, dice);
  }
}

const newOptions = (dice: Dice): Pick<Part, 'overwrites'> => ({ overwrites: dice.isLucky(1 / 3) });

export const newContent = (dice: Dice): number => dice.below(6);

function newModule(program: Program, kind: 'add module' | 'add filter', dice: Dice): Part | undefined {
  const taken = new Set(program.flatMap(placesOf));
  const isFree = (place: string): boolean => !taken.has(place);
  const common = { content: newContent(dice), ...newOptions(dice) };
  if (kind === 'add module') {
    const edge = edges.find(isFree);
    return edge && { kind: 'edge', name: freeName(program, 'module'), edge, ...common };
  }
  const route = routes.find(isFree);
  return route && { kind: 'route', name: freeName(program, 'filter'), route, ...common };
}

function newRule(program: Program, dice: Dice): Part | undefined {
  const policy = dice.pick(policies);
  const network = dice.maybe(freeNetworks(program, policy));
  if (network === undefined || isOwned(program, policy)) return undefined;
  const action = dice.isLucky(1 / 3) ? 'deny' : 'allow';
  const rule: Rule = { network, action, text: dice.pick(ownTexts) };
  return { kind: 'rule', name: freeName(program, 'rule'), policy, ...rule, ...newOptions(dice) };
}

function newSet(program: Program, dice: Dice): Part | undefined {
  const policy = dice.pick(policies);
  const free = freeNetworks(program, policy);
  if (free.length === 0 || isOwned(program, policy)) return undefined;
  const rules = free
    .filter(() => dice.isLucky(1 / 3))
    .slice(0, MOST_RULES)
    .map((network): Rule => ({
      network,
      action: dice.isLucky(1 / 3) ? 'deny' : 'allow',
      text: dice.pick(ownTexts),
    }));
  return { ...emptySet(program, policy), rules, ...newOptions(dice) };
}

/** The networks of a policy that no part declares. */
export function freeNetworks(program: Program, policy: string): Rule['network'][] {
  const taken = new Set(program.flatMap(placesOf));
  return networks.filter((network) => !taken.has(`${policy} ${network}`));
}

/** A second declaration of a network, alone or in a set of its own, as when two teams make a mistake. */
function double(program: Program, dice: Dice): Part | undefined {
  const chosen = dice.maybe(rulesOf(program).filter(({ policy }) => !isOwned(program, policy)));
  if (chosen === undefined) return undefined;
  const { policy } = chosen;
  const rule = bare(chosen.rule);
  return dice.isLucky(0.5)
    ? { kind: 'rule', name: freeName(program, 'rule'), policy, ...rule, overwrites: true }
    : { ...emptySet(program, policy), rules: [rule] };
}

export const bare = ({ network, action, text }: Rule): Rule => ({ network, action, text });

/** Whether an exclusive set owns the whole policy. */
export const isOwned = (program: Program, policy: string): boolean =>
  program.some((part) => part.kind === 'set' && part.isExclusive && part.policy === policy);

/** The first name of its kind that no part has, or had before a rename. */
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
