/** With fewer accepted requests nothing is measured: others may have used the limit. */
const fewestMeasured = 10;
/** A measured pace has doubled after so long (hardly at first, then ever faster); without an accepted request it is void. */
const memoryMs = 30_000;
/** A timer that fires so much late is made good. */
const timerDelayMs = 20;

/** How fast requests leave: never faster than configured, and after refusals about as fast as the service accepts them. */
export class Pace {
  /** From when on (epoch milliseconds) the next request may leave. */
  readyAt = 0;
  private acceptedAt = 0;
  /** The pace, and what was accepted since it was measured. */
  private measured = { perMs: Infinity, at: 0, accepted: 0 };

  constructor(private readonly configuredPerMs: number) {}

  onSent(now: number): void {
    if (now - this.acceptedAt > memoryMs) this.measured = { perMs: Infinity, at: now, accepted: 0 };
    const growth = 1 + ((now - this.measured.at) / memoryMs) ** 3;
    const intervalMs = 1 / Math.min(this.configuredPerMs, this.measured.perMs * growth);
    this.readyAt = Math.max(this.readyAt, now - Math.min(intervalMs, timerDelayMs)) + intervalMs;
  }

  onAccepted(now: number): void {
    this.measured.accepted += 1;
    this.acceptedAt = now;
  }

  /** Slows down to the pace at which requests were accepted, with all pauses in between. */
  onRefused(now: number): void {
    const { accepted, at } = this.measured;
    if (accepted < fewestMeasured) return;
    this.measured = { perMs: accepted / Math.max(1, now - at), at: now, accepted: 0 };
  }
}
