/** Limits how many pieces of work run at once; the next one waits for a permit. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(readonly count: number) {
    this.free = count;
  }

  /** Takes a permit as soon as one is free. The returned function releases it; later calls do nothing. */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
