import { connectionFaults } from './connection-faults';
import { contentFaults } from './content-faults';
import type { FaultRow } from './fault-row';
import { type Operation, operations } from './operations';
import { statusFaults } from './status-faults';

/** How often a fault strikes: once, or throughout the operation. */
export type Persistence = 'once' | 'throughout';

/** The rows of the matrix; the columns are the operations. */
export const faultGroups: Readonly<Record<string, readonly FaultRow[]>> = {
  'The way to the service and back': connectionFaults,
  'Answers that are no success': statusFaults,
  'Successes that must not be believed': contentFaults,
};

export const faultRows: readonly FaultRow[] = Object.values(faultGroups).flat();

export const operationsOf = (row: FaultRow): readonly Operation[] => operations.filter(row.reaches);

/** Whether the operation must come through; where not, it must fail and keep what state holds. */
export function mustSucceed(row: FaultRow, { verb }: Operation, persistence: Persistence): boolean {
  if (row.outcome === 'harmless') return true;
  if (row.outcome === 'D' || row.isHopeless === true) return false;
  if (persistence === 'once') return true;
  // The answer never comes, but what was done is found by looking for it.
  return row.outcome === 'A' && row.hasEffect === true && ['create', 'update', 'delete'].includes(verb);
}
