import { isSafeId } from '../values/identifiers';
import { RequestError } from './errors';

/** Whether an attempt may still be sent; asked before each one. */
export type MaySend = () => boolean;

/** An identifier as part of a path. */
export function safe(id: string): string {
  if (isSafeId(id)) return id;
  throw new RequestError('An identifier must be 1 to 128 letters, digits, _ or -');
}
