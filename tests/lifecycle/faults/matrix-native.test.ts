import { onRules } from './fault-row';
import { type Cell, cellsOf } from './matrix';
import { tryCells } from './trials';

/** What a failure looks like to the adapter: whether something may have been done, whether it was, and what the message quotes. */
const looksLike = ({ row, operation }: Cell): string =>
  [operation.verb, row.outcome, row.hasEffect, row.isHopeless, row.isEcho].join(' ');

// The core is the same in both hosts: here what crosses the plugin's adapter, one fault of each look.
const onOneRule = cellsOf('http').filter(
  ([, , { operation }]) => onRules(operation) && operation.verb !== 'list',
);
const cells = onOneRule.filter(
  ([, , cell], index) => onOneRule.findIndex(([, , other]) => looksLike(other) === looksLike(cell)) === index,
);

tryCells('http', { cells, host: 'native' });
