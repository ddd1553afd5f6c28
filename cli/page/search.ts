// The search: an address or a network, and what every policy, edge and route does with it.
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type Answer, type Decision, titleOfKind } from 'pulumi-edge-policy-review/lookup';
import { type AccessSide, explainerAt, NAMES } from '../src/page/access-side';
import type { EvidenceRow } from '../src/page/evidence';
import { type Child, factsOf, fill, foreignText, h, labelled, listOf, textInput } from './dom';
import type { Page, Subject } from './page';
import { badge, reasonOf, SIGNS, timeInWords } from './verdict';

export function search(page: Page): HTMLElement {
  const input = textInput('search', '203.0.113.7 or 10.0.0.0/8');
  const day = h('input', { type: 'date' });
  const answers = h('div.answers', { 'aria-live': 'polite' });
  const ask = (): void => {
    fill(answers, answersTo(page, { text: input.value.trim(), day: day.value }));
  };
  input.addEventListener('input', ask);
  day.addEventListener('input', ask);
  return h(
    'search.search',
    h(
      'div.fields',
      labelled('Address or network', input),
      labelled('On (default: when this page was made)', day),
    ),
    answers,
  );
}

function answersTo(page: Page, { text, day }: { readonly text: string; readonly day: string }): Child[] {
  if (text === '') return [];
  const parsed = parseCidr(text);
  if (!parsed.ok) return [h('p.quiet', h('bdi', parsed.reason))];
  const atMs = day === '' ? undefined : Date.parse(`${day}T00:00:00Z`);
  const asked = page.subjects.filter(({ bounds }) => bounds.some((each) => each !== undefined));
  if (asked.length === 0) return [h('p.quiet', 'No policy or edge is declared here.')];
  const answered = asked.map((subject) => ({
    subject,
    answers: page.sides.map((side): SideAnswer => {
      const question = { kind: subject.kind, subject: subject.subject, network: parsed.cidr };
      const made = side.explainer.answer(question);
      return { side, made, answer: atMs === undefined ? made : explainerAt(side, atMs).answer(question) };
    }),
  }));
  const made = `when this page was made (${timeInWords(page.content.made.at)})`;
  const decisions = (of: 'answer' | 'made') => answered.map(({ answers }) => answers.at(-1)?.[of].decision);
  const routes = page.subjects.length - asked.length;
  return [
    h(
      'p.summary',
      h('bdi', parsed.cidr.text),
      page.sides.length > 1 ? `, ${NAMES[page.sides.at(-1)?.when ?? 'now'].toLowerCase()}` : '',
      ...(atMs === undefined
        ? [`, ${made}: ${summaryOf(decisions('made'))}`]
        : [
            `, when ${day} begins in UTC: ${summaryOf(decisions('answer'))}; ${made}: ${summaryOf(decisions('made'))}`,
          ]),
    ),
    listOf(
      'ul.plain',
      answered.map((each) => answerOf(page, each)),
    ),
    routes === 0
      ? undefined
      : h(
          'p.quiet',
          `${routes === 1 ? 'One route looks' : `${routes} routes look`} at the user agent, not at the address.`,
        ),
  ];
}

interface Answered {
  readonly subject: Subject;
  readonly answers: readonly SideAnswer[];
}

interface SideAnswer {
  readonly side: AccessSide;
  /** For the day that is asked for, and when the page was made. */
  readonly answer: Answer;
  readonly made: Answer;
}

const summaryOf = (decisions: readonly (Decision | undefined)[]): string =>
  Object.entries(SIGNS)
    .map(([decision, [, word]]) => [decisions.filter((each) => each === decision).length, word] as const)
    .filter(([times]) => times > 0)
    .map(([times, word]) => `${word.toLowerCase()} at ${times}`)
    .join(', ');

const answerOf = (page: Page, { subject, answers }: Answered): HTMLElement =>
  h(
    'div.answer',
    headOf(subject),
    h(
      'div.verdicts',
      answers.map(({ side, answer, made }) =>
        h(
          'div.verdict',
          answers.length > 1 ? h('span.side.quiet', NAMES[side.when]) : undefined,
          badge(answer.decision),
          made.decision === answer.decision
            ? undefined
            : h('span.quiet', ' when made: ', badge(made.decision)),
          reasonOf(answer),
          answer.parts && h('div.parts', partsOf(answer.parts)),
          detailsOf(page, side, answer),
        ),
      ),
    ),
  );

const SHOWN = 12;

const partsOf = (parts: NonNullable<Answer['parts']>): HTMLElement[] =>
  parts.slice(0, SHOWN).map(({ text }) => h('code', text));

function detailsOf(page: Page, side: AccessSide, { origin, cidr }: Answer): HTMLElement | undefined {
  const row = side === page.sides.at(-1) ? rowOf(page.rows, origin, cidr) : undefined;
  if (!row) return undefined;
  const facts = [
    ['Reason', row.reason],
    ['Owner', row.owner],
    ['Ticket', row.ticket],
    ['Ends', row.hasEnded ? `${row.ends} (ended)` : row.ends],
    ['Added', row.added],
  ] as const;
  const given = facts.filter(([, text]) => text !== '');
  return given.length === 0 ? undefined : h('dl.facts', factsOf(given));
}

const rowOf = (
  rows: readonly EvidenceRow[],
  origin: Answer['origin'],
  cidr: string | undefined,
): EvidenceRow | undefined =>
  origin && rows.find((row) => row.origin.urn === origin.urn && row.network === cidr);

export const headOf = (subject: Subject): HTMLElement =>
  h('div.who', h('span.quiet', `${titleOfKind(subject.kind)} `), nameOf(subject));

export const nameOf = ({ subject, names }: Pick<Subject, 'names' | 'subject'>): HTMLElement[] => [
  ...names
    .slice(0, 3)
    .flatMap((name, index) => [...(index === 0 ? [] : [h('span', ', ')]), h('strong', foreignText(name))]),
  ...(names.length > 3 ? [h('span', ` and ${names.length - 3} more`)] : []),
  h('code.id', foreignText(subject)),
];
