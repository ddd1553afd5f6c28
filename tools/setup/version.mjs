/**
 * Whether a version such as `3.259.0`, `v3.259.0` or `go1.26` is at least another one. A text without numbers is not.
 *
 * @param {string} version
 * @param {string} oldest
 */
export const isAtLeast = (version, oldest) => {
  const actual = numbersOf(version);
  const required = numbersOf(oldest);
  if (actual.length === 0) return false;
  for (const [index, minimum] of required.entries()) {
    const number = actual[index] ?? 0;
    if (number !== minimum) return number > minimum;
  }
  return true;
};

/** @param {string} version */
const numbersOf = (version) =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
