import type { ProcessLedger } from '../settle/ledger';

const takenOver = new WeakMap<ProcessLedger, Set<string>>();

/**
 * Notes that a set of this run has taken over a rule that was there before. After a rename without alias, or a move of
 * single rules into a set, the engine deletes the old resource last: that must not delete what the new one stands for.
 */
export function noteTakenOver(ledger: ProcessLedger, ids: Iterable<string>): void {
  const known = takenOver.get(ledger) ?? new Set();
  for (const id of ids) known.add(id);
  takenOver.set(ledger, known);
}

/** Whether a set of this run has taken the rule over. */
export const isTakenOver = (ledger: ProcessLedger, id: string): boolean =>
  takenOver.get(ledger)?.has(id) ?? false;
