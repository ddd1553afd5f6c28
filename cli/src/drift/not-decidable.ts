/** It cannot be decided whether there is drift; the message says why, and what to do. */
export class NotDecidable extends Error {
  override readonly name = 'NotDecidable';
}
