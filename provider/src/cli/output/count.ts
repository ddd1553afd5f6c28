/** A number with its noun: `1 rule`, `2 rules`. */
export const count = (number: number, noun: string): string =>
  `${number} ${number === 1 ? noun : `${noun}s`}`;
