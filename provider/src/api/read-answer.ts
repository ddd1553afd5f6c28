import { AnswerError, ApiError, type Outcome } from './errors';
import { isQualified, type Body } from './outcome';
import { DocumentError } from '../values/decoding';
import { cleanCode, cleanText, type SecretTexts } from './redact';

/** Reads the body of a success; throws a DocumentError if it is not the expected one. */
export type Reader<T> = (body: Body) => T;

/** Reads one complete JSON document. */
export const json =
  <T>(decode: (value: unknown) => T): Reader<T> =>
  (body) => {
    if (body.kind === 'empty') throw new DocumentError('the body is empty');
    if (body.kind === 'other') throw new DocumentError('the body is not one complete JSON document');
    return decode(body.value);
  };

/** Reads an empty body, as the answer to a delete has. */
export const nothing: Reader<void> = (body) => {
  if (body.kind !== 'empty') throw new DocumentError('the body should be empty');
};

interface Success<T> {
  readonly method: string;
  readonly path: string;
  /** The one status that the document gives for success. */
  readonly successStatus: number;
  readonly read: Reader<T>;
}

/** Reads a success; throws an AnswerError unless it is exactly what the document describes. */
export function readSuccess<T>(expected: Success<T>, status: number, body: Body): T {
  const { method, path, successStatus, read } = expected;
  try {
    if (status !== successStatus) throw new DocumentError(`${successStatus} was expected`);
    return read(body);
  } catch (error) {
    throw error instanceof DocumentError
      ? new AnswerError({ method, path, status, problem: error.message.replace(/\.$/, '') })
      : error;
  }
}

interface Failure {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: Body;
  readonly outcome: Outcome;
  readonly secrets: readonly SecretTexts[];
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/**
 * Builds the error for an answer other than success. The document does not describe error bodies (section 7). Fields that such
 * services are known to send are used if present, and nothing depends on them.
 */
export function toApiError({ method, path, status, body, outcome, secrets }: Failure): ApiError {
  const content = body.kind === 'json' ? body.value : undefined;
  const message = fieldOf(content, 'msg') ?? fieldOf(content, 'message');
  const said = typeof message === 'string' ? message : '';
  return new ApiError({
    method,
    path,
    status,
    outcome,
    isQualified: isQualified(body),
    code: cleanCode(fieldOf(content, 'error_code'), secrets),
    serviceMessage: cleanText(said, secrets) || undefined,
    saysAlreadyExists: /duplicate|already\s+exist/i.test(said),
    operationId: cleanCode(fieldOf(fieldOf(content, 'details'), 'operation_id'), secrets),
  });
}
