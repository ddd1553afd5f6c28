/**
 * The middle one of the values. Of an even number the lower of the two: what a busy machine adds is never negative.
 *
 * @param {readonly number[]} values
 */
export const median = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
