import { connectionFaults } from './connection-faults';
import { contentFaults } from './content-faults';
import { type FaultRow, onRules } from './fault-row';
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

const kindsOf = ({ reaches }: FaultRow): string[] => [
  ...new Set(operations.filter((each) => reaches(each) && !onRules(each)).map(({ resource }) => resource)),
];

/** Modules share one lifecycle, but each kind compares its own content: after a request that was done, or is quoted. */
const rowsInTurn = faultRows.filter(
  (row) => row.hasEffect !== true && row.isEcho !== true && kindsOf(row).length > 1,
);

/** A row is tried on all kinds of module that it reaches. The rows that no content decides are tried on one kind, in turn. */
export function operationsOf(row: FaultRow): readonly Operation[] {
  const reached = operations.filter(row.reaches);
  const turn = rowsInTurn.indexOf(row);
  if (turn === -1) return reached;
  const kinds = kindsOf(row);
  const chosen = kinds[turn % kinds.length];
  return reached.filter((operation) => onRules(operation) || operation.resource === chosen);
}

export const waysOf = ({ ways = ['http'] }: FaultRow): readonly WayName[] => ways;

/** One cell of the matrix. */
export interface Cell {
  readonly row: FaultRow;
  readonly operation: Operation;
}

/** Transport does not know resources: what is tried again on another way is tried on rules. */
const triedAgainOn = { http: () => true, https: onRules, proxy: onRules } as const;

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
