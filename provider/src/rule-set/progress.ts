import type { ApiClient } from '../api/client';

/** When long work reports its progress, in seconds since its beginning; the lines stay in the output of the run. */
const REPORTS_AT_S = [5, 10, 30, 60, 120, 300];
const LAST_INTERVAL_S = 300;

/** Counts requests and prints a line now and then while they run. */
export class Progress {
  private done = 0;
  private readonly startedAtMs: number;
  private readonly finished = new AbortController();

  constructor(
    private readonly work: {
      readonly client: Pick<ApiClient, 'clock' | 'pausedUntil'>;
      readonly warn: (line: string) => void;
      /** The beginning of the line, which names the work. */
      readonly title: string;
      readonly total: number;
    },
  ) {
    this.startedAtMs = work.client.clock.monotonicMs();
    void this.report();
  }

  /** Counts one request. */
  step(): void {
    this.done += 1;
  }

  /** Stops the lines. */
  stop(): void {
    this.finished.abort();
  }

  private async report(): Promise<void> {
    const { clock } = this.work.client;
    for (let turn = 0; !this.finished.signal.aborted; turn += 1) {
      const waitMs = this.startedAtMs + reportAtMs(turn) - clock.monotonicMs();
      try {
        await clock.sleep(waitMs, this.finished.signal);
      } catch {
        return;
      }
      this.work.warn(this.line());
    }
  }

  private line(): string {
    const { client, title, total } = this.work;
    const elapsedS = Math.max(1, client.clock.monotonicMs() - this.startedAtMs) / 1000;
    const perMinute = Math.round((this.done / elapsedS) * 60);
    const resumesAt = client.pausedUntil();
    const pause =
      resumesAt === undefined
        ? ''
        : `, waiting for the rate limit until ${new Date(resumesAt).toISOString()}`;
    return `${title}: ${this.done} of ${total} requests done after ${Math.round(elapsedS)} s, ${perMinute} a minute${pause}`;
  }
}

function reportAtMs(turn: number): number {
  const last = REPORTS_AT_S.length - 1;
  const seconds = REPORTS_AT_S[turn] ?? (REPORTS_AT_S[last] ?? 0) + (turn - last) * LAST_INTERVAL_S;
  return seconds * 1000;
}
