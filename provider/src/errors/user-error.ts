// What for: the errors that users see: which messages pass to a host, in which words, and nothing secret in them.
// Must not know: `resources`, `hosts` and Pulumi.
import { isEdgePolicyError } from '../api/errors';
import { checkIdentifier, type IdentifierKind } from '../values/identifiers';

/** An operation that could not be done, in a sentence for the user: what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Thrown in a program, it is printed without its stack: the mark of the SDK's `RunError`, which "errors" must not load. */
  readonly __pulumiRunError = true;
}

export const isUserError = (error: unknown): error is UserError =>
  error instanceof Error && error.name === 'UserError';

/** What may be shown of any error: finished sentences only, as a foreign error may hold a key. */
export const messageForUser = (error: unknown): string =>
  isUserError(error) || isEdgePolicyError(error)
    ? (error as Error).message
    : 'internal error, please report it';

/** @throws UserError if a text that names an id in a look-up or an import is the id of something else. */
export function requireIdentifier(text: string, kind: IdentifierKind): void {
  const problem = checkIdentifier(text, kind);
  if (problem !== undefined) throw new UserError(`${problem}. Nothing was read.`);
}
