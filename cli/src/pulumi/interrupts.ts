import type { ChildProcess } from 'node:child_process';
import { EXIT, type ExitCode } from '../command/context';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first signal to end the command that came while a CLI was at work: nothing new is begun after that. */
let interruptedBy: (typeof SIGNALS)[number] | undefined;

/** The user has ended the command. It is no `UserError`: no command goes on without the answer, and none calls it a problem. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly exitCode: ExitCode) {
    super('Interrupted.');
  }
}

/** @throws InterruptedError after a signal. */
export function requireUninterrupted(): void {
  if (interruptedBy !== undefined)
    throw new InterruptedError(interruptedBy === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
}

/**
 * After a signal, a CLI that only reads is ended. One that writes ends in its own way: it releases its lock and writes what it has
 * done; only the second signal is passed on, which makes it give up. It has a process group of its own, so Ctrl-C reaches it no
 * other way.
 */
export function shieldFromInterrupts(cli: ChildProcess, isWriting: boolean): void {
  const note = (signal: (typeof SIGNALS)[number]): void => {
    if (!isWriting || interruptedBy !== undefined) cli.kill('SIGINT');
    interruptedBy ??= signal;
  };
  for (const signal of SIGNALS) process.on(signal, note);
  cli.once('close', () => {
    for (const signal of SIGNALS) process.off(signal, note);
  });
}
