/**
 * The median of the values; for an even number the lower of the two, as a busy machine only ever adds time.
 *
 * @param {readonly number[]} values
 */
export const median = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
