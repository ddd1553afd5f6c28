import type { Clock } from 'pulumi-edge-policy/internal/api/clock';

export type Progress = (line: string) => void;

/** A step that takes less shows nothing. */
const PATIENCE_MS = 2000;
const PACE_MS = 200;

/** Says how far a long step is, from two seconds on, as often as a reader can follow; it may be called much more often. */
export function progressOf({
  clock,
  progress,
}: {
  readonly clock: Clock;
  readonly progress?: Progress;
}): (howFar: () => string) => void {
  if (!progress) return () => undefined;
  let nextMs = clock.monotonicMs() + PATIENCE_MS;
  return (howFar) => {
    const nowMs = clock.monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + PACE_MS;
    progress(howFar());
  };
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const ERASED = '\r\u001b[K';

/** The outputs of a command, for what has passed `safeContext`; each erases the line of progress, which only a terminal shows. */
export function outputsOn({ stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }) {
  let isShown = false;
  const writerOn = (output: Output) => (text: string) => {
    if (isShown) stderr.write(ERASED);
    isShown = false;
    output.write(text);
  };
  const progress: Progress = (line) => {
    isShown = true;
    stderr.write(`${ERASED}${line}`);
  };
  return { print: writerOn(stdout), note: writerOn(stderr), ...(stderr.isTTY === true && { progress }) };
}
