/** A property bag as the engine exchanges it with a provider. */
export type Properties = Readonly<Record<string, unknown>>;

/** The property under which the engine carries what finds the handler; see `resources/provider-reference.ts`. */
export const PROVIDER_KEY = '__provider';

/**
 * A copy without absent values: the host refuses `undefined` anywhere in a returned bag, and only after the request
 * has been sent, which would leave an orphan.
 */
export function withoutAbsent<T extends object>(properties: T): T {
  const present = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as T;
}
