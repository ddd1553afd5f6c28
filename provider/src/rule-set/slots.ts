/** Lets a number of pieces of work go on at once; the next one waits for a free slot. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly count: number) {
    this.#free = count;
  }

  /** Takes a slot as soon as there is one. The function that is returned gives it back; later calls do nothing. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack();
      isTaken = false;
    };
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
