import {
  always,
  anyOfTwoKinds,
  type FaultRow,
  type FaultSpec,
  hasAnswerBody,
  onRules,
  type Place,
  verbs,
} from './fault-row';

const html = '<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>';

type Answer = Omit<FaultSpec & { kind: 'status' }, 'kind'>;

const answered = (
  name: string,
  answer: Answer | ((place: Place) => Answer),
  row: Partial<FaultRow> = {},
): FaultRow => ({
  ...{ name, outcome: 'A', reaches: anyOfTwoKinds, ...row },
  fault: (place) => ({ kind: 'status', ...(typeof answer === 'function' ? answer(place) : answer) }),
});

const rateLimited = (
  name: string,
  retryAfter: (place: Place) => string | string[] | undefined,
  row: Partial<FaultRow> = {},
): FaultRow =>
  answered(
    `429, Retry-After ${name}`,
    (place) => {
      const value = retryAfter(place);
      return { status: 429, headers: value === undefined ? {} : { 'Retry-After': value } };
    },
    { outcome: 'T', ...row },
  );

const refused = (name: string, status: number, more: Partial<Answer> = {}): FaultRow =>
  answered(name, { status, ...more }, { outcome: 'D', reaches: always });

const redirected = (name: string, status: number, origin: (place: Place) => string): FaultRow =>
  answered(name, (place) => ({ status, headers: { Location: origin(place) + place.operation.path } }));

const everywhere = { isEverywhere: true, reaches: always } as const;

const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** Answers whose status is no success, or not the one that the document gives. */
export const statusFaults: readonly FaultRow[] = [
  answered('500', { status: 500 }),
  answered('500 though done', { status: 500, when: 'after' }, { hasEffect: true }),
  answered('502 with HTML', { status: 502, rawBody: html }),
  answered('503 with Retry-After', { status: 503, headers: { 'Retry-After': '7' } }),
  answered('503 without Retry-After', { status: 503 }),
  answered('504', { status: 504 }),
  answered('408', { status: 408 }),
  rateLimited('2 s', () => '2'),
  rateLimited('as a date', ({ nowMs }) => httpDate(nowMs + 5_000)),
  rateLimited('as a date in the past', ({ nowMs }) => httpDate(nowMs - 60_000)),
  rateLimited('absent', () => undefined),
  rateLimited('2147483648', () => '2147483648', { isHopeless: true }),
  rateLimited('nonsense', () => 'soon'),
  rateLimited('twice', () => ['2', '3']),
  refused('401', 401),
  refused('403', 403),
  { ...refused('409', 409), isConflict: true },
  { ...refused('400 that echoes what was sent', 400, { echo: true }), isEcho: true },
  { ...refused('422 that echoes what was sent', 422, { echo: true }), isEcho: true },
  refused('400 of 1 MB', 400, { body: { status_code: 400, msg: '.'.repeat(2 ** 20) } }),
  answered('404 with HTML for everything (wrong base path)', { status: 404, rawBody: html }, everywhere),
  answered('404 without a body for everything', { status: 404, rawBody: '' }, everywhere),
  answered(
    '404 with HTML for a rule that the list shows',
    { status: 404, rawBody: html },
    { reaches: (operation) => onRules(operation) && verbs('read', 'update', 'delete')(operation) },
  ),
  ...[301, 302, 303, 307, 308].map((status) =>
    redirected(`${status} to another origin`, status, ({ otherUrl }) => otherUrl),
  ),
  redirected('307 to itself', 307, ({ serviceUrl }) => serviceUrl),
  answered(
    '204 where a body is due',
    { status: 204, when: 'after' },
    { hasEffect: true, reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerBody(operation) },
  ),
  answered(
    '200 with HTML where 204 is due',
    { status: 200, rawBody: html, when: 'after' },
    { hasEffect: true, reaches: verbs('delete') },
  ),
];
