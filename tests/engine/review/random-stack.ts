// Random programs that use what the engine offers for the life and the end of a resource, and random edits of them.
import type { Dice } from '../../support/dice';

type Kind = 'one' | 'set' | 'edge' | 'route';

/** What names an earlier resource: an option, or the property that cannot be changed in place and comes from there. */
type Link = 'dependsOn' | 'parent' | 'deletedWith' | 'replaceWith' | 'property';

/** A resource, declared by a word of {@link file://./changes.ts}. */
export interface Part {
  readonly name: string;
  readonly kind: Kind;
  /** A number below 8 for what it holds. */
  readonly content: number;
  /** Which of two policies, edges or routes has it. */
  readonly at: 0 | 1;
  readonly isDeny: boolean;
  readonly isForced: boolean;
  readonly isImported: boolean;
  /** How often it was renamed; an alias may name the former one. */
  readonly renamed: number;
  readonly hasAlias: boolean;
  /** Options, with their values as in a program. */
  readonly options: Readonly<Record<string, string>>;
  readonly links: Readonly<Partial<Record<Link, string | undefined>>>;
  /** The program only looks up the object of this resource, or that of another one. */
  readonly lookUp?: string | undefined;
}

export type Program = readonly Part[];

/** How programs write what a part holds, with its inputs, one of which may come from an earlier resource. */
export interface Writing {
  readonly inputsOf: (part: Part, from: string | undefined) => string;
  /** What an import takes; undefined if there is none. */
  readonly importOf?: (part: Part) => string | undefined;
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const KINDS = ['one', 'one', 'one', 'set', 'set', 'edge', 'route'] as const;

export const newProgram = (dice: Dice): Program =>
  NAMES.map((name, index) => {
    const earlier = (chance: number) =>
      dice.isLucky(chance) ? dice.maybe(NAMES.slice(0, index)) : undefined;
    const links = { deletedWith: earlier(0.5), property: earlier(0.3), replaceWith: earlier(0.1) };
    const part = newPart(name, dice);
    const isOwn = !isOfPolicy(part) && dice.isLucky(0.3);
    return { ...part, links, options: { ...part.options, ...(isOwn && OWN_PROVIDER) } };
  });

// Of two providers on one policy no review decides, so only modules have it.
const OWN_PROVIDER = { provider: 'own' };

/** A program without links, in which nothing has what another one has. */
export function harmlessProgram(dice: Dice): Program {
  const parts = NAMES.slice(0, 1 + dice.below(4)).map((name) => newPart(name, dice));
  return parts.filter((part, index) => {
    const isAlike = (each: Part) =>
      isOfPolicy(part) ? isOfPolicy(each) && each.at === part.at : each.kind === part.kind;
    return !parts.slice(0, index).some((each) => isAlike(each) && (bitsOf(each) & bitsOf(part)) !== 0);
  });
}

function newPart(name: string, dice: Dice): Part {
  const kind = dice.pick(KINDS);
  return {
    ...{ name, kind, content: dice.below(8), at: eitherOf(dice), renamed: 0, hasAlias: false, links: {} },
    isDeny: dice.isLucky(0.3),
    isForced: dice.isLucky(0.3),
    isImported: dice.isLucky(0.25),
    options: {
      ...(dice.isLucky(0.15) && { retainOnDelete: 'true' }),
      ...(dice.isLucky(0.2) && { deleteBeforeReplace: 'false' }),
    },
  };
}

const eitherOf = (dice: Dice): 0 | 1 => (dice.isLucky(0.5) ? 0 : 1);

export const isOfPolicy = ({ kind }: Part): boolean => kind === 'one' || kind === 'set';

/** What a part holds of three networks, as bits; modules of a kind have one place. */
export function bitsOf({ kind, content }: Part): number {
  if (kind === 'edge' || kind === 'route') return 7;
  const bits = content === 0 ? 7 : content;
  return kind === 'one' ? bits & -bits : bits;
}

interface Scope {
  readonly program: Program;
  readonly part: Part;
  readonly dice: Dice;
}

/** What somebody makes of a program, with a part of it that was chosen. */
type Edit = (scope: Scope) => Program;

const having =
  (change: (part: Part, scope: Scope) => Partial<Part>): Edit =>
  (scope) =>
    scope.program.map((each) => (each === scope.part ? { ...each, ...change(each, scope) } : each));

const dropped: Edit = ({ program, part }) => program.filter((each) => each !== part);
const managed = having(() => ({ lookUp: undefined }));

const linked = (link: Link): Edit =>
  having(({ links }, { program, part, dice }) => {
    const earlier = program.slice(0, program.indexOf(part));
    return { links: { ...links, [link]: dice.maybe(earlier)?.name } };
  });

const toggled = (option: string, value: string): Edit =>
  having(({ options: { [option]: former, ...options } }) => ({
    options: former === undefined ? { ...options, [option]: value } : options,
  }));

/** The program with another part, wherever it comes. */
function withNew(program: Program, dice: Dice, wanted: Partial<Part> = {}): Program {
  const free = NAMES.filter((name) => program.every((part) => part.name !== name));
  const name = dice.maybe(free);
  if (name === undefined) return program;
  return program.toSpliced(dice.below(program.length + 1), 0, { ...newPart(name, dice), ...wanted });
}

const common: readonly Edit[] = [
  ({ program, dice }) => withNew(program, dice),
  dropped,
  having((_, { dice }) => ({ content: dice.below(8) })),
  having(({ at }) => ({ at: at === 0 ? 1 : 0 })),
  having(({ isDeny }) => ({ isDeny: !isDeny })),
  having(({ renamed }) => ({ renamed: renamed + 1, hasAlias: true })),
  having(({ options }, { dice }) => ({
    options: { ...options, replacementTrigger: String(dice.below(1000)) },
  })),
  linked('deletedWith'),
];

/** Edits that leave every object to one resource. */
export const PEACEFUL_EDITS: readonly Edit[] = [
  ...common,
  linked('property'),
  linked('replaceWith'),
  toggled('retainOnDelete', 'true'),
  toggled('deleteBeforeReplace', 'false'),
  toggled('protect', 'true'),
  (scope) => (isOfPolicy(scope.part) ? scope.program : toggled('provider', OWN_PROVIDER.provider)(scope)),
  having(({ name }) => ({ lookUp: name })),
  having(({ kind, name }, { program, dice }) => ({
    lookUp: dice.maybe(program.filter((other) => other.kind === kind && other.name !== name))?.name,
  })),
];

/** Edits after which two resources may want the same object. */
export const CONTENTIOUS_EDITS: readonly Edit[] = [
  ...common,
  linked('dependsOn'),
  linked('parent'),
  having(({ renamed }) => ({ renamed: renamed + 1, hasAlias: false })),
  having(({ renamed }) => ({ renamed: renamed + 1, hasAlias: false, isForced: true })),
  having(({ isForced }) => ({ isForced: !isForced })),
  // It comes at another place of the program.
  ({ program, part, dice }) => {
    const rest = program.filter((each) => each !== part);
    return rest.toSpliced(dice.below(program.length), 0, part);
  },
  // Both exchange what they hold.
  ({ program, part, dice }) => {
    const other = dice.maybe(program.filter((each) => each !== part && each.kind !== 'edge')) ?? part;
    return program.map((each) => {
      if (each === part) return { ...part, content: bitsOf(other) };
      return each === other ? { ...other, content: bitsOf(part) } : each;
    });
  },
  // One set holds all of its policy.
  ({ program, part, dice }) => {
    const gathered = program.filter((each) => isOfPolicy(each) && each.at === part.at);
    const content = gathered.reduce((bits, each) => bits | bitsOf(each), 0);
    const rest = program.filter((each) => !gathered.includes(each));
    return withNew(rest, dice, { kind: 'set', at: part.at, content });
  },
  // A set gives one network to a new rule.
  (scope) => {
    const { part, dice } = scope;
    const [all, first] = [bitsOf(part), bitsOf({ ...part, kind: 'one' })];
    if (part.kind !== 'set' || all === first) return scope.program;
    const rest = having(() => ({ content: all - first }))(scope);
    return withNew(rest, dice, { kind: 'one', at: part.at, content: first });
  },
];

/** Edits that leave every object where it is, so that their answers can be lost. */
export const UNANSWERED_EDITS: readonly Edit[] = [
  having((_, { dice }) => ({ content: dice.below(8) })),
  ({ program, dice }) => withNew(program, dice),
];

export function edited(program: Program, edits: readonly Edit[], dice: Dice): Program {
  const part = dice.maybe(program);
  if (part === undefined) return withNew(program, dice);
  // The engine refuses to delete what is protected as long as the state has the mark.
  const unprotected = 'protect' in part.options && [toggled('protect', 'true')];
  const lookedUp = part.lookUp !== undefined && [managed, dropped];
  return dice.pick(unprotected || lookedUp || edits)({ program, part, dice });
}

/** The statements of a program; of what a part names, only what comes before it counts. */
export const textOf = (program: Program, writing: Writing): string =>
  program.map((part, index) => statementOf(part, program.slice(0, index), writing)).join(' ');

const TYPES = {
  one: 'IpPolicyRule',
  set: 'IpPolicyRuleSet',
  edge: 'TcpEdgeTrafficPolicyModule',
  route: 'HttpsEdgeRouteUserAgentFilterModule',
} as const satisfies Record<Kind, string>;

function statementOf(part: Part, earlier: Program, { inputsOf, importOf }: Writing): string {
  const { name, kind, renamed, lookUp, hasAlias } = part;
  const called = (times: number) => `'${times === 0 ? name : `${name}-${times}`}'`;
  if (lookUp !== undefined) return `get(${TYPES[kind]}, ${called(renamed)}, idOf('${lookUp}'));`;
  const isThere = (link?: string) => earlier.some((each) => each.name === link && each.lookUp === undefined);
  const links = Object.entries(part.links).filter(([, link]) => isThere(link));
  const { property, ...named } = Object.fromEntries(links);
  const imported = property === undefined ? importOf?.(part) : undefined;
  const options = [
    ...Object.entries({ ...part.options, ...named, ...(imported !== undefined && { import: imported }) }).map(
      ([option, value]) => `${option}: ${option === 'replaceWith' ? `[${value}]` : value}`,
    ),
    ...(hasAlias ? [`...was(${called(renamed - 1)})`] : []),
  ];
  return `const ${name} = ${kind}(${called(renamed)}, ${inputsOf(part, property)}, { ${options.join(', ')} });`;
}
