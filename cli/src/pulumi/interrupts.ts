import type { ChildProcess } from 'node:child_process';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Whether Ctrl-C came while a CLI was at work: nothing new is begun after that. */
let isInterrupted = false;

/** The user has ended the command while a CLI was at work. */
export class InterruptedError extends UserError {
  constructor() {
    super('Interrupted.');
  }
}

/** @throws InterruptedError after a Ctrl-C. */
export function requireUninterrupted(): void {
  if (isInterrupted) throw new InterruptedError();
}

/**
 * After Ctrl-C, lets a CLI end in its own way: release its lock and write what it has done. It has a process group of its own,
 * so each Ctrl-C reaches it once, and the second makes it give up.
 */
export function shieldFromInterrupts(cli: ChildProcess): void {
  const pass = (): void => {
    isInterrupted = true;
    cli.kill('SIGINT');
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  cli.once('close', () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  });
}
