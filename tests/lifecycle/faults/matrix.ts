import { connectionFaults } from './connection-faults';
import { contentFaults } from './content-faults';
import { type FaultRow, onRules, onRuleWrites } from './fault-row';
import { type Operation, operations } from './operations';
import { statusFaults } from './status-faults';
import type { WayName } from './ways';

/** How often a fault strikes: once, or throughout the operation. */
export type Persistence = 'once' | 'throughout';

/** The rows of the matrix; the columns are the operations. */
export const faultGroups: Readonly<Record<string, readonly FaultRow[]>> = {
  'The way to the service and back': connectionFaults,
  'Answers that are no success': statusFaults,
  'Successes that must not be believed': contentFaults,
};

const faultRows: readonly FaultRow[] = Object.values(faultGroups).flat();

export const operationsOf = ({ reaches }: FaultRow): readonly Operation[] => operations.filter(reaches);

export const waysOf = ({ ways = ['http'] }: FaultRow): readonly WayName[] => ways;

/** One cell of the matrix. */
export interface Cell {
  readonly row: FaultRow;
  readonly operation: Operation;
}

/** Transport does not know operations: what is tried again on another way is tried on two. */
const triedAgainOn = { http: () => true, https: onRuleWrites, proxy: onRuleWrites } as const;

/** What is tried on one way, with names for tests. */
export const cellsOf = (way: WayName): (readonly [fault: string, operation: string, cell: Cell])[] =>
  faultRows
    .filter((row) => waysOf(row).includes(way))
    .flatMap((row) => operationsOf(row).map((operation) => ({ row, operation })))
    .filter(({ operation }) => triedAgainOn[way](operation))
    .map((cell) => [cell.row.name, `${cell.operation.verb} ${cell.operation.resource}`, cell]);

/** Whether the operation must come through; where not, it must fail and keep what state holds. */
export function mustSucceed(row: FaultRow, operation: Operation, persistence: Persistence): boolean {
  const { verb } = operation;
  if (row.outcome === 'harmless') return true;
  // What is in the way of a rule may be about to go.
  if (row.isConflict === true && onRules(operation) && (verb === 'create' || verb === 'update'))
    return persistence === 'once';
  if (row.outcome === 'D' || row.isHopeless === true) return false;
  if (persistence === 'once') return true;
  // The answer never comes, but what was done is found by looking for it.
  return row.outcome === 'A' && row.hasEffect === true && ['create', 'update', 'delete'].includes(verb);
}
