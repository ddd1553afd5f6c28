// Policies, edges and routes, one by one.
import {
  amountsInWords,
  isEmptyCidrSet,
  patternsIn,
  filtersOf,
  looksAtUserAgents,
  trafficPoliciesOf,
  trafficRulesOf,
} from 'pulumi-edge-policy-review/lookup';
import type { AddressBounds, Answer, UserAgentShift } from 'pulumi-edge-policy-review/lookup';
import { type AccessSide, NAMES } from '../src/page/access-side';
import { type Child, doubt, fill, foreignText, h, labelled, sentence, tableOf, textInput } from './dom';
import type { Page, Subject } from './page';
import { clientsOf } from './clients';
import { picture } from './picture';
import { endingFirst, rulesTable } from './rules-table';
import { nameOf } from './search';
import { badge, reasonOf } from './verdict';

/** All of one kind. What is closed is made when it is opened, as there may be hundreds. */
export function subjectsOf(page: Page, kind: Subject['kind'], title: string): HTMLElement | undefined {
  const subjects = page.subjects.filter((each) => each.kind === kind);
  if (subjects.length === 0) return undefined;
  return h(
    'section',
    h('h2', title, h('span.count', ` ${subjects.length}`)),
    subjects.map((subject) => oneOf(page, subject, subjects.length <= 3)),
  );
}

function oneOf(page: Page, subject: Subject, isOpen: boolean): HTMLElement {
  const content = h('div.content');
  const make = (): void => {
    if (details.open && content.childElementCount === 0) fill(content, contentOf(page, subject));
  };
  const details = h(
    'details.subject',
    { open: isOpen, toggle: make },
    h('summary', h('h3', nameOf(subject)), h('div.quiet', headlineOf(page, subject))),
    content,
  );
  make();
  return details;
}

const contentOf = (page: Page, subject: Subject): (HTMLElement | undefined)[] => [
  shiftOf(subject),
  picture(page, subject),
  subject.kind === 'policy' ? rulesOf(page, subject) : h('div.modules', modulesOf(page, subject)),
  ...clientsOf(page, subject),
];

function headlineOf(page: Page, subject: Subject): (HTMLElement | string)[] {
  return page.sides.map((side, at) => {
    const name = page.sides.length > 1 ? `${NAMES[side.when]}: ` : '';
    const bounds = subject.bounds[at];
    return h('div', name, bounds ? amountOf(bounds) : agentsOf(side, subject));
  });
}

/** The addresses, as far as that is proved. */
function amountOf({ surely, possibly }: AddressBounds): HTMLElement[] {
  const [least, most] = [amountsInWords(surely), amountsInWords(possibly)];
  return most.map((words, family) => {
    const atLeast = least[family] ?? [];
    const isExact = JSON.stringify(words) === JSON.stringify(atLeast);
    const range = isExact
      ? [sentence(words)]
      : ['between ', sentence(atLeast), ' and ', sentence(words), ' (not decided)'];
    return h('span.amount', range);
  });
}

function agentsOf({ proofs }: AccessSide, { kind, subject }: Subject): string {
  const proof = proofs.find((each) => each.kind === kind && each.subject === subject);
  if (proof?.of !== 'user-agents') return 'nothing is declared';
  if (proof.letsEverybodyIn) return 'every user agent gets in';
  if (proof.letsNobodyIn) return 'no user agent gets in';
  return proof.letsNobodyIn === false ? 'some user agents get in' : 'not decided which user agents get in';
}

/** What the change does. Only a proof says that nothing changes. */
export function shiftOf({ shift }: Subject): HTMLElement | undefined {
  if (!shift) return undefined;
  const lines =
    shift.of === 'addresses'
      ? [movedInWords('gained', '+', shift.gained), movedInWords('lost', '−', shift.lost)]
      : [agentsMoved('gained', '+', shift.gained), agentsMoved('lost', '−', shift.lost)];
  const changed = lines.filter((line) => line !== undefined);
  if (changed.length === 0) return h('p.same', 'Nobody’s access changes.');
  const doubts = shift.doubts.map(({ reason }) => h('li.doubt', 'Not decided: ', sentence(reason)));
  return h('ul.plain.shift', changed, doubts);
}

function movedInWords(word: string, sign: string, moved: AddressBounds): HTMLElement | undefined {
  if (isEmptyCidrSet(moved.possibly)) return undefined;
  const isSure = !isEmptyCidrSet(moved.surely);
  // Families in which nothing moves are left out.
  const amounts = amountOf(moved).filter((_, at) => moved.possibly[at === 0 ? 4 : 6].length > 0);
  return lineOf([word, sign], isSure, ' ', amounts);
}

/** A line about what moves, surely or perhaps. */
const lineOf = ([word, sign]: readonly [string, string], isSure: boolean, ...more: Child[]): HTMLElement =>
  h(
    'li',
    { class: word },
    h('span.sign', { 'aria-hidden': 'true' }, isSure ? sign : '?'),
    h('strong', isSure ? word : `perhaps ${word}`),
    ...more,
  );

function agentsMoved(
  word: string,
  sign: string,
  { extent, witnesses, mayBeMore }: UserAgentShift,
): HTMLElement | undefined {
  if (extent === 'none') return undefined;
  const examples = witnesses
    .slice(0, 5)
    .flatMap((agent) => [' ', h('q', agent === null ? '(no header)' : foreignText(agent))]);
  const others = mayBeMore ? ' and perhaps others' : '';
  const suchAs = examples.length > 0 ? ' such as' : '';
  return lineOf([word, sign], extent === 'some', ' user agents', suchAs, examples, others);
}

function rulesOf(page: Page, { subject, names }: Subject): HTMLElement {
  const rows = page.rows.filter(
    ({ policy, origin }) => policy === subject || (policy.startsWith('(') && names.includes(origin.name)),
  );
  if (rows.length === 0) return h('p.quiet', 'No rules are declared any more.');
  return rulesTable({
    name: `Rules of ${names[0] ?? subject}`,
    rows: endingFirst(rows),
    // The evidence has these.
    without: ['Policy', 'Added', 'Used by', 'Decision'],
  });
}

function modulesOf({ sides }: Page, subject: Subject): HTMLElement[] {
  return sides.map((side) => {
    const of = looksAtUserAgents(subject.kind) ? filterOf : trafficRulesTable;
    return h('div', sides.length > 1 ? h('h4', NAMES[side.when]) : undefined, of(side, subject));
  });
}

function trafficRulesTable({ snapshot, proofs }: AccessSide, { subject }: Subject): HTMLElement[] {
  const modules = trafficPoliciesOf(snapshot).placed.get(subject) ?? [];
  const rules = modules.flatMap((module) => trafficRulesOf(module) ?? []);
  const cells = (texts: readonly string[]): HTMLElement =>
    h(
      'td',
      texts.map((text) => h('code.line', foreignText(text))),
    );
  const rows = rules.map(({ phase, position, name, expressions, actions }) =>
    h(
      'tr',
      h('th', { scope: 'row' }, foreignText(name === '' ? `${phase} ${position}` : name)),
      cells(expressions),
      cells(actions.map(({ content }) => content)),
    ),
  );
  const isOff = modules.some(({ isEnabled }) => isEnabled.isKnown && !isEnabled.value);
  return [
    ...(isOff ? [h('p.quiet', 'The traffic policy is off.')] : []),
    ...doubtsAbout(subject, proofs),
    rows.length === 0
      ? h('p.quiet', 'No rules can be shown.')
      : tableOf('Traffic policy', ['Rule', 'If', 'Then'], h('tbody', rows)),
  ];
}

function filterOf(side: AccessSide, { subject }: Subject): HTMLElement[] {
  const filters = filtersOf(side.snapshot).placed.get(subject) ?? [];
  const lists = filters.flatMap((filter) =>
    (['allow', 'deny'] as const).map((list) => {
      const patterns = patternsIn(filter, list);
      const shown = patterns.isKnown
        ? patterns.value.map((each) => (each.isKnown ? each.value : `(${each.obstacle})`))
        : [`(${patterns.obstacle})`];
      return shown.length === 0
        ? []
        : [h('dt', list), ...shown.map((pattern) => h('dd', h('code', foreignText(pattern))))];
    }),
  );
  return [h('dl.facts', lists), ...doubtsAbout(subject, side.proofs), tryAgent(side, subject)];
}

const doubtsAbout = (subject: string, proofs: AccessSide['proofs']): HTMLElement[] =>
  proofs
    .flatMap((proof) => (proof.subject === subject ? proof.doubts : []))
    .map(({ reason }) => doubt(reason));

function tryAgent({ explainer }: AccessSide, subject: string): HTMLElement {
  const input = textInput('text', 'curl/8.11.0');
  const none = h('input', { type: 'checkbox' });
  const answer = h('div.verdict', { 'aria-live': 'polite' });
  const ask = (): void => {
    input.disabled = none.checked;
    const isAsked = none.checked || input.value !== '';
    const answered: Answer | undefined = isAsked
      ? explainer.answer({ kind: 'route', subject, userAgent: none.checked ? null : input.value })
      : undefined;
    fill(answer, answered ? [badge(answered.decision), reasonOf(answered)] : []);
  };
  input.addEventListener('input', ask);
  none.addEventListener('input', ask);
  return h(
    'div.agent',
    h(
      'div.fields',
      labelled('Try a user agent', input),
      labelled('Sends no such header', none, 'field check'),
    ),
    answer,
  );
}
