import { onRules } from './fault-row';
import { type Cell, cellsOf } from './matrix';
import { tryCells } from './trials';

/** What a failure looks like to the adapter: whether something may have been done, and whether it was. */
const looksLike = ({ row, operation }: Cell): string =>
  [operation.verb, row.outcome, row.hasEffect === true, row.isHopeless === true].join(' ');

// The core is the same in both hosts: here what crosses the plugin's adapter, every fault at a create and one of each look at the
// other operations.
const onOneRule = cellsOf('http').filter(
  ([, , { operation }]) => onRules(operation) && operation.verb !== 'list',
);
const cells = onOneRule.filter(
  ([, , cell], index) =>
    cell.operation.verb === 'create' ||
    onOneRule.findIndex(([, , other]) => looksLike(other) === looksLike(cell)) === index,
);

tryCells('http', { cells, host: 'native' });
