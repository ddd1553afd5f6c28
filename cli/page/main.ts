// Puts the page together.
import { doubtsOf, isExact, SUBJECT_KINDS, titleOfKind } from 'pulumi-edge-policy-review/lookup';
import { NAMES } from '../src/page/access-side';
import { type Fact, factsOf, foreignText, h, listOf, sentence } from './dom';
import { type Page, readPage } from './page';
import { rulesTable } from './rules-table';
import { headOf, nameOf, search } from './search';
import { shiftOf, subjectsOf } from './subjects';
import { timeInWords } from './verdict';

const SOURCES = {
  state: 'what the stack declares, from its state',
  preview: 'a change, before and after',
  live: 'the service, compared with the state',
  past: 'what a state of the past holds, not proved live',
} as const;

function header({ content: { made }, sides }: Page): HTMLElement {
  const names = made.stacks.map(({ name }) => name).join(', ');
  document.title = `Who gets in: ${foreignText(names).textContent}`;
  const facts: Fact[] = [
    ['Shows', SOURCES[made.source]],
    ['Written', timeInWords(made.at)],
    ...made.stacks.flatMap(({ name, stateTime }): Fact[] =>
      stateTime === undefined
        ? []
        : [[made.stacks.length > 1 ? `State of ${name}` : 'State', `last written ${timeInWords(stateTime)}`]],
    ),
    ...(made.commit ? [['Commit', `${made.commit.hash} of ${timeInWords(made.commit.date)}`] as const] : []),
    ...(sides.length > 1 ? [['Compares', sides.map(({ when }) => NAMES[when]).join(' with ')] as const] : []),
  ];
  return h(
    'header',
    h('h1', 'Who gets in', h('span.stack', ' ', foreignText(names))),
    h('dl.facts.made', factsOf(facts)),
  );
}

/** Everything that is not proved, once each. */
function undecided({ sides, policies, subjects }: Page): HTMLElement | undefined {
  const doubts = [
    ...policies.flatMap(({ before, after }) => doubtsOf([before, after])),
    ...sides.flatMap(({ proofs }) => proofs.flatMap((proof) => proof.doubts)),
    ...subjects.flatMap(({ shift }) => shift?.doubts ?? []),
  ];
  const open = subjects.filter(({ bounds }) => bounds.some((each) => each && !isExact(each)));
  const reasons = new Map(doubts.map(({ reason }) => [JSON.stringify(reason), reason]));
  if (reasons.size + open.length === 0) return undefined;
  return h(
    'section.questions',
    h('h2', 'Not decided'),
    open.length > 0
      ? h(
          'p',
          'Who gets in is known only in part at ',
          open.map((subject, at) => [at === 0 ? '' : ', ', nameOf(subject)]),
          '.',
        )
      : undefined,
    listOf('ul', [...reasons.values()].slice(0, SHOWN).map(sentence)),
    reasons.size > SHOWN ? h('p', `And ${reasons.size - SHOWN} more.`) : undefined,
  );
}

const SHOWN = 20;

/** Both sides compared: every object whose access changes, or may do so. */
function changes({ content: { made }, sides, subjects, policies }: Page): HTMLElement | undefined {
  if (sides.length < 2) return undefined;
  const moved = subjects.flatMap((subject) => {
    const shift = shiftOf(subject);
    return shift && !shift.classList.contains('same') ? [{ subject, shift }] : [];
  });
  const later = policies.flatMap((policy) =>
    policy.later.map(
      ({ begins }) =>
        `${policy.policyId}: access changes again from ${timeInWords(new Date(begins.atMs).toISOString())} on, as rules end.`,
    ),
  );
  return h(
    'section.changes',
    h('h2', made.source === 'live' ? 'Drift' : 'What changes'),
    moved.length === 0
      ? h('p.same', 'Nobody’s access changes: proved for every policy, edge and route shown here.')
      : undefined,
    moved.map(({ subject, shift }) => h('div.moved', headOf(subject), shift)),
    listOf('ul.plain.quiet', later.map(foreignText)),
  );
}

const ASSUMPTIONS: Readonly<Record<string, string>> = {
  ipModel: 'Rules of a policy',
  userAgentModel: 'Patterns of a filter',
  phases: 'Further phases',
};

function assumptions({ content }: Page): HTMLElement {
  const given = Object.entries(content.assumptions).flatMap(([name, value]: [string, unknown]): Fact[] => {
    const words = Array.isArray(value) ? value.join(', ') : String(value);
    const label = ASSUMPTIONS[name];
    return label === undefined || words === '' ? [] : [[label, words]];
  });
  return h(
    'section.assumed',
    h('h2', 'Assumed'),
    h(
      'p.quiet',
      content.made.source === 'live'
        ? 'The service’s document does not say how rules and patterns work together.'
        : 'The service’s document does not say how rules and patterns work together, and no other stack has rules in these policies.',
    ),
    h('dl.facts', factsOf(given)),
  );
}

function evidence({ rows, content }: Page): HTMLElement {
  const details = h(
    'details.evidence',
    { open: rows.length <= MANY },
    h('summary', h('h2', 'Evidence', h('span.count', ` ${rows.length}`))),
    rows.length === 0
      ? h('p.quiet', 'No rules are declared.')
      : rulesTable({ name: 'Evidence', rows, without: [] }),
  );
  addEventListener('beforeprint', () => {
    details.open = true;
  });
  const note =
    content.made.source === 'live' ? '' : ' Without --live, it leaves out rules that no program declares.';
  return h(
    'section.for-print',
    details,
    h('p.quiet', `Print this page for a signed review, or write the same rows with --csv.${note}`),
  );
}

/** A longer table is closed at first. */
const MANY = 200;

function show(page: Page): void {
  const main = h(
    'main',
    search(page),
    undecided(page),
    changes(page),
    SUBJECT_KINDS.map((kind) => subjectsOf(page, kind, `${titleOfKind(kind).replace(/y$/, 'ie')}s`)),
    evidence(page),
    assumptions(page),
  );
  document.body.append(header(page), main);
  // The attribute `autofocus` would wait for the first frame, and complain where something has the focus by then.
  main.querySelector('input')?.focus();
  document.documentElement.dataset['ready'] = 'true';
  // Painted by the next frame.
  requestAnimationFrame(() => {
    performance.mark('shown');
  });
}

readPage().then(show, (error: unknown) => {
  document.body.append(
    h('p', { role: 'alert' }, `This page cannot be read: ${error instanceof Error ? error.message : ''}`),
  );
});
