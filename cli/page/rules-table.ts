// Rules as a table with filters: those of a policy, and all of them as evidence.
import { endOfRule } from 'pulumi-edge-policy-review/lookup';
import { EFFECTS, type EvidenceRow, PAGE_COLUMNS } from '../src/page/evidence';
import { button, fill, foreignText, h, labelled, tableOf } from './dom';

const ENDING = 'Ends';

const KINDS: readonly (readonly [name: string, holds: (row: EvidenceRow) => boolean])[] = [
  ['All rules', () => true],
  ['Reason missing', ({ reason }) => reason === ''],
  [ENDING, ({ ends }) => ends !== ''],
  ['Ended', ({ hasEnded }) => hasEnded],
  ['By hand', ({ isByHand }) => isByHand],
  ['Without effect', ({ effect }) => effect === 'shadowed' || effect === 'never-matches'],
  ['Effect not decided', ({ effect }) => effect === 'undecided'],
  ['From a feed', ({ reason }) => /^feeds? ./.test(reason)],
];

/** Rows that are shown at once: a browser is slow with more. */
const PAGE_SIZE = 100;

export interface RulesTable {
  readonly name: string;
  readonly rows: readonly EvidenceRow[];
  readonly without: readonly string[];
}

/** The table. All rows that a filter lets through can be printed. */
export function rulesTable({ name, rows, without }: RulesTable): HTMLElement {
  const columns = PAGE_COLUMNS.filter(
    ([title, cell]) =>
      !without.includes(title) && (title === 'Decision' || rows.some((row) => cell(row) !== '')),
  );
  const kinds = KINDS.filter(([, holds]) => rows.some(holds));
  const kind = h(
    'select',
    kinds.map(([title, holds]) => h('option', { value: title }, `${title} (${rows.filter(holds).length})`)),
  );
  const text = h('input', { type: 'search', placeholder: 'Network, reason, owner, ticket, feed, resource' });
  const body = h('tbody');
  const rest = h('div.rest.quiet');
  const cellsOf = (row: EvidenceRow) => columns.map(([title, cell]) => cellOf(title, cell(row), row));
  let limit = PAGE_SIZE;
  const show = (): void => {
    const holds = kinds.find(([title]) => title === kind.value)?.[1] ?? (() => true);
    const wanted = text.value.trim().toLowerCase();
    const matching = rows.filter(
      (row) =>
        holds(row) && (wanted === '' || columns.some(([, cell]) => cell(row).toLowerCase().includes(wanted))),
    );
    fill(
      body,
      (kind.value === ENDING ? endingFirst(matching) : matching)
        .slice(0, limit)
        .map((row) => h('tr', cellsOf(row))),
    );
    const more = button('Show more', () => {
      limit *= 4;
      show();
    });
    fill(
      rest,
      `${Math.min(limit, matching.length)} of ${matching.length} rules`,
      matching.length > limit ? more : undefined,
    );
  };
  for (const control of [kind, text])
    control.addEventListener('input', () => {
      limit = PAGE_SIZE;
      show();
    });
  addEventListener('beforeprint', () => {
    limit = Infinity;
    show();
  });
  show();
  const filters = [labelled('Show', kind), labelled('Find', text)];
  const titles = columns.map(([title]) => title);
  return h('div.rules', h('div.fields', filters), tableOf(name, titles, body), rest);
}

function cellOf(title: string, text: string, row: EvidenceRow): HTMLElement {
  switch (title) {
    case 'Network':
      return h('th', { scope: 'row' }, h('code', foreignText(text)));
    case 'Action':
      return h('td', h('span', { class: `action ${text}` }, foreignText(text)));
    case 'Effect':
      return h('td', { class: row.effect === 'decides' ? '' : 'odd' }, EFFECTS[row.effect]);
    default:
      return h('td', { class: CLASSES[title] ?? '' }, text === '' ? '' : foreignText(text));
  }
}

const CLASSES: Readonly<Record<string, string>> = { Policy: 'id', Reason: 'why', Added: 'added' };

export function endingFirst(rows: readonly EvidenceRow[]): EvidenceRow[] {
  const endOf = ({ rule }: EvidenceRow): number => endOfRule(rule.until) ?? Number.MAX_VALUE;
  return [...rows].sort((one, other) => (endOf(one) === endOf(other) ? 0 : endOf(one) - endOf(other)));
}
