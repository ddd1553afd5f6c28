import {
  AnswerError,
  ApiError,
  ConnectionError,
  DeadlineError,
  isAlreadyExists,
  isEdgePolicyError,
  isNotFound,
  isUnqualifiedNotFound,
  RequestError,
  type ApiErrorFields,
} from '../../../provider/src/api/errors';

const apiError = (fields: Partial<ApiErrorFields> = {}): ApiError =>
  new ApiError({
    ...{ method: 'GET', path: '/ip_policy_rules/ipr_1', status: 404, outcome: 'definite', isQualified: true },
    ...fields,
  });

const where = { method: 'PATCH', path: '/ip_policy_rules/ipr_1' };

test.each<[Partial<ApiErrorFields>, string]>([
  [{}, '404'],
  [{ serviceMessage: 'no such rule' }, '404: no such rule'],
  [{ serviceMessage: 'no', code: 'ERR_1', operationId: 'op_1' }, '404: no [code ERR_1, operation op_1]'],
  [{ operationId: 'op_1' }, '404 [operation op_1]'],
  [{ isQualified: false }, '404 (not an answer from the service: check the base URL)'],
  [{ status: 401 }, '401 (check the API key)'],
  [{ status: 302 }, '302 (redirects are never followed: check the base URL)'],
  [{ status: 299 }, '299'],
  [{ status: 400, isQualified: false }, '400'],
])('an answer is told in one line: %j', (fields, told) => {
  expect(apiError(fields).message).toBe(`GET /ip_policy_rules/ipr_1 returned ${told}`);
});

const missing = { ...where, outcome: 'not-sent', reason: 'not-reached', code: 'ECONNREFUSED' } as const;
const deadline = { ...where, outcome: 'rate-limited', budgetMs: 300_000, setting: 'the time' } as const;

test.each<[Error, string]>([
  [
    new ConnectionError({ ...where, outcome: 'ambiguous', reason: 'broken', code: 'ECONNRESET' }),
    ': the connection broke before the answer was complete [ECONNRESET]',
  ],
  [
    new ConnectionError({ ...missing, host: '127.0.0.1:4010' }),
    ': 127.0.0.1:4010 cannot be reached (check the base URL, the network, and the proxy if you need one) [ECONNREFUSED]',
  ],
  [
    new AnswerError({ ...where, status: 200, problem: 'the body is empty' }),
    ' returned 200, but the body is empty',
  ],
  [new DeadlineError(deadline), ': not done within 300 s. To allow more time, raise the time'],
  [
    new DeadlineError({ ...deadline, isCancelled: true, lastError: 'it broke' }),
    ': not done because the run was cancelled; last failure: it broke',
  ],
  [
    new DeadlineError({ ...deadline, lastError: 'it broke', resumesAt: Date.UTC(2030, 0, 1) }),
    ': not done within 300 s: the service accepts no request before 2030-01-01T00:00:00.000Z; last failure: it broke. ' +
      'To allow more time, raise the time',
  ],
])('what else may fail is told in one line: %s', (error, told) => {
  expect(error.message).toBe(`PATCH /ip_policy_rules/ipr_1${told}`);
});

const every: readonly Error[] = [
  apiError(),
  new ConnectionError({ ...where, outcome: 'ambiguous', reason: 'broken' }),
  new AnswerError({ ...where, status: 200, problem: 'p' }),
  new DeadlineError({ ...where, outcome: 'not-sent', budgetMs: 1, setting: 'the time' }),
  new RequestError('no'),
];

test('every error of the client is one of ours, also when it comes from another copy of the package, and carries no id', () => {
  for (const error of every) {
    expect(isEdgePolicyError(error)).toBe(true);
    expect(isEdgePolicyError(Object.assign(Object.create(null), error, { name: error.name }))).toBe(true);
    expect(error.toString().startsWith(error.name)).toBe(true);
    // The engine takes any error with an `id` for "created, but initialising failed".
    expect(error).not.toHaveProperty('id');
  }
  const named = [{ name: 'ApiError' }, { name: 'AxiosError', outcome: 'definite' }];
  const typed = [{ name: 7, outcome: 'definite' }, { name: 'ApiError', outcome: 7 }, { outcome: 'definite' }];
  for (const other of [new Error('x'), null, undefined, 'x', {}, ...named, ...typed])
    expect(isEdgePolicyError(other)).toBe(false);
});

test('only a 404 of the service itself means not found, and only its own answer that something already exists', () => {
  expect(isNotFound(apiError())).toBe(true);
  expect(isNotFound(apiError({ isQualified: false }))).toBe(false);
  expect(isNotFound(apiError({ status: 410 }))).toBe(false);
  expect(isNotFound({ status: 404, isQualified: true })).toBe(false);
  expect(isUnqualifiedNotFound(apiError({ isQualified: false }))).toBe(true);
  expect(isUnqualifiedNotFound(apiError())).toBe(false);
  expect(isUnqualifiedNotFound(apiError({ status: 502, isQualified: false }))).toBe(false);
  expect(isUnqualifiedNotFound(new Error('404'))).toBe(false);
  expect(isAlreadyExists(apiError({ status: 409, isQualified: false }))).toBe(false);
  expect(isAlreadyExists({ status: 409, isQualified: true })).toBe(false);
});
