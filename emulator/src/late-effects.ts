/** Work that a fault has postponed until after its answer. */
export class LateEffects {
  private readonly timers = new Set<NodeJS.Timeout>();

  add(delayMs: number, effect: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      effect();
    }, delayMs);
    this.timers.add(timer);
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
