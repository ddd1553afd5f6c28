import { CHECK_KEY, isEdgePolicyError } from '../api/errors';
import { printableByEngine } from '../values/printable';
import { isPartialFailure } from './partial-failure';
import { isUserError } from './user-error';

/** An error in the form that the engine's host reads: with an `id`, the resource exists but is not as declared. */
class HostError extends Error {
  override readonly name: string = 'edge-policy';

  constructor(message: string) {
    super(printableByEngine(message));
    // The host prints message and stack of every failed check, diff, read and delete. The sentence is enough.
    this.stack = '';
  }
}

class HostPartialFailure extends HostError {
  readonly reasons: readonly string[];

  constructor(
    message: string,
    readonly id: string,
    readonly properties: object,
    reasons: readonly string[],
  ) {
    super(message);
    this.reasons = reasons.map(printableByEngine);
  }
}

interface Voice {
  /** Appended if a message is about a refused key, however it is wrapped. */
  readonly advice?: (() => string) | undefined;
  /** Masks what is secret in a message. */
  readonly conceal?: ((message: string) => string) | undefined;
}

/**
 * An error that is safe to hand to the host. Finished sentences pass, and partial failures keep the resource in state. Any
 * other error is reduced to its name and stack frame: it may hold a key, or an `id` that the host would take for "created".
 * @param reference Added to the properties of a partial failure: the `__provider` property.
 */
export function toHostError(error: unknown, reference: object, { advice, conceal }: Voice = {}): Error {
  const concealed = (message: string): string => conceal?.(message) ?? message;
  const more = (message: string): string[] =>
    advice !== undefined && message.includes(CHECK_KEY) ? [advice()] : [];
  if (isPartialFailure(error)) {
    const reasons = [...error.reasons, ...more(error.message)].map(concealed);
    return new HostPartialFailure(reasons.join('\n'), error.id, { ...error.state, ...reference }, reasons);
  }
  if (isUserError(error) || isEdgePolicyError(error)) {
    const { message } = error as Error;
    return new HostError(concealed([message, ...more(message)].join('\n')));
  }
  return new HostError(`internal error, please report it: ${kindAndPlace(error)}`);
}

function kindAndPlace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const place = /\bat .*/.exec(error.stack ?? '')?.[0] ?? 'unknown place';
  return `${error.name} ${place}`.slice(0, 300);
}
