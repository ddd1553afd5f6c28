// Apart from the address itself, which code for browsers compares as well.
import { createHash } from 'node:crypto';

/** 32 bits of a hash, for state: enough to notice a change of a text, and too little to find it. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Whether a mark in state is not of the service with this address, in its one spelling. */
export const isMarkOfOther = (mark: string, address: string): boolean =>
  mark.split('.', 1)[0] !== shortHash(address);
