import type { Dice } from '../dice';
import { addition, type AdditionKind, additionKinds, freeNetworks, newContent } from './additions';
import { engineEdited, type EngineEditKind, engineEditKinds } from './engine-edits';
import { moveRules, type MoveKind, moveKinds } from './moves';
import {
  type EdgePart,
  ownTexts,
  type Part,
  type Program,
  type RoutePart,
  type Rule,
  type SetPart,
} from './program';

/** What people do to a program between two runs. */
export const editKinds = [
  ...additionKinds,
  ...moveKinds,
  'drop',
  'rename',
  'rename with alias',
  'change',
  'flip',
  'toggle exclusive',
  'toggle overwriteExisting',
  'depend',
  'shift modules',
  'rotate modules',
] as const;

/** A property that one resource loses or changes; a part of `change` that a story asks for by name. */
export const changeKinds = ['reword', 'shorten'] as const;

export type EditKind = (typeof editKinds)[number] | (typeof changeKinds)[number] | EngineEditKind;

/** The program after an edit; unchanged if the edit makes no sense. */
export function edited(program: Program, kind: EditKind, dice: Dice): Program {
  if (isAddition(kind)) return addition(program, kind, dice);
  if (isOfEngine(kind)) return engineEdited(program, kind, dice);
  if (isMove(kind)) return moveRules(program, kind, dice);
  if (kind === 'shift modules' || kind === 'rotate modules') return arrangeModules(program, kind);
  const part = dice.maybe(kind === 'shorten' ? program.filter((one) => one.kind === 'set') : program);
  if (part === undefined) return program;
  if (kind === 'drop') return program.filter((other) => other !== part);
  const now = editedPart({ program, part, dice }, kind);
  return program.map((other) => (other === part ? now : other));
}

const isAddition = (kind: EditKind): kind is AdditionKind => additionKinds.some((one) => one === kind);
const isOfEngine = (kind: EditKind): kind is EngineEditKind => engineEditKinds.some((one) => one === kind);
const isMove = (kind: EditKind): kind is MoveKind => moveKinds.some((one) => one === kind);

/** One resource, its surroundings, and random numbers. */
interface Scope<P extends Part = Part> {
  readonly program: Program;
  readonly part: P;
  readonly dice: Dice;
}

function editedPart(scope: Scope, kind: EditKind): Part {
  const { program, part, dice } = scope;
  switch (kind) {
    case 'rename':
      return renamed(program, part);
    case 'rename with alias':
      return { ...renamed(program, part), aliases: [part.name, ...(part.aliases ?? [])] };
    case 'toggle overwriteExisting':
      return { ...part, overwrites: !part.overwrites };
    case 'toggle exclusive':
      return part.kind === 'set' && isAlone(program, part)
        ? { ...part, isExclusive: !part.isExclusive }
        : part;
    case 'flip':
      return withRule(scope, flipped);
    case 'reword':
      return withRule(scope, reworded);
    case 'shorten':
      return part.kind === 'set' ? { ...part, rules: withoutOne(part.rules, dice) } : part;
    case 'depend':
      return dependent(scope);
    default:
      return changed(scope);
  }
}

function renamed(program: Program, { aliases: _, ...part }: Part): Part {
  const base = part.name.replace(/-\d+$/, '');
  let number = 1;
  while (program.some(({ name }) => name === `${base}-${number}`)) number += 1;
  return { ...part, name: `${base}-${number}` };
}

const isAlone = (program: Program, set: SetPart): boolean =>
  program.every(
    (part) => part === set || part.kind === 'edge' || part.kind === 'route' || part.policy !== set.policy,
  );

/** Changes the rule of the part, or one of its rules. */
function withRule({ part, dice }: Scope, make: <R extends Rule>(rule: R) => R): Part {
  if (part.kind === 'rule') return make(part);
  if (part.kind !== 'set') return part;
  const chosen = dice.maybe(part.rules);
  return { ...part, rules: part.rules.map((rule) => (rule === chosen ? make(rule) : rule)) };
}

const flipped = <R extends Rule>(rule: R): R => ({
  ...rule,
  action: rule.action === 'allow' ? 'deny' : 'allow',
});

const reworded = <R extends Rule>(rule: R): R => ({
  ...rule,
  text: ownTexts[ownTexts.findIndex((text) => text === rule.text) + 1] ?? 'none',
});

function withoutOne(rules: readonly Rule[], dice: Dice): readonly Rule[] {
  const gone = dice.maybe(rules);
  return rules.filter((rule) => rule !== gone);
}

/** Only on earlier resources, as programs have no circles. */
function dependent({ program, part, dice }: Scope): Part {
  const target = dice.maybe(program.slice(0, program.indexOf(part)));
  return target === undefined ? part : { ...part, dependsOn: [target.name] };
}

function changed(scope: Scope): Part {
  const { program, part, dice } = scope;
  switch (part.kind) {
    case 'rule': {
      const network = dice.maybe(freeNetworks(program, part.policy));
      return dice.isLucky(1 / 3) && network !== undefined ? { ...part, network } : reworded(part);
    }
    case 'set':
      return changedSet({ program, part, dice });
    case 'edge':
    case 'route':
      return { ...part, content: newContent(dice) } satisfies EdgePart | RoutePart;
  }
}

function changedSet(scope: Scope<SetPart>): Part {
  const { program, part, dice } = scope;
  const { rules, policy } = part;
  const network = dice.maybe(freeNetworks(program, policy));
  const added: Rule[] =
    network === undefined
      ? []
      : [{ network, action: dice.pick(['allow', 'deny']), text: dice.pick(ownTexts) }];
  switch (dice.pick(['lengthen', 'shorten', 'reword', 'exchange', 'shift'])) {
    case 'lengthen':
      return { ...part, rules: [...rules, ...added] };
    case 'shorten':
      return { ...part, rules: withoutOne(rules, dice) };
    case 'reword':
      return withRule(scope, reworded);
    case 'exchange':
      return { ...part, rules: [...withoutOne(rules, dice), ...added] };
    default:
      return { ...part, rules: [...rules.slice(1), ...added] };
  }
}

/** Modules that are made from a list: the first element is removed, or the last one becomes the first, and all others move by one. */
function arrangeModules(program: Program, kind: 'shift modules' | 'rotate modules'): Program {
  const modules = program.flatMap((part) => (part.kind === 'edge' ? [part] : []));
  if (modules.length < 2) return program;
  const isShift = kind === 'shift modules';
  return program.flatMap((part): Part[] => {
    if (part.kind !== 'edge') return [part];
    const next = modules.indexOf(part) + 1;
    const becomes = isShift ? modules[next] : modules[next % modules.length];
    return becomes === undefined ? [] : [{ ...part, edge: becomes.edge, content: becomes.content }];
  });
}
