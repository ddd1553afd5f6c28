import type { ApiClient } from '../api/client';

/** When long work reports its progress, in seconds since its beginning; the lines stay in the output of the run. */
const REPORTS_AT_S = [5, 10, 30, 60, 120, 300];
const LAST_INTERVAL_S = 300;

/** Work that counts its requests. */
export interface Countable {
  /** The beginning of the line, which names the work. */
  readonly title: string;
  readonly doneCount: number;
  readonly totalCount: number;
}

/** Prints a line now and then until the returned function is called. */
export function reportProgress(
  client: Pick<ApiClient, 'clock' | 'pausedUntil'>,
  warn: (line: string) => void,
  work: Countable,
): () => void {
  const { clock } = client;
  const finished = new AbortController();
  const startedAtMs = clock.monotonicMs();
  const line = (): string => {
    const { title, doneCount, totalCount } = work;
    const elapsedS = Math.max(1, clock.monotonicMs() - startedAtMs) / 1000;
    const perMinute = Math.round((doneCount / elapsedS) * 60);
    const resumesAt = client.pausedUntil();
    const pause =
      resumesAt === undefined
        ? ''
        : `, waiting for the rate limit until ${new Date(resumesAt).toISOString()}`;
    return `${title}: ${doneCount} of ${totalCount} requests done after ${Math.round(elapsedS)} s, ${perMinute} a minute${pause}`;
  };
  const report = async (): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      await clock.sleep(startedAtMs + reportAtMs(turn) - clock.monotonicMs(), finished.signal);
      warn(line());
    }
  };
  // A sleep that is aborted ends the reports.
  report().catch(() => undefined);
  return () => {
    finished.abort();
  };
}

function reportAtMs(turn: number): number {
  const last = REPORTS_AT_S.length - 1;
  const seconds = REPORTS_AT_S[turn] ?? (REPORTS_AT_S[last] ?? 0) + (turn - last) * LAST_INTERVAL_S;
  return seconds * 1000;
}
