/** `not-sent`, refused by the rate limit, refused for a `definite` reason, or `ambiguous`: it may have been carried out. */
export type Outcome = 'not-sent' | 'rate-limited' | 'definite' | 'ambiguous';

/** Why there was no complete answer, as far as this is worth words beside the code of the system. */
export type ConnectionReason =
  'not-reached' | 'proxy' | 'tls' | 'connect-timeout' | 'timeout' | 'broken' | 'body-too-large';

/** `outcome` covers all attempts together: one ambiguous attempt makes it ambiguous. */
export interface Failed {
  readonly method: string;
  /** The path below the base URL, identifiers included, without a query. */
  readonly path: string;
  readonly outcome: Outcome;
}

/** The texts are clean already (see redact.ts). */
export interface ApiErrorFields extends Failed {
  readonly status: number;
  readonly isQualified: boolean;
  readonly code?: string | undefined;
  readonly serviceMessage?: string | undefined;
  /** Whether the message says so, even if that part is masked. */
  readonly saysAlreadyExists?: boolean;
  readonly operationId?: string | undefined;
}

/** Appended to every message about a refused key; see `settings/advice.ts`. */
export const CHECK_KEY = 'check the API key';

const RULES_PATH = '/ip_policy_rules';

function hint({ method, path, status, isQualified }: ApiErrorFields): string {
  if (status >= 300 && status < 400) return ' (redirects are never followed: check the base URL)';
  if (status === 401) return ` (${CHECK_KEY})`;
  if (status !== 404) return '';
  if (!isQualified) return ' (not an answer from the service: check the base URL)';
  return method === 'GET' && path === RULES_PATH ? ' (every account has this list: check the base URL)' : '';
}

function answerInWords(fields: ApiErrorFields): string {
  const text = fields.serviceMessage === undefined ? '' : `: ${fields.serviceMessage}`;
  const code = fields.code === undefined ? [] : [`code ${fields.code}`];
  const operation = fields.operationId === undefined ? [] : [`operation ${fields.operationId}`];
  const marks = [...code, ...operation].join(', ');
  return ` returned ${fields.status}${text}${marks && ` [${marks}]`}${hint(fields)}`;
}

abstract class CallError extends Error {
  readonly method: string;
  readonly path: string;
  readonly outcome: Outcome;

  constructor({ method, path, outcome }: Failed, predicate: string) {
    super(`${method} ${path}${predicate}`);
    this.method = method;
    this.path = path;
    this.outcome = outcome;
  }
}

/** The service, or something in between, answered with a status other than success. */
export class ApiError extends CallError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly saysAlreadyExists: boolean;
  /** Whether the body was a JSON object, as only the service itself sends it. */
  readonly isQualified: boolean;

  constructor(fields: ApiErrorFields) {
    super(fields, answerInWords(fields));
    this.status = fields.status;
    this.saysAlreadyExists = fields.saysAlreadyExists === true;
    this.isQualified = fields.isQualified;
  }
}

const CHECK_WAY = 'check the base URL, the network, and the proxy if you need one';

const reasonTexts: Record<ConnectionReason, (host: string) => string> = {
  'not-reached': (host) => `${host} cannot be reached (${CHECK_WAY})`,
  proxy: () => 'the proxy did not open a tunnel',
  tls: () =>
    'the TLS connection could not be trusted (for a private certificate authority, set NODE_EXTRA_CA_CERTS)',
  'connect-timeout': (host) => `no connection to ${host} within the request timeout (${CHECK_WAY})`,
  timeout: () => 'no complete answer within the request timeout',
  broken: () => 'the connection broke before the answer was complete',
  'body-too-large': () => 'the answer is longer than 8 MiB, or 64 MiB for a page of the list',
};

/** `host` is the service's, with its port. */
interface ConnectionErrorFields extends Failed {
  readonly reason: ConnectionReason;
  readonly code?: string | undefined;
  readonly host?: string | undefined;
}

export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError';
  readonly reason: ConnectionReason;

  constructor(fields: ConnectionErrorFields) {
    const code = fields.code === undefined ? '' : ` [${fields.code}]`;
    super(fields, `: ${reasonTexts[fields.reason](fields.host ?? 'the service')}${code}`);
    this.reason = fields.reason;
  }
}

/** A success that could not be understood, so its effect is unknown. */
export class AnswerError extends CallError {
  override readonly name = 'AnswerError';

  constructor(fields: Omit<Failed, 'outcome'> & { readonly status: number; readonly problem: string }) {
    super({ ...fields, outcome: 'ambiguous' }, ` returned ${fields.status}, but ${fields.problem}`);
  }
}

interface DeadlineErrorFields extends Failed {
  readonly budgetMs: number;
  /** Message of the last failure before the time was over. */
  readonly lastError?: string | undefined;
  readonly setting: string;
  /** When the service accepts requests again (epoch milliseconds), if it said so. */
  readonly resumesAt?: number | undefined;
  readonly isCancelled?: boolean;
}

/** The time of the operation is over, or the service asks for a wait that goes beyond it. */
export class DeadlineError extends CallError {
  override readonly name = 'DeadlineError';

  constructor(fields: DeadlineErrorFields) {
    const { budgetMs, setting, resumesAt, lastError, isCancelled = false } = fields;
    const late = `not done within ${budgetMs / 1000} s`;
    const raise = isCancelled ? '' : `. To allow more time, raise ${setting}`;
    const resumes = resumesAt === undefined ? '' : new Date(resumesAt).toISOString();
    const wait = resumes && `: the service accepts no request before ${resumes}`;
    const last = lastError === undefined ? '' : `; last failure: ${lastError}`;
    super(fields, `: ${isCancelled ? 'not done because the run was cancelled' : late + wait}${last}${raise}`);
  }
}

/** The client refused to send a setting, an identifier or a body that must not reach the wire. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly outcome = 'not-sent';
}

/** The caller no longer wants the request to be sent. */
export class CalledOffError extends CallError {
  override readonly name = 'CalledOffError';

  constructor(call: Omit<Failed, 'outcome'>) {
    super({ ...call, outcome: 'not-sent' }, ' was called off');
  }
}

// Predicates read fields and never prototypes, as two copies of the package may be loaded in one process.

const ERROR_NAMES = [
  'ApiError',
  'ConnectionError',
  'AnswerError',
  'DeadlineError',
  'RequestError',
  'CalledOffError',
];

const fieldsOf = (error: unknown): Record<string, unknown> =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};

/** Whether an error is one of this package's own: clean, and safe to show. */
export function isEdgePolicyError(error: unknown): boolean {
  const { name, outcome } = fieldsOf(error);
  return typeof name === 'string' && ERROR_NAMES.includes(name) && typeof outcome === 'string';
}

function hasStatus(error: unknown, status: number, isQualified: boolean): boolean {
  const fields = fieldsOf(error);
  return isEdgePolicyError(error) && fields['status'] === status && fields['isQualified'] === isQualified;
}

export const isNotFound = (error: unknown): boolean => hasStatus(error, 404, true);

/** A 404 that may come from a proxy or a wrong base URL. It does not prove that the object is gone. */
export const isUnqualifiedNotFound = (error: unknown): boolean => hasStatus(error, 404, false);

/** The service does not know the key, or the key lacks permission. Every other request would fail alike. */
export const isKeyRefused = (error: unknown): boolean =>
  hasStatus(error, 401, true) || hasStatus(error, 403, true);

export const isCalledOff = (error: unknown): boolean => fieldsOf(error)['name'] === 'CalledOffError';

export const isAmbiguous = (error: unknown): boolean =>
  isEdgePolicyError(error) && fieldsOf(error)['outcome'] === 'ambiguous';

/** The service refused the request for a reason that repeating it does not change. */
export const isDefinite = (error: unknown): boolean =>
  isEdgePolicyError(error) && fieldsOf(error)['outcome'] === 'definite';

/** A refused create because the object exists already: a 409, or a 400 with such a message. */
export const isAlreadyExists = (error: unknown): boolean =>
  hasStatus(error, 409, true) || (hasStatus(error, 400, true) && saysAlreadyExists(error));

export const saysAlreadyExists = (error: unknown): boolean => fieldsOf(error)['saysAlreadyExists'] === true;
