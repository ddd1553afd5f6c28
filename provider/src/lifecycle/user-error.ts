/** An operation that could not be done, in a sentence for the person who runs it: what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Whether an error is a finished sentence for the user. */
export const isUserError = (error: unknown): error is UserError =>
  error instanceof Error && error.name === 'UserError';
