import type { ApiClient } from '../api/client';

/** After how long work reports its progress for the first time; the next intervals double, as the lines stay in the output of the run. */
const FIRST_REPORT_MS = 5_000;
const LONGEST_INTERVAL_MS = 300_000;

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
    for (let atMs = FIRST_REPORT_MS; ; atMs += Math.min(atMs, LONGEST_INTERVAL_MS)) {
      await clock.sleep(startedAtMs + atMs - clock.monotonicMs(), finished.signal);
      warn(line());
    }
  };
  // A sleep that is aborted ends the reports.
  report().catch(() => undefined);
  return () => {
    finished.abort();
  };
}
