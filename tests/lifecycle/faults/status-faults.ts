import { always, anyOfTwoKinds, type FaultRow, hasAnswerBody, onRules, type Place, verbs } from './fault-row';

const html = '<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>';

const failing = (name: string, status: number, headers: Record<string, string> = {}): FaultRow => ({
  name,
  outcome: 'A',
  reaches: anyOfTwoKinds,
  fault: () => ({ kind: 'status', status, headers }),
});

const rateLimited = (
  name: string,
  retryAfter: (place: Place) => string | string[] | undefined,
  options: Partial<FaultRow> = {},
): FaultRow => ({
  name: `429, Retry-After ${name}`,
  outcome: 'T',
  reaches: anyOfTwoKinds,
  fault(place) {
    const value = retryAfter(place);
    return { kind: 'status', status: 429, headers: value === undefined ? {} : { 'Retry-After': value } };
  },
  ...options,
});

const refused = (
  name: string,
  status: number,
  options: { echo?: boolean; body?: object } = {},
): FaultRow => ({
  name,
  outcome: 'D',
  reaches: always,
  fault: () => ({ kind: 'status', status, ...options }),
});

const redirected = (status: 301 | 302 | 303 | 307 | 308): FaultRow => ({
  name: `${status} to another origin`,
  outcome: 'A',
  reaches: anyOfTwoKinds,
  fault: ({ otherUrl, operation }) => ({
    kind: 'status',
    status,
    headers: { Location: `${otherUrl}${operation.path}` },
  }),
});

const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** Answers whose status is no success, or not the one that the document gives. */
export const statusFaults: readonly FaultRow[] = [
  failing('500', 500),
  {
    ...failing('500 though done', 500),
    hasEffect: true,
    fault: () => ({ kind: 'status', status: 500, when: 'after' }),
  },
  {
    ...failing('502 with HTML', 502),
    fault: () => ({ kind: 'status', status: 502, rawBody: html }),
  },
  failing('503 with Retry-After', 503, { 'Retry-After': '7' }),
  failing('503 without Retry-After', 503),
  failing('504', 504),
  failing('408', 408),
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
  refused('400 that echoes what was sent', 400, { echo: true }),
  refused('422 that echoes what was sent', 422, { echo: true }),
  refused('400 of 1 MB', 400, { body: { status_code: 400, msg: '.'.repeat(2 ** 20) } }),
  {
    name: '404 with HTML for everything (wrong base path)',
    outcome: 'A',
    isEverywhere: true,
    reaches: always,
    fault: () => ({ kind: 'status', status: 404, rawBody: html }),
  },
  {
    name: '404 without a body for everything',
    outcome: 'A',
    isEverywhere: true,
    reaches: always,
    fault: () => ({ kind: 'status', status: 404, rawBody: '' }),
  },
  {
    name: '404 with HTML for a rule that the list shows',
    outcome: 'A',
    reaches: (operation) => onRules(operation) && verbs('read', 'update', 'delete')(operation),
    fault: () => ({ kind: 'status', status: 404, rawBody: html }),
  },
  ...([301, 302, 303, 307, 308] as const).map(redirected),
  {
    name: '307 to itself',
    outcome: 'A',
    reaches: anyOfTwoKinds,
    fault: ({ serviceUrl, operation }) => ({
      kind: 'status',
      status: 307,
      headers: { Location: `${serviceUrl}${operation.path}` },
    }),
  },
  {
    name: '204 where a body is due',
    outcome: 'A',
    hasEffect: true,
    reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerBody(operation),
    fault: () => ({ kind: 'status', status: 204, when: 'after' }),
  },
  {
    name: '200 with HTML where 204 is due',
    outcome: 'A',
    hasEffect: true,
    reaches: verbs('delete'),
    fault: () => ({ kind: 'status', status: 200, rawBody: html, when: 'after' }),
  },
];
