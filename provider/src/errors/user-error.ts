import { isEdgePolicyError } from '../api/errors';

/** An operation that could not be done, in a sentence for the person who runs it: what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Whether an error is a finished sentence for the user. */
export const isUserError = (error: unknown): error is UserError =>
  error instanceof Error && error.name === 'UserError';

/** What may be told of any error: finished sentences only, as a foreign error may hold a key. */
export const messageForUser = (error: unknown): string =>
  isUserError(error) || isEdgePolicyError(error)
    ? (error as Error).message
    : 'internal error, please report it';
