/** What the commands end with; `docs/cli.md` says what it means for each. */
export const EXIT = {
  done: 0,
  /** Something needs a decision or a repair: a red line, a refusal, a part that was left out. */
  attention: 1,
  /** Not to be decided from what is there (`review`). */
  undecided: 2,
  /** Nothing was done: wrong usage, settings, service or CLI. */
  failed: 3,
} as const;

/** A command's exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
