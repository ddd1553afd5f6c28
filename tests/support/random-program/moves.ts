import type { Dice } from '../dice';
import { bare, emptySet, freeName, isOwned } from './additions';
import type { Edit, Part, Program, RulePart, SetPart } from './program';

const ofOne =
  <P extends Part>(
    isMeant: (part: Part) => part is P,
    move: (program: Program, part: P, dice: Dice) => Program,
  ): Edit =>
  (program, dice) => {
    const part = dice.maybe(program.filter(isMeant));
    return part === undefined ? program : move(program, part, dice);
  };

const isRule = (part: Part): part is RulePart => part.kind === 'rule';
const isShared = (part: Part): part is SetPart => part.kind === 'set' && !part.isExclusive;

/** Rules that move from one resource to another. */
export const moves = {
  'gather rules': ofOne(isRule, gather),
  'absorb rule': ofOne(isRule, absorb),
  'release rule': ofOne(isShared, (program, set, dice) =>
    release(program, set, [dice.below(set.rules.length)]),
  ),
  'release all': ofOne(isShared, (program, set) => release(program, set, [...set.rules.keys()])),
  'move between sets': ofOne(isShared, moveBetween),
  'split set': ofOne(isShared, split),
};

/** All single rules of the policy of one become one set. */
function gather(program: Program, { policy }: RulePart): Program {
  if (isOwned(program, policy)) return program;
  const isGathered = (part: Part): part is RulePart => isRule(part) && part.policy === policy;
  const rest = program.filter((part) => !isGathered(part));
  // A double declaration becomes one entry of the list.
  const byNetwork = new Map(program.filter(isGathered).map((part) => [part.network, bare(part)]));
  return [...rest, { ...emptySet(program, policy), rules: [...byNetwork.values()] }];
}

/** A single rule moves into an existing set of its policy. */
function absorb(program: Program, rule: RulePart): Program {
  const target = program.find((part) => part.kind === 'set' && part.policy === rule.policy);
  if (target?.kind !== 'set' || target.rules.some(({ network }) => network === rule.network)) return program;
  return program
    .filter((part) => part !== rule)
    .map((part) => (part === target ? { ...target, rules: [...target.rules, bare(rule)] } : part));
}

/** Rules of a set become resources of their own; a set that loses all of them is removed. */
function release(program: Program, set: SetPart, indices: readonly number[]): Program {
  const kept = set.rules.filter((_, index) => !indices.includes(index));
  let result: Program = program.flatMap((part) => {
    if (part !== set) return [part];
    return kept.length === 0 ? [] : [{ ...set, rules: kept }];
  });
  const { policy, overwrites } = set;
  for (const rule of set.rules.filter((_, index) => indices.includes(index))) {
    const name = freeName([...program, ...result], 'rule');
    result = [...result, { kind: 'rule', name, policy, overwrites, ...bare(rule) }];
  }
  return result;
}

function moveBetween(program: Program, from: SetPart, dice: Dice): Program {
  const to = program.find(
    (part) => part.kind === 'set' && part !== from && part.policy === from.policy && !part.isExclusive,
  );
  const rule = dice.maybe(from.rules);
  if (to?.kind !== 'set' || rule === undefined) return program;
  if (to.rules.some(({ network }) => network === rule.network)) return program;
  return program.map((part) => {
    if (part === from) return { ...from, rules: from.rules.filter((other) => other !== rule) };
    return part === to ? { ...to, rules: [...to.rules, rule] } : part;
  });
}

function split(program: Program, set: SetPart): Program {
  if (set.rules.length < 2) return program;
  const half = set.rules.length >> 1;
  const { policy, overwrites } = set;
  return [
    ...program.map((part) => (part === set ? { ...set, rules: set.rules.slice(0, half) } : part)),
    { ...emptySet(program, policy), overwrites, rules: set.rules.slice(half) },
  ];
}
