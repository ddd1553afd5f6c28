// Changes that an `up` carries out or stops at.
import type { Dice } from '../../support/dice';
import { type Change, change } from './changes';
import {
  bitsOf,
  CONTENTIOUS_EDITS,
  edited,
  harmlessProgram,
  isOfPolicy,
  type Part,
  type Program,
  textOf,
  UNANSWERED_EDITS,
} from './random-stack';

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
    `one('x', A, DENY, { retainOnDelete: true })`,
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
  'a flip that creates first': change(`one('x', A, {}, FIRST)`, `one('x', A, DENY, FIRST)`),
};

/** Changes at which it stops on every service. */
export const ALWAYS_STOPPED: Readonly<Record<string, Change>> = {
  'a module renamed with other content': change(`edge('old', [A])`, `edge('new', [B])`),
  'a retained module with other content': change(
    `edge('old', [A], {}, { retainOnDelete: true })`,
    `edge('new', [B])`,
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
  'a flip that deletes first': change(`one('x', A)`, `one('x', A, DENY)`),
  'a flip in a set': change(`set('x', [A])`, `set('x', [deny(A), B])`),
  'a module renamed with equal content': change(`edge('old', [A])`, `edge('new', [A])`),
  'a module renamed that may overwrite': change(`edge('old', [A])`, `edge('new', [B], FORCED)`),
};

/** Changes that meet `deny` rules of others for the network B and a module, which only `--live` shows. */
export const UNSEEN: Readonly<Record<string, Change>> = {
  'a network that nobody manages': change(`one('a', A)`, `one('a', A); one('b', B)`),
  'a set onto a network that nobody manages': change(`set('a', [A])`, `set('a', [A, B])`),
  'a module that nobody manages': change(`one('a', A)`, `one('a', A); edge('new', [B])`),
};
export const OTHERS = {
  cidr: '10.0.2.0/24',
  module: { enabled: true, value: '{"inbound":[{"name":"others"}]}' },
};

/** A harmless program, and some edits of it, which may bring a conflict. At times nothing answers an edit before them. */
export function randomChange(dice: Dice): Change {
  const before = harmlessProgram(dice);
  let after = before;
  for (let edits = 1 + dice.below(4); edits > 0; edits -= 1) after = edited(after, CONTENTIOUS_EDITS, dice);
  const lost = dice.isLucky(0.4) ? edited(before, UNANSWERED_EDITS, dice) : undefined;
  const write = (program: Program): string => textOf(program, { inputsOf });
  return { ...change(write(before), write(after)), ...(lost && { lost: write(lost) }) };
}

function inputsOf(part: Part): string {
  const { kind, content, at, isDeny, isForced } = part;
  const networks = ['A', 'B', 'C'].filter((_, index) => (bitsOf(part) >> index) % 2 === 1).join(', ');
  const held = {
    one: networks,
    set: `[${networks}]`,
    edge: `[${content % 2 === 0 ? 'A' : 'B'}]`,
    route: `'bot${content % 2}'`,
  };
  const inputs = [
    ...(isOfPolicy(part) ? [`at: ${at}`] : []),
    ...(isDeny && kind === 'one' ? ['...DENY'] : []),
    ...(isForced ? ['...FORCED'] : []),
  ];
  return `${held[kind]}, { ${inputs.join(', ')} }`;
}
