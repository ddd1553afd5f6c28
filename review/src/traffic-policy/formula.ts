import type { CidrSet } from '../access/cidr-set';
import { complement, emptyCidrSet, everything, intersect, union, unionAll } from '../access/cidr-set';
import { type AddressBounds, exactly } from '../access/bounds';

/** Conditions that are not about the address are variables: they hold if the value is one of those named, or (excluded) none. */
export type Formula =
  | { readonly kind: 'addresses'; readonly set: CidrSet }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly values: readonly string[];
      readonly isExcluded: boolean;
    }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Formula[] };

export type Assignment = ReadonlyMap<string, string>;

export const ALWAYS: Formula = { kind: 'addresses', set: everything };
export const NEVER: Formula = { kind: 'addresses', set: emptyCidrSet };

const variable =
  (isExcluded: boolean) =>
  (name: string, ...values: readonly string[]): Formula => ({ kind: 'variable', name, values, isExcluded });

export const whenIs = variable(false);
export const whenIsNot = variable(true);

export function allOf(parts: readonly Formula[]): Formula {
  const open = parts.filter((part) => part !== ALWAYS);
  if (open.includes(NEVER)) return NEVER;
  return open.length === 1 ? (open[0] ?? ALWAYS) : (joined('all', open) ?? ALWAYS);
}

export function anyOf(parts: readonly Formula[]): Formula {
  const open = parts.filter((part) => part !== NEVER);
  if (open.includes(ALWAYS)) return ALWAYS;
  return open.length === 1 ? (open[0] ?? NEVER) : (joined('any', open) ?? NEVER);
}

function joined(kind: 'all' | 'any', parts: readonly Formula[]): Formula | undefined {
  const sets = parts.flatMap((part) => (part.kind === 'addresses' ? [part.set] : []));
  const others = parts.filter((part) => part.kind !== 'addresses');
  const [first] = sets;
  if (!first)
    return others.length === 1 ? others[0] : others.length === 0 ? undefined : { kind, parts: others };
  // Joining many networks at once costs one sort; one after the other, each would cost a walk.
  const set = sets.length === 1 ? first : kind === 'any' ? unionAll(sets) : sets.reduce(intersect);
  const addresses: Formula = { kind: 'addresses', set };
  return others.length === 0 ? addresses : { kind, parts: [addresses, ...others] };
}

export function not(formula: Formula): Formula {
  switch (formula.kind) {
    case 'addresses':
      if (formula === ALWAYS) return NEVER;
      return formula === NEVER ? ALWAYS : { kind: 'addresses', set: complement(formula.set) };
    case 'variable':
      return { ...formula, isExcluded: !formula.isExcluded };
    case 'all':
      return anyOf(formula.parts.map(not));
    case 'any':
      return allOf(formula.parts.map(not));
  }
}

/** How many boundaries a set has, which is the cost of a walk through it. */
export const boundariesIn = (set: CidrSet): number => set[4].length + set[6].length;

const sizes = new WeakMap<Formula, number>();

/** The size of a formula when written out, in parts and boundaries of sets: shared parts of nested `? :` count as often as they occur. */
export function sizeOf(formula: Formula): number {
  if (formula.kind === 'addresses') return 1 + boundariesIn(formula.set);
  if (formula.kind === 'variable') return 1;
  const known = sizes.get(formula);
  if (known !== undefined) return known;
  const size = formula.parts.reduce((sum, part) => sum + sizeOf(part), 1);
  sizes.set(formula, size);
  return size;
}

const UNDECIDED: AddressBounds = { surely: emptyCidrSet, possibly: everything };

export function boundsOfFormula(formula: Formula, assignment: Assignment): AddressBounds {
  switch (formula.kind) {
    case 'addresses':
      return exactly(formula.set);
    case 'variable': {
      const value = assignment.get(formula.name);
      if (value === undefined) return UNDECIDED;
      return exactly(formula.values.includes(value) === formula.isExcluded ? emptyCidrSet : everything);
    }
    default: {
      const join = formula.kind === 'all' ? intersect : union;
      return formula.parts
        .map((part) => boundsOfFormula(part, assignment))
        .reduce((left, right) => ({
          surely: join(left.surely, right.surely),
          possibly: join(left.possibly, right.possibly),
        }));
    }
  }
}

/** The variables of a formula, with the values that it distinguishes. */
export function collectVariables(formula: Formula, into: Map<string, Set<string>>): void {
  if (formula.kind === 'variable') {
    const values = into.get(formula.name) ?? new Set<string>();
    formula.values.forEach((value) => values.add(value));
    into.set(formula.name, values);
  } else if (formula.kind !== 'addresses') {
    formula.parts.forEach((part) => {
      collectVariables(part, into);
    });
  }
}
