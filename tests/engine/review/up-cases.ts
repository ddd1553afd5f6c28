// Changes that an `up` carries out or stops at, each in a policy and on an edge of its own, so that one run carries many of them.
import type { Dice } from '../../support/dice';
import { policyId, tcpEdgeId } from '../../support/ids';
import { literal } from '../../support/programs';

/** A change as the program before and after it, in the words of {@link WORDS}. */
export interface Change {
  readonly before: string;
  readonly after: string;
  /** A program between them whose deletes are refused, so that it leaves something to be deleted. */
  readonly between?: string;
}

/** `one`, `set` and `edge` declare a rule, a set of allow rules and a module; `was` is an alias. A, B and C are networks. */
const WORDS = `
const [A, B, C] = ['10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24'];
const FORCED = { overwriteExisting: true };
const FIRST = { deleteBeforeReplace: false };
const of = (place, policies, edgeId) => ({
  one: (name, cidr, { at = 0, ...more } = {}, options = {}) =>
    new IpPolicyRule(place + '-' + name, { ipPolicyId: policies[at], cidr, action: 'allow', ...more }, options),
  set: (name, cidrs, { at = 0, ...more } = {}, options = {}) =>
    new IpPolicyRuleSet(place + '-' + name,
      { ipPolicyId: policies[at], rules: cidrs.map((cidr) => ({ cidr, action: 'allow' })), ...more }, options),
  edge: (name, rule, more = {}, options = {}) =>
    new TcpEdgeTrafficPolicyModule(place + '-' + name, { edgeId,
      value: { inbound: [{ name: rule, expressions: ['true'], actions: [{ type: 'deny' }] }] }, ...more }, options),
  was: (name) => ({ aliases: [{ name: place + '-' + name }] }),
});`;

const letters = (index: number): string =>
  [Math.floor(index / 26), index % 26].map((at) => String.fromCharCode(97 + at)).join('');

/** The place of a change, of which the names of its resources begin. */
const placeOf = (index: number): string => `c${index}`;

export const policiesOf = (index: number): readonly string[] =>
  ['p', 'q'].map((which) => `${policyId.slice(0, -3)}${which}${letters(index)}`);
export const edgeOf = (index: number): string => `${tcpEdgeId.slice(0, -2)}${letters(index)}`;

/** The statements of a program with a part for each change; none for those without one. */
export const statementsOf = (parts: readonly (string | undefined)[]): string =>
  [
    WORDS,
    ...parts.flatMap((part, index) =>
      part === undefined
        ? []
        : `{ const { one, set, edge, was } = of(${literal(placeOf(index))}, ${literal(policiesOf(index))}, ${literal(edgeOf(index))}); ${part} }`,
    ),
    'return {};',
  ].join('\n');

const change = (before: string, after: string, between?: string): Change => ({
  ...{ before, after },
  ...(between !== undefined && { between }),
});

/** Changes at which an `up` stops if the service refuses two rules for a network. */
export const STOPPED: Readonly<Record<string, Change>> = {
  'a rename without alias': change(`one('old', A)`, `one('new', A)`),
  'a set that is renamed': change(`set('old', [A, B])`, `set('new', [A, B])`),
  'a new parent': change(
    `one('p', B); one('x', A)`,
    `const parent = one('p', B); one('x', A, {}, { parent })`,
  ),
  'rules into a set': change(`one('a', A); one('b', B); one('c', C)`, `set('all', [A, B, C])`),
  'a cidr that moves onto what leaves': change(`one('a', A); one('b', B)`, `one('b', A, FORCED)`),
  'a holder that is retained': change(`one('old', A, {}, { retainOnDelete: true })`, `one('new', A)`),
  'a flip that is retained': change(
    `one('x', A, {}, { retainOnDelete: true })`,
    `one('x', A, { action: 'deny' }, { retainOnDelete: true })`,
  ),
  'a holder that is deletedWith': change(
    `const t = one('t', B); one('old', A, {}, { deletedWith: t })`,
    `one('new', A)`,
  ),
  'a pending delete': change(
    `one('x', A, {}, FIRST)`,
    `one('x', A, { at: 1 }, FIRST); one('new', A)`,
    `one('x', A, { at: 1 }, FIRST)`,
  ),
  'rules that change places': change(`one('a', A); one('b', B)`, `one('a', B); one('b', A)`),
  'sets that change places': change(`set('a', [A]); set('b', [B])`, `set('a', [B]); set('b', [A])`),
  'a giver that depends on the taker': change(
    `set('giver', [A, B])`,
    `const taker = one('taker', A); set('giver', [B], {}, { dependsOn: taker })`,
  ),
  'a replaced giver that depends on the taker': change(
    `one('giver', A)`,
    `const taker = one('taker', A); one('giver', A, { at: 1 }, { dependsOn: taker })`,
  ),
  'a second declaration': change(`one('a', A)`, `one('a', A); one('b', A)`),
  'two new declarations': change(``, `one('a', A); set('b', [A])`),
  'a flip that creates first': change(`one('x', A, {}, FIRST)`, `one('x', A, { action: 'deny' }, FIRST)`),
};

/** Changes at which it stops on every service. */
export const ALWAYS_STOPPED: Readonly<Record<string, Change>> = {
  'a module renamed with other content': change(`edge('old', 'one')`, `edge('new', 'two')`),
  'a retained module with other content': change(
    `edge('old', 'one', {}, { retainOnDelete: true })`,
    `edge('new', 'two')`,
  ),
  'an exclusive set beside what leaves': change(
    `one('a', A); one('b', B)`,
    `set('all', [B, C], { exclusive: true })`,
  ),
  'a second declaration that may overwrite': change(
    `one('a', A)`,
    `const a = one('a', A); one('b', A, FORCED, { dependsOn: a })`,
  ),
};

/** Changes that it carries out. */
export const CARRIED_OUT: Readonly<Record<string, Change>> = {
  'an alias': change(`one('old', A)`, `one('new', A, {}, was('old'))`),
  'an alias and another parent': change(
    `const parent = one('p', B); one('x', A, {}, { parent })`,
    `const parent = one('p', B); one('x', A, {}, { aliases: [{ parent }] })`,
  ),
  'rules into a set that may overwrite': change(`one('a', A); one('b', B)`, `set('all', [A, B], FORCED)`),
  'a giver that depends on a taker that may overwrite': change(
    `set('giver', [A, B])`,
    `const taker = one('taker', A, FORCED); set('giver', [B], {}, { dependsOn: taker })`,
  ),
  'what is retained is taken over': change(
    `one('old', A, {}, { retainOnDelete: true })`,
    `one('new', A, FORCED)`,
  ),
  'an exclusive set that may overwrite': change(
    `one('a', A)`,
    `set('all', [B], { exclusive: true, ...FORCED })`,
  ),
  'from set to set': change(`set('a', [A, B]); set('b', [C])`, `set('a', [B]); set('b', [A, C])`),
  'from a set to a new rule': change(`set('a', [A, B])`, `set('a', [B]); one('new', A)`),
  'a cidr that frees the network': change(`one('a', A)`, `one('a', B); one('new', A)`),
  'a replacement by policy that frees it': change(`one('a', A)`, `one('a', A, { at: 1 }); one('new', A)`),
  'a flip that deletes first': change(`one('x', A)`, `one('x', A, { action: 'deny' })`),
  'a flip in a set': change(
    `set('x', [A])`,
    `set('x', [], { rules: [{ cidr: A, action: 'deny' }, { cidr: B, action: 'allow' }] })`,
  ),
  'a module renamed with equal content': change(`edge('old', 'one')`, `edge('new', 'one')`),
  'a module renamed that may overwrite': change(`edge('old', 'one')`, `edge('new', 'two', FORCED)`),
};

/** Changes that meet `deny` rules of others for the network B and a module, which only `--live` shows. */
export const UNSEEN: Readonly<Record<string, Change>> = {
  'a network that nobody manages': change(`one('a', A)`, `one('a', A); one('b', B)`),
  'a set onto a network that nobody manages': change(`set('a', [A])`, `set('a', [A, B])`),
  'a module that nobody manages': change(`one('a', A)`, `one('a', A); edge('new', 'two')`),
};
export const OTHERS = {
  cidr: '10.0.2.0/24',
  module: { enabled: true, value: '{"inbound":[{"name":"others"}]}' },
};

type Kind = 'one' | 'set' | 'edge';

interface Part {
  readonly name: string;
  readonly kind: Kind;
  /** One network of a rule, any of a set; the content of a module. */
  readonly holds: readonly string[];
  readonly at: number;
  readonly deny: boolean;
  readonly forced: boolean;
  readonly retained: boolean;
  readonly createdFirst: boolean;
  readonly trigger: number;
  readonly alias?: string;
  /** Names of others, which count if they come before it. */
  readonly needs: readonly string[];
  readonly parent?: string;
  readonly deletedWith?: string;
}

const NETWORKS = ['A', 'B', 'C'];
const CONTENTS = [`'one'`, `'two'`];

/** A program without a conflict, and some edits of it, which may bring one. */
export function randomChange(dice: Dice): Change {
  const before: Part[] = [];
  for (const name of ['a', 'b', 'c'].slice(0, 1 + dice.below(3))) {
    const kind = dice.pick<Kind>(['one', 'one', 'one', 'set', 'set', 'edge']);
    const part = { ...newPart(name, kind, dice), needs: [], forced: false };
    const taken = before.filter(({ at }) => kind === 'edge' || at === part.at);
    const others = new Set(taken.flatMap((each) => (each.kind === 'edge' ? 'edge' : each.holds)));
    const holds = part.holds.filter((each) => !others.has(kind === 'edge' ? 'edge' : each));
    if (holds.length > 0) before.push({ ...part, holds });
  }
  let after = before;
  for (let edits = 1 + dice.below(3); edits > 0; edits -= 1) after = edited(after, dice);
  return { before: before.map(textOf).join(' '), after: inOrder(after, dice).map(textOf).join(' ') };
}

const newPart = (name: string, kind: Kind, dice: Dice): Part => ({
  ...{
    name,
    kind,
    at: dice.below(2),
    deny: dice.isLucky(0.2),
    forced: dice.isLucky(0.3),
    trigger: 1,
    needs: [],
  },
  holds:
    kind === 'edge' ? [dice.pick(CONTENTS)] : kind === 'one' ? [dice.pick(NETWORKS)] : someOf(NETWORKS, dice),
  retained: dice.isLucky(0.1),
  createdFirst: dice.isLucky(0.15),
});

const someOf = (all: readonly string[], dice: Dice): string[] => {
  const some = all.filter(() => dice.isLucky(0.5));
  return some.length > 0 ? some : [dice.pick(all)];
};

/** One edit of a program. Each keeps what it does not name. */
function edited(parts: readonly Part[], dice: Dice): Part[] {
  const one = dice.maybe(parts);
  const other = dice.maybe(parts.filter((part) => part !== one && part.kind !== 'edge'));
  const fresh = newPart(`n${dice.below(1000)}`, dice.pick<Kind>(['one', 'set', 'edge']), dice);
  if (!one) return [fresh];
  const having = (changed: Partial<Part>): Part[] =>
    parts.map((part) => (part === one ? { ...part, ...changed } : part));
  const renamed = `${one.name}${dice.below(10)}`;
  const networks = parts
    .filter(({ kind, at }) => kind !== 'edge' && at === one.at)
    .flatMap(({ holds }) => holds);
  const edits: readonly (() => Part[])[] = [
    () => [...parts, fresh],
    () => parts.filter((part) => part !== one),
    () => having({ name: renamed }),
    () => having({ name: renamed, forced: true }),
    () => having({ name: renamed, alias: one.name }),
    () => having({ at: 1 - one.at }),
    () => having({ deny: !one.deny }),
    () => having({ trigger: one.trigger + 1 }),
    () => having({ holds: newPart('', one.kind, dice).holds }),
    () => having({ forced: !one.forced }),
    () => (other ? having({ needs: [other.name], forced: dice.isLucky(0.5) }) : having({})),
    () => (other ? having({ parent: other.name }) : having({})),
    () => (other ? having({ deletedWith: other.name }) : having({})),
    // Both exchange what they hold, or the first takes all.
    () =>
      other && one.kind !== 'edge'
        ? parts.map((part) =>
            part === one
              ? { ...one, holds: other.holds }
              : part === other
                ? { ...other, holds: one.holds }
                : part,
          )
        : having({}),
    () =>
      one.kind === 'edge'
        ? having({})
        : [
            ...parts.filter(({ kind, at }) => kind === 'edge' || at !== one.at),
            { ...newPart(`s${dice.below(10)}`, 'set', dice), at: one.at, holds: [...new Set(networks)] },
          ],
    () =>
      one.kind === 'set' && one.holds.length > 1
        ? [
            ...having({ holds: one.holds.slice(1) }),
            { ...newPart(`m${dice.below(10)}`, 'one', dice), at: one.at, holds: one.holds.slice(0, 1) },
          ]
        : having({}),
  ];
  return dice
    .pick(edits)()
    .map((part) => (part.kind === 'one' ? { ...part, holds: part.holds.slice(0, 1) } : part));
}

/** In any order; of what a resource names, only what comes before it counts. */
function inOrder(parts: readonly Part[], dice: Dice): Part[] {
  const shuffled = parts
    .map((part) => ({ part, key: dice.fraction() }))
    .sort((left, right) => left.key - right.key)
    .map(({ part }) => part);
  const names = new Map(shuffled.map(({ name }, index) => [name, index]));
  return shuffled
    .filter(({ name }, index) => names.get(name) === index)
    .map(({ parent, deletedWith, needs, ...part }, index) => {
      const isThere = (name: string | undefined): name is string => (names.get(name ?? '') ?? index) < index;
      return {
        ...part,
        needs: needs.filter(isThere),
        ...(isThere(parent) && { parent }),
        ...(isThere(deletedWith) && { deletedWith }),
      };
    });
}

function textOf({ name, kind, holds, at, deny, forced, ...more }: Part): string {
  const inputs = [
    ...(at === 0 || kind === 'edge' ? [] : ['at: 1']),
    ...(deny && kind === 'one' ? [`action: 'deny'`] : []),
    ...(forced ? ['...FORCED'] : []),
  ];
  const { retained, createdFirst, trigger, alias, needs, parent, deletedWith } = more;
  const options = [
    ...(retained ? ['retainOnDelete: true'] : []),
    ...(createdFirst ? ['...FIRST'] : []),
    ...(trigger > 1 ? [`replacementTrigger: ${trigger}`] : []),
    ...(alias === undefined ? [] : [`...was('${alias}')`]),
    ...(needs.length > 0 ? [`dependsOn: [${needs.join(', ')}]`] : []),
    ...(parent === undefined ? [] : [`parent: ${parent}`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${deletedWith}`]),
  ];
  const held = kind === 'set' ? `[${holds.join(', ')}]` : (holds[0] ?? 'A');
  return `const ${name} = ${kind}('${name}', ${held}, { ${inputs.join(', ')} }, { ${options.join(', ')} });`;
}
