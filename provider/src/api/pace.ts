import { AcceptedLog } from './accepted-log';

const minuteMs = 60_000;
const shortestSpanMs = 1000;
const timerDelayMs = 20;
const longestGrowthIntervalMs = 4 * minuteMs;
const mostProvingRequests = 30;
const leastGrowth = 0.02;
// Requests do not arrive as evenly as they leave: a learned pace stays a little below what was measured.
const margin = 0.98;
// A refusal that our own growth does not explain: somebody else uses the same limit and must get a share.
const yielding = 0.9;

/** Requests that were accepted between the oldest one of the last minute and a refusal. */
interface Spell {
  accepted: number;
  readonly since: number;
}

/** A pace found out from refusals, and when it may be tried to go faster. */
interface LearnedPace {
  perMs: number;
  hasGrown: boolean;
  /** Share by which the pace grows next. */
  growth: number;
  changedAt: number;
  acceptedSinceChange: number;
  /** The pace grows when it has gone unrefused for so long, and for as many requests as it was measured with. */
  readonly growthIntervalMs: number;
  readonly provingRequests: number;
}

/**
 * How fast requests may leave: as configured from the start, and as learned from refusals. The learned pace is what the
 * service accepted between the oldest request of the last minute and the end of the pause, whatever kind of limit it has.
 * It grows in widening steps while nothing is refused, falls back to what is measured when its own growth went too far,
 * and gives way when somebody else uses the same limit.
 */
export class Pace {
  private readonly log = new AcceptedLog(minuteMs);
  private learned: LearnedPace | undefined;
  private spell: Spell | undefined;
  private nextStartAt = 0;

  constructor(private readonly configuredPerMs = Infinity) {}

  /** Since when (epoch milliseconds) the next request may leave. */
  get readyAt(): number {
    return this.nextStartAt;
  }

  /** When the service may accept again, if its limit is one per minute and all of it was used by us. */
  minuteEndsAt(now: number): number | undefined {
    const isOurs = this.spell === undefined || this.spell.accepted > 0;
    const oldest = this.spell?.since ?? this.log.oldest(now);
    return oldest === undefined || !isOurs ? undefined : oldest + minuteMs;
  }

  /** A request leaves. A timer that fires a little late is made good, so that a pace is kept on average. */
  started(now: number): void {
    const perMs = Math.min(this.configuredPerMs, this.learned?.perMs ?? Infinity);
    if (perMs === Infinity) return;
    const intervalMs = 1 / perMs;
    this.nextStartAt = Math.max(this.nextStartAt, now - Math.min(intervalMs, timerDelayMs)) + intervalMs;
  }

  /** The service accepted a request; during a pause, one that left before it. */
  accepted(now: number): void {
    this.log.add(now);
    if (this.spell !== undefined) this.spell.accepted += 1;
    if (this.learned !== undefined) this.grow(this.learned, now);
  }

  /** The service refused a request: a pause begins. */
  refused(now: number): void {
    this.spell ??= { accepted: this.log.count(now), since: this.log.oldest(now) ?? now };
  }

  /** The first request after a pause is about to count as accepted: the length of the spell is known. */
  resumed(now: number): void {
    if (this.spell === undefined) return;
    const { accepted, since } = this.spell;
    this.spell = undefined;
    this.log.restart();
    // Others used the limit up: there is nothing of ours to measure.
    if (accepted === 0) return;
    const spanMs = Math.max(shortestSpanMs, now - since);
    const { perMs, hasGrown, growthIntervalMs } = this.learned ?? { perMs: Infinity, hasGrown: true };
    this.learned = {
      perMs: Math.min(perMs, (accepted / spanMs) * (hasGrown ? margin : yielding)),
      hasGrown: false,
      // The fewer requests a pace was measured with, the less it is worth.
      growth: Math.max(leastGrowth, 1 / (2 * accepted)),
      changedAt: now,
      acceptedSinceChange: 0,
      growthIntervalMs: Math.min((growthIntervalMs ?? spanMs / 2) * 2, longestGrowthIntervalMs),
      provingRequests: Math.min(accepted, mostProvingRequests),
    };
    this.nextStartAt = now + 1 / this.learned.perMs;
  }

  private grow(learned: LearnedPace, now: number): void {
    learned.acceptedSinceChange += 1;
    if (now - learned.changedAt < learned.growthIntervalMs) return;
    if (learned.acceptedSinceChange < learned.provingRequests) return;
    learned.perMs *= 1 + learned.growth;
    learned.growth *= 2;
    learned.hasGrown = true;
    learned.changedAt = now;
    learned.acceptedSinceChange = 0;
  }
}
