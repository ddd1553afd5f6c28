/** Random numbers that are repeatable by a seed (mulberry32): the only source of them in the tests besides fast-check. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    // Without this, neighbouring seeds would begin alike.
    this.state = Math.imul(seed + 1, 0x9e3779b1);
    this.fraction();
  }

  /** From 0 to below 1; as a function, for callers that need a source of random numbers. */
  readonly fraction = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** From `low` to below `high`. */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  isLucky(chance: number): boolean {
    return this.fraction() < chance;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = this.maybe(choices);
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  }

  /** One of the choices; undefined if there is none. */
  maybe<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }
}
