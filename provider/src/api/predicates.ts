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

/** The service itself said that the object does not exist. */
export const isNotFound = (error: unknown): boolean => hasStatus(error, 404, true);

/** A 404 that may come from a proxy or a wrong base URL. It does not prove that the object is gone. */
export const isUnqualifiedNotFound = (error: unknown): boolean => hasStatus(error, 404, false);

/** The service does not know the key, or the key lacks permission. Every other request would fail alike. */
export const isKeyRefused = (error: unknown): boolean =>
  hasStatus(error, 401, true) || hasStatus(error, 403, true);

/** The caller no longer wanted the request to be sent. */
export const isCalledOff = (error: unknown): boolean => fieldsOf(error)['name'] === 'CalledOffError';

/** The request may have been carried out. */
export const isAmbiguous = (error: unknown): boolean =>
  isEdgePolicyError(error) && fieldsOf(error)['outcome'] === 'ambiguous';

/** The service refused the request for a reason that repeating it does not change. */
export const isDefinite = (error: unknown): boolean =>
  isEdgePolicyError(error) && fieldsOf(error)['outcome'] === 'definite';

/** The service may have refused a create because the object exists already: a 409, or a 400 that says so. */
export const isAlreadyExists = (error: unknown): boolean =>
  hasStatus(error, 409, true) || (hasStatus(error, 400, true) && saysAlreadyExists(error));

/** The service itself said that the object exists already. */
export const saysAlreadyExists = (error: unknown): boolean => fieldsOf(error)['saysAlreadyExists'] === true;
