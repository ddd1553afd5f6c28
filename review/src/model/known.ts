import { isUnknown } from 'pulumi-edge-policy/internal/values/unknowns';
import { SECRET } from '../preview/preview-step';

/** Why a value is hidden; or, of a whole object, that its fate, content (`look-up`) or last write (`unsettled`) is not known. */
export type Obstacle = 'unknown' | 'secret' | 'unreadable' | 'ambiguous' | 'fate' | 'look-up' | 'unsettled';

/** A value as a preview shows it: known, or hidden by an obstacle. Nothing may be concluded from a hidden one. */
export type Known<T> = { readonly isKnown: true; readonly value: T } | Hidden;

export interface Hidden {
  readonly isKnown: false;
  readonly obstacle: Obstacle;
}

export const known = <T>(value: T): Known<T> => ({ isKnown: true, value });

export const hidden = (obstacle: Obstacle): Hidden => ({ isKnown: false, obstacle });

/** Reads a value with `read`, which returns undefined if it does not understand the value. */
export function readKnown<T>(value: unknown, read: (value: unknown) => T | undefined): Known<T> {
  if (isUnknown(value)) return hidden('unknown');
  if (value === SECRET) return hidden('secret');
  const result = read(value);
  return result === undefined ? hidden('unreadable') : known(result);
}

export const isShown = (value: unknown): boolean => !isUnknown(value) && value !== SECRET;

export const valueOf = <T>(value: Known<T>): T | undefined => (value.isKnown ? value.value : undefined);

/** Turns a list into a known list if every part is known; otherwise returns the first obstacle. */
export function allKnown<T>(values: readonly Known<T>[]): Known<readonly T[]> {
  const all: T[] = [];
  for (const value of values) {
    if (!value.isKnown) return value;
    all.push(value.value);
  }
  return known(all);
}
