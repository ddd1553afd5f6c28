import type { Dice } from '../dice';
import {
  type Edit,
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

const MOST_PARTS = 12;
const MOST_RULES = 5;

const adding =
  (newPart: (program: Program, dice: Dice) => Part | undefined): Edit =>
  (program, dice) => {
    const part = program.length < MOST_PARTS ? newPart(program, dice) : undefined;
    return part === undefined ? program : [...program, part];
  };

/** New resources of a program. `add double` declares again what another resource declares. */
export const additions = {
  'add rule': adding((program, dice) => {
    const policy = dice.pick(policies);
    const network = dice.maybe(freeNetworks(program, policy));
    if (network === undefined || isOwned(program, policy)) return undefined;
    const name = freeName(program, 'rule');
    return { kind: 'rule', name, policy, ...newRule(network, dice), ...newOptions(dice) };
  }),
  'add set': adding((program, dice) => {
    const policy = dice.pick(policies);
    const free = freeNetworks(program, policy);
    if (free.length === 0 || isOwned(program, policy)) return undefined;
    const chosen = free.filter(() => dice.isLucky(1 / 3)).slice(0, MOST_RULES);
    const rules = chosen.map((network) => newRule(network, dice));
    return { ...emptySet(program, policy), rules, ...newOptions(dice) };
  }),
  'add module': adding((program, dice) => {
    const edge = freePlace(program, edges);
    return edge && { kind: 'edge', name: freeName(program, 'module'), edge, ...newModule(dice) };
  }),
  'add filter': adding((program, dice) => {
    const route = freePlace(program, routes);
    return route && { kind: 'route', name: freeName(program, 'filter'), route, ...newModule(dice) };
  }),
  // As when two teams make a mistake.
  'add double': adding((program, dice) => {
    const chosen = dice.maybe(rulesOf(program).filter(({ policy }) => !isOwned(program, policy)));
    if (chosen === undefined) return undefined;
    const { policy } = chosen;
    const rule = bare(chosen.rule);
    return dice.isLucky(0.5)
      ? { kind: 'rule', name: freeName(program, 'rule'), policy, ...rule, overwrites: true }
      : { ...emptySet(program, policy), rules: [rule] };
  }),
};

const newOptions = (dice: Dice): Pick<Part, 'overwrites'> => ({ overwrites: dice.isLucky(1 / 3) });

export const newContent = (dice: Dice): number => dice.below(6);

const newModule = (dice: Dice) => ({ content: newContent(dice), ...newOptions(dice) });

export const newRule = (network: Rule['network'], dice: Dice): Rule => ({
  network,
  action: dice.isLucky(1 / 3) ? 'deny' : 'allow',
  text: dice.pick(ownTexts),
});

/** The first place that no part has. */
function freePlace<Place extends string>(program: Program, places: readonly Place[]): Place | undefined {
  const taken = new Set(program.flatMap(placesOf));
  return places.find((place) => !taken.has(place));
}

/** The networks of a policy that no part declares. */
export function freeNetworks(program: Program, policy: string): Rule['network'][] {
  const taken = new Set(program.flatMap(placesOf));
  return networks.filter((network) => !taken.has(`${policy} ${network}`));
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
