import { printableByEngine, spellOut } from './printable';

/** One error in an input: a plain value, collected by check and never thrown. */
export interface Failure {
  /** Where inside the value, such as `inbound[0].name`; absent for the value as a whole. */
  readonly path?: string;
  /** What was given, what is allowed and, if it is known, the corrected value. Never a secret. */
  readonly reason: string;
}

const ECHO_LIMIT = 60;

/** One line, capped, nothing that a terminal acts on. For values that cannot be secret; free text never belongs in a message. */
export function echo(text: string): string {
  // Cut before escaping: the input may be megabytes long.
  const characters = Array.from(text.slice(0, 2 * ECHO_LIMIT));
  const isCut = text.length > 2 * ECHO_LIMIT || characters.length > ECHO_LIMIT;
  const shown = printableByEngine(characters.slice(0, ECHO_LIMIT).join('')).replace(/[\n\t]/g, spellOut);
  return `"${shown}${isCut ? '…' : ''}"`;
}

export const firstOf = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** The type of a value in words, for a message that must not show the value: "an array", "a number". */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Equal but for case, or with one letter missing, added, wrong or swapped. Undefined if the given name is known. */
export function nearestName<Name extends string>(given: string, known: readonly Name[]): Name | undefined {
  if ((known as readonly string[]).includes(given)) return undefined;
  const lowerCase = given.toLowerCase();
  return (
    known.find((name) => name.toLowerCase() === lowerCase) ??
    known.find((name) => isOneLetterAway(lowerCase, name.toLowerCase()))
  );
}

function isOneLetterAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return (
    a.slice(start + 1) === b.slice(start + 1) ||
    a.slice(start) === b.slice(start + 1) ||
    a.slice(start + 1) === b.slice(start) ||
    (isSwapped && a.slice(start + 2) === b.slice(start + 2))
  );
}
