import type { Dice } from '../dice';
import { additions, freeNetworks, newContent, newRule } from './additions';
import { moves } from './moves';
import { type Edit, ownTexts, type Part, type Program, type Rule, type SetPart } from './program';

/** One resource, its program, and random numbers. */
interface Scope<P extends Part = Part> {
  readonly program: Program;
  readonly part: P;
  readonly dice: Dice;
}

/** Edits one resource, or drops it. */
const ofPart =
  (edit: (scope: Scope) => Part | undefined, isMeant: (part: Part) => boolean = () => true): Edit =>
  (program, dice) => {
    const part = dice.maybe(program.filter(isMeant));
    if (part === undefined) return program;
    const now = edit({ program, part, dice });
    return program.flatMap((other) => (other === part ? (now ?? []) : other));
  };

/** What people do to a program between two runs. */
export const edits = {
  ...additions,
  ...moves,
  drop: ofPart(() => undefined),
  rename: ofPart(renamed),
  'rename with alias': ofPart((scope) => {
    const { name, aliases = [] } = scope.part;
    return { ...renamed(scope), aliases: [name, ...aliases] };
  }),
  change: ofPart(changed),
  flip: ofPart((scope) => withRule(scope, flipped)),
  'toggle exclusive': ofPart(({ program, part }) =>
    part.kind === 'set' && isAlone(program, part) ? { ...part, isExclusive: !part.isExclusive } : part,
  ),
  'toggle overwriteExisting': ofPart(({ part }) => ({ ...part, overwrites: !part.overwrites })),
  depend: ofPart(dependent),
  'shift modules': (program: Program) => arrangeModules(program, 'shift'),
  'rotate modules': (program: Program) => arrangeModules(program, 'rotate'),
};

/** A property that one resource loses or changes; a part of `change` that a story asks for by name. */
const changes = {
  reword: ofPart((scope) => withRule(scope, reworded)),
  shorten: ofPart(
    ({ part, dice }) => (part.kind === 'set' ? shorter(part, dice) : part),
    ({ kind }) => kind === 'set',
  ),
};

/** Edits that concern the engine more than the service. */
export const engineEdits = {
  'change provider': ofPart(({ part: { provider, ...rest }, dice }) =>
    provider === undefined ? { ...rest, provider: dice.pick(['one', 'two']) } : rest,
  ),
  'write what check refuses': ofPart(({ part }) => ({ ...part, isRefused: true })),
  'ignore changes': ofPart(({ part, dice }) =>
    part.kind === 'rule' ? { ...part, ignoredText: dice.pick(ownTexts) } : part,
  ),
  'replace on changes': ofPart(({ part }) => ({ ...part, replaceOnChanges: part.replaceOnChanges !== true })),
  // Two modules of one kind swap places, and each takes its content with it.
  'exchange modules': (program: Program) => {
    const [one, other] = program.flatMap((part) => (part.kind === 'edge' ? [part] : []));
    if (one === undefined || other === undefined) return program;
    return program.map((part) => {
      if (part === one) return { ...one, edge: other.edge };
      return part === other ? { ...other, edge: one.edge } : part;
    });
  },
};

export const everyEdit = { ...edits, ...changes, ...engineEdits } satisfies Record<string, Edit>;
export type EditKind = keyof typeof everyEdit;

export const kindsOf = <Kind extends EditKind>(some: Readonly<Record<Kind, Edit>>): Kind[] =>
  Object.keys(some) as Kind[];

function renamed({ program, part: { aliases: _, ...part } }: Scope): Part {
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

function shorter(set: SetPart, dice: Dice): SetPart {
  const gone = dice.maybe(set.rules);
  return { ...set, rules: set.rules.filter((rule) => rule !== gone) };
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
    default:
      return { ...part, content: newContent(dice) };
  }
}

function changedSet(scope: Scope<SetPart>): Part {
  const { program, part, dice } = scope;
  const network = dice.maybe(freeNetworks(program, part.policy));
  const added = network === undefined ? [] : [newRule(network, dice)];
  const lengthened = (set: SetPart): SetPart => ({ ...set, rules: [...set.rules, ...added] });
  switch (dice.pick(['lengthen', 'shorten', 'reword', 'exchange', 'shift'])) {
    case 'lengthen':
      return lengthened(part);
    case 'shorten':
      return shorter(part, dice);
    case 'reword':
      return withRule(scope, reworded);
    case 'exchange':
      return lengthened(shorter(part, dice));
    default:
      return lengthened({ ...part, rules: part.rules.slice(1) });
  }
}

/** Modules that are made from a list: the first element is removed, or the last one becomes the first, and all others move by one. */
function arrangeModules(program: Program, how: 'shift' | 'rotate'): Program {
  const modules = program.flatMap((part) => (part.kind === 'edge' ? [part] : []));
  if (modules.length < 2) return program;
  return program.flatMap((part): Part[] => {
    if (part.kind !== 'edge') return [part];
    const next = modules.indexOf(part) + 1;
    const becomes = modules[how === 'shift' ? next : next % modules.length];
    return becomes === undefined ? [] : [{ ...part, edge: becomes.edge, content: becomes.content }];
  });
}
