/**
 * A ratio or number that should stay within a bound.
 *
 * @typedef {{ name: string, value: number, atMost?: number, atLeast?: number, isReached?: boolean }} Figure
 */

export const atMost = (name, value, bound) =>
  figure(name, value, { atMost: bound }, (rounded) => rounded <= bound);

export const atLeast = (name, value, bound) =>
  figure(name, value, { atLeast: bound }, (rounded) => rounded >= bound);

/** A figure without a promise. */
export const plain = (name, value) => ({ name, value: rounded(value) });

const figure = (name, value, bound, isWithin) => ({
  name,
  value: rounded(value),
  ...bound,
  isReached: isWithin(rounded(value)),
});

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(4));
