import { AcceptedLog } from './accepted-log';

const minuteMs = 60_000;
const shortestSpanMs = 1000;
const longestGrowthIntervalMs = 4 * minuteMs;
const firstGrowth = 0.05;
// Requests do not arrive as evenly as they leave: a learned pace stays a little below what was measured.
const margin = 0.98;
// Where nothing of ours was accepted within the last minute (others used the limit up) there is nothing to measure.
const blindPerMs = 1 / 10_000;

/**
 * How fast requests may leave: as configured from the start, and as learned from refusals. The learned pace is what the
 * service accepted between the oldest request of the last minute and the end of the pause, whatever kind of limit it has.
 * It grows in widening steps while nothing is refused, falls back to what is measured when its own growth went too far,
 * and gives way when somebody else uses the same limit.
 */
export class Pace {
  private readonly log = new AcceptedLog(minuteMs);
  private learnedPerMs: number | undefined;
  private nextStartAt = 0;
  private changedAt = 0;
  private growth = firstGrowth;
  private growthIntervalMs = 0;
  private hasGrown = false;
  private spell: { readonly accepted: number; readonly since: number } | undefined;

  constructor(private readonly configuredPerMs = Infinity) {}

  /** Since when (epoch milliseconds) the next request may leave. */
  get readyAt(): number {
    return this.nextStartAt;
  }

  /** When the service may accept again, if its limit is one per minute and all of it was used by us. */
  minuteEndsAt(now: number): number | undefined {
    const oldest = this.spell?.since ?? this.log.oldest(now);
    return oldest === undefined ? undefined : oldest + minuteMs;
  }

  /** A request leaves. A timer that fires late is made good, up to one interval. */
  started(now: number): void {
    const perMs = Math.min(this.configuredPerMs, this.learnedPerMs ?? Infinity);
    if (perMs === Infinity) return;
    const intervalMs = 1 / perMs;
    this.nextStartAt = Math.max(this.nextStartAt, now - intervalMs) + intervalMs;
  }

  /** The service accepted a request. */
  accepted(now: number): void {
    this.log.add(now);
    if (this.learnedPerMs === undefined || now - this.changedAt < this.growthIntervalMs) return;
    this.learnedPerMs *= 1 + this.growth;
    this.growth *= 2;
    this.hasGrown = true;
    this.changedAt = now;
  }

  /** The service refused a request: a pause begins. */
  refused(now: number): void {
    this.spell ??= { accepted: this.log.count(now), since: this.log.oldest(now) ?? now };
  }

  /** The first request after a pause was accepted: the length of the spell is now known. */
  resumed(now: number): void {
    if (this.spell === undefined) return;
    const spanMs = Math.max(shortestSpanMs, now - this.spell.since);
    const measuredPerMs = this.spell.accepted === 0 ? blindPerMs : (margin * this.spell.accepted) / spanMs;
    const isFirst = this.learnedPerMs === undefined;
    const yieldedPerMs = (this.learnedPerMs ?? Infinity) * (this.hasGrown ? 1 : 0.7);
    this.learnedPerMs = Math.min(measuredPerMs, yieldedPerMs);
    this.growthIntervalMs = isFirst
      ? Math.min(spanMs, minuteMs)
      : Math.min(this.growthIntervalMs * 2, longestGrowthIntervalMs);
    this.growth = firstGrowth;
    this.hasGrown = false;
    this.changedAt = now;
    this.nextStartAt = now;
    this.spell = undefined;
  }
}
