/** With fewer accepted requests the pace is not measured, as other clients may have used up the limit. */
const FEWEST_MEASURED = 10;
/** A measured pace doubles within this time (slowly at first, then faster); without an accepted request it expires. */
const MEMORY_MS = 30_000;
/** How late a timer may fire and still be compensated. */
const TIMER_DELAY_MS = 20;

/** How fast requests leave: never faster than configured, and after refusals about as fast as the service accepts them. */
export class Pace {
  /** When (monotonic milliseconds) the next request may leave. */
  readyAt = 0;
  private acceptedAt = -Infinity;
  /** The pace, and the requests accepted since it was measured. */
  private measured = { perMs: Infinity, at: 0, accepted: 0 };

  constructor(private readonly configuredPerMs: number) {}

  onSent(now: number): void {
    if (now - this.acceptedAt > MEMORY_MS) this.measured = { perMs: Infinity, at: now, accepted: 0 };
    const growth = 1 + ((now - this.measured.at) / MEMORY_MS) ** 3;
    const intervalMs = 1 / Math.min(this.configuredPerMs, this.measured.perMs * growth);
    this.readyAt = Math.max(this.readyAt, now - Math.min(intervalMs, TIMER_DELAY_MS)) + intervalMs;
  }

  onAccepted(now: number): void {
    this.measured.accepted += 1;
    this.acceptedAt = now;
  }

  /** Slows down to the pace at which requests were accepted, pauses included. */
  onRefused(now: number): void {
    const { accepted, at } = this.measured;
    if (accepted < FEWEST_MEASURED) return;
    this.measured = { perMs: accepted / Math.max(1, now - at), at: now, accepted: 0 };
  }
}
