import { addition, type AdditionKind, additionKinds } from './additions';
import { engineEdited, type EngineEditKind, engineEditKinds } from './engine-edits';
import { moveRules, type MoveKind, moveKinds } from './moves';
import { networks, type Part, placesOf, type Program, type Rule, type SetPart } from './program';

/** What people do to a program between two runs. `undo` is for whoever keeps the past. */
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
  'undo',
] as const;

export type EditKind = (typeof editKinds)[number] | EngineEditKind;

/** One edit as data: the numbers choose, whatever the program has to choose from. */
export interface Edit {
  readonly kind: EditKind;
  readonly which: number;
  readonly how: number;
}

/** The program after the edit; the same where it makes no sense. */
export function edited(program: Program, edit: Edit): Program {
  const { kind, which, how } = edit;
  if (isAddition(kind)) return addition(program, kind, { which, how });
  if (isOfEngine(kind)) return engineEdited(program, kind, { which, how });
  if (isMove(kind)) return moveRules(program, kind, { which, how });
  if (kind === 'shift modules' || kind === 'rotate modules') return arrangeModules(program, kind);
  const part = program[which % Math.max(1, program.length)];
  if (part === undefined) return program;
  if (kind === 'drop') return program.filter((other) => other !== part);
  const now = editedPart(program, part, edit);
  return program.map((other) => (other === part ? now : other));
}

const isAddition = (kind: EditKind): kind is AdditionKind => additionKinds.some((one) => one === kind);
const isOfEngine = (kind: EditKind): kind is EngineEditKind => engineEditKinds.some((one) => one === kind);
const isMove = (kind: EditKind): kind is MoveKind => moveKinds.some((one) => one === kind);

function editedPart(program: Program, part: Part, { kind, how }: Edit): Part {
  switch (kind) {
    case 'rename':
      return renamed(program, part, []);
    case 'rename with alias':
      return renamed(program, part, [part.name, ...(part.aliases ?? [])]);
    case 'toggle overwriteExisting':
      return { ...part, overwrites: !part.overwrites };
    case 'toggle exclusive':
      return part.kind === 'set' && isAlone(program, part)
        ? { ...part, isExclusive: !part.isExclusive }
        : part;
    case 'flip':
      return flipped(part, how);
    case 'depend':
      return dependent(program, part, how);
    default:
      return changed(program, part, how);
  }
}

function renamed(program: Program, part: Part, aliases: readonly string[]): Part {
  const base = part.name.replace(/-\d+$/, '');
  let number = 1;
  while (program.some(({ name }) => name === `${base}-${number}`)) number += 1;
  return { ...part, name: `${base}-${number}`, aliases };
}

const isAlone = (program: Program, set: SetPart): boolean =>
  program.every(
    (part) => part === set || part.kind === 'edge' || part.kind === 'route' || part.policy !== set.policy,
  );

function flipped(part: Part, how: number): Part {
  if (part.kind === 'rule') return { ...part, action: opposite(part) };
  if (part.kind !== 'set') return part;
  const index = how % Math.max(1, part.rules.length);
  return {
    ...part,
    rules: part.rules.map((rule, at) => (at === index ? { ...rule, action: opposite(rule) } : rule)),
  };
}

const opposite = ({ action }: Rule): 'allow' | 'deny' => (action === 'allow' ? 'deny' : 'allow');

/** Only on what comes before: programs have no circles. */
function dependent(program: Program, part: Part, how: number): Part {
  const earlier = program.slice(0, program.indexOf(part));
  const target = earlier[how % Math.max(1, earlier.length)];
  return target === undefined ? part : { ...part, dependsOn: [target.name] };
}

function changed(program: Program, part: Part, how: number): Part {
  switch (part.kind) {
    case 'rule': {
      const network = freeNetwork(program, part.policy, how);
      if (how % 3 === 0 && network !== undefined) return { ...part, network };
      return { ...part, text: part.text + 1 };
    }
    case 'set':
      return { ...part, rules: changedRules(program, part, how) };
    default:
      return { ...part, content: how % 6 };
  }
}

function changedRules(program: Program, { rules, policy }: SetPart, how: number): readonly Rule[] {
  const index = how % Math.max(1, rules.length);
  const network = freeNetwork(program, policy, how);
  const added: Rule[] =
    network === undefined ? [] : [{ network, action: how % 2 === 0 ? 'allow' : 'deny', text: how % 4 }];
  switch (how % 5) {
    case 0:
      return [...rules, ...added];
    case 1:
      return rules.filter((_, at) => at !== index);
    case 2:
      return rules.map((rule, at) => (at === index ? { ...rule, text: rule.text + 1 } : rule));
    case 3:
      return [...rules.filter((_, at) => at !== index), ...added];
    default:
      return [...rules.slice(1), ...added];
  }
}

function freeNetwork(program: Program, policy: string, from: number): (typeof networks)[number] | undefined {
  const taken = new Set(program.flatMap(placesOf));
  const free = networks.filter((network) => !taken.has(`${policy} ${network}`));
  return free[from % Math.max(1, free.length)];
}

/** Modules that are made from a list: the first element goes, or the last comes first, and all others move by one. */
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
