import type { Clock } from '../api/clock';

const INTERVAL_MS = 60_000;

interface Countable {
  /** The beginning of the line, which names the work. */
  readonly title: string;
  readonly doneCount: number;
  readonly totalCount: number;
}

/** Prints a line every minute until the returned function is called. */
export function reportProgress(clock: Clock, warn: (line: string) => void, work: Countable): () => void {
  const finished = new AbortController();
  const report = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(INTERVAL_MS, finished.signal);
      warn(`${work.title}: ${work.doneCount} of ${work.totalCount} requests done`);
    }
  };
  // Aborting the sleep ends the reports.
  report().catch(() => undefined);
  return () => {
    finished.abort();
  };
}
