import { printableByEngine, spellOut } from './printable';

/** One thing that is wrong with an input: a plain value, collected by check and never thrown. */
export interface Failure {
  /** Where inside the value, such as `inbound[0].name`; absent for the value as a whole. */
  readonly path?: string;
  /** What was given, what is allowed and, where it can be known, the corrected value. Never a secret. */
  readonly reason: string;
}

const ECHO_LIMIT = 60;

/**
 * Quotes a text for a message: one line, capped, nothing that a terminal acts on. For values that cannot be
 * secret (a CIDR, an action, an identifier, a fragment of a pattern); free text never belongs in a message.
 */
export function echo(text: string): string {
  // Cut before escaping: the input may be megabytes long.
  const characters = Array.from(text.slice(0, 2 * ECHO_LIMIT));
  const isCut = text.length > 2 * ECHO_LIMIT || characters.length > ECHO_LIMIT;
  const shown = printableByEngine(characters.slice(0, ECHO_LIMIT).join('')).replace(/[\n\t]/g, spellOut);
  return `"${shown}${isCut ? '…' : ''}"`;
}
