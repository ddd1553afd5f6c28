/** With fewer accepted requests in a minute nothing is measured: others may have used the limit. */
const fewestMeasured = 10;
const longestSpellMs = 60_000;
/** A measured pace has doubled after so long without a refusal: hardly at first, then ever faster. */
const doublingMs = 30_000;
/** A timer that fires so much late is made good. */
const timerDelayMs = 20;

/** How fast requests leave: never faster than configured, and after refusals about as fast as the service accepts them. */
export class Pace {
  /** From when on (epoch milliseconds) the next request may leave. */
  readyAt = 0;
  private accepted = 0;
  private spellSince: number | undefined;
  private measured: { readonly perMs: number; readonly at: number } | undefined;

  constructor(private readonly configuredPerMs: number) {}

  onSent(now: number): void {
    this.spellSince ??= now;
    const intervalMs = 1 / Math.min(this.configuredPerMs, this.measuredPerMs(now));
    if (intervalMs === 0) return;
    this.readyAt = Math.max(this.readyAt, now - Math.min(intervalMs, timerDelayMs)) + intervalMs;
  }

  onAccepted(): void {
    this.accepted += 1;
  }

  /** A pause is over: measures what was accepted since an earlier one ended, with all pauses in between. */
  onResumed(now: number, isMeasurable: boolean): void {
    const spanMs = now - (this.spellSince ?? now);
    const isEnough = this.accepted >= fewestMeasured;
    if (!isEnough && spanMs < longestSpellMs) return;
    if (isEnough && isMeasurable) this.measured = { perMs: this.accepted / Math.max(1, spanMs), at: now };
    this.accepted = 0;
    this.spellSince = now;
  }

  private measuredPerMs(now: number): number {
    if (this.measured === undefined) return Infinity;
    return this.measured.perMs * (1 + ((now - this.measured.at) / doublingMs) ** 3);
  }
}
