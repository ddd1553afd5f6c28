import { invariants } from '../../support/invariants';
import type { FaultRow } from './fault-row';
import { faultGroups, mustSucceed, operationsOf } from './matrix';
import type { Operation, Verb } from './operations';

const columns: readonly { readonly title: string; readonly isRule: boolean; readonly verb: Verb }[] = [
  { title: 'create', isRule: true, verb: 'create' },
  { title: 'read', isRule: true, verb: 'read' },
  { title: 'update', isRule: true, verb: 'update' },
  { title: 'delete', isRule: true, verb: 'delete' },
  { title: 'list', isRule: true, verb: 'list' },
  { title: 'look', isRule: false, verb: 'look' },
  { title: 'create', isRule: false, verb: 'create' },
  { title: 'read', isRule: false, verb: 'read' },
  { title: 'update', isRule: false, verb: 'update' },
  { title: 'delete', isRule: false, verb: 'delete' },
];

/** The generated part of docs/reliability.md: the matrix as the tests drive it, and what they assert in every cell. */
export function reliabilityTable(): string {
  const groups = Object.entries(faultGroups).map(([title, rows]) =>
    [`### ${title}`, '', ...table(rows)].join('\n'),
  );
  const held = Object.entries(invariants).map(([number, text]) => `| ${number} | ${text} |`);
  return [
    ...groups,
    '### What is asserted in every cell',
    ['| | invariant |', '|---|---|', ...held].join('\n'),
  ].join('\n\n');
}

function table(rows: readonly FaultRow[]): string[] {
  const titles = columns.map(({ title }) => title).join(' | ');
  return [
    `| fault | class | ${titles} |`,
    `|---|:-:|${columns.map(() => ':-:').join('|')}|`,
    ...rows.map(
      (row) => `| ${row.name} | ${classOf(row)} | ${columns.map((it) => cell(row, it)).join(' | ')} |`,
    ),
  ];
}

const classOf = ({ outcome }: FaultRow): string => (outcome === 'harmless' ? '–' : outcome);

function cell(row: FaultRow, column: (typeof columns)[number]): string {
  const operation = operationsOf(row).find((it) => isInColumn(it, column));
  if (operation === undefined) return '';
  const once = row.settings === undefined && mustSucceed(row, operation, 'once');
  return mustSucceed(row, operation, 'throughout') ? '●' : once ? '◐' : '○';
}

const isInColumn = ({ resource, verb }: Operation, column: (typeof columns)[number]): boolean =>
  (resource === 'IpPolicyRule') === column.isRule && verb === column.verb;
