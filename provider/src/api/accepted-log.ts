/** When the requests of the last minute were accepted: the evidence from which a rate limit is learned. */
export class AcceptedLog {
  private times: number[] = [];
  private first = 0;

  constructor(private readonly horizonMs: number) {}

  add(now: number): void {
    this.prune(now);
    this.times.push(now);
  }

  /** Forgets everything. */
  restart(): void {
    this.times = [];
    this.first = 0;
  }

  count(now: number): number {
    this.prune(now);
    return this.times.length - this.first;
  }

  oldest(now: number): number | undefined {
    this.prune(now);
    return this.times[this.first];
  }

  private prune(now: number): void {
    while ((this.times[this.first] ?? Infinity) <= now - this.horizonMs) this.first += 1;
    // Cutting in large steps keeps the cost per request constant.
    if (this.first > 1000 && this.first * 2 > this.times.length) {
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
  }
}
