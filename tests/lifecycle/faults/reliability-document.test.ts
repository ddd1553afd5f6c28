import { expectGeneratedPart } from '../../support/generated-part';
import { invariants } from '../../support/invariants';
import type { FaultRow } from './fault-row';
import { faultGroups, mustSucceed, operationsOf, waysOf } from './matrix';
import type { Operation, Verb } from './operations';
import type { WayName } from './ways';

const columns: readonly { readonly isRule: boolean; readonly verb: Verb }[] = [
  ...(['create', 'read', 'update', 'delete', 'list'] as const).map((verb) => ({ isRule: true, verb })),
  ...(['look', 'create', 'read', 'update', 'delete'] as const).map((verb) => ({ isRule: false, verb })),
];

const ways: readonly WayName[] = ['http', 'https', 'proxy'];

/** The matrix as the tests drive it, and what they assert in every cell. */
function reliabilityTable(): string {
  const groups = Object.entries(faultGroups).map(([title, rows]) =>
    [`### ${title}`, '', ...table(rows)].join('\n'),
  );
  // One request shows nothing of what others see on the way, and of a second send.
  const { I13: _window, I14: _resend, ...asserted } = invariants;
  const held = Object.entries(asserted).map(([number, text]) => `| ${number} | ${text} |`);
  return [
    ...groups,
    '### Asserted in every cell',
    ['| | invariant |', '| --- | --- |', ...held].join('\n'),
  ].join('\n\n');
}

function table(rows: readonly FaultRow[]): string[] {
  // What comes after a connection stands is the same on every way, and tried on one.
  const shown = rows.some((row) => waysOf(row).length > 1) ? ways : [];
  const titles = ['fault', 'class', ...shown, ...columns.map(({ verb }) => verb)];
  const cells = (row: FaultRow): string[] => [
    ...[row.name, classOf(row)],
    ...shown.map((way) => (waysOf(row).includes(way) ? '✓' : '')),
    ...columns.map((column) => cell(row, column)),
  ];
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return [
    line(titles),
    line(titles.map((_title, index) => (index === 0 ? '---' : ':---:'))),
    ...rows.map((row) => line(cells(row))),
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

// `npm run docs:reliability` writes it.
test('docs/contributing/fault-matrix.md shows the fault matrix that the tests drive', () => {
  expectGeneratedPart('docs/contributing/fault-matrix.md', 'matrix', reliabilityTable());
});
