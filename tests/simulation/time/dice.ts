import { seededRandom } from '../../support/seeded-random';

/** Chance that repeats itself for the same seed. */
export class Dice {
  private readonly random: () => number;

  constructor(seed: number) {
    // Seeds that lie close together begin alike otherwise.
    this.random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
    this.random();
  }

  /** From 0 to below 1. */
  readonly fraction = (): number => this.random();

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  /** From `low` to below `high`. */
  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  isLucky(chance: number): boolean {
    return this.random() < chance;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  }

  /** As many of the choices as chance has it, in their order. */
  some<T>(choices: readonly T[], chance = 0.5): T[] {
    return choices.filter(() => this.isLucky(chance));
  }
}
