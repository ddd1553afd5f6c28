// Apart from the address itself, which code for browsers compares as well.
import { createHash } from 'node:crypto';

const DIGEST = 'sha256:';
const SHORT = 8;

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** 32 bits of a hash, for state: enough to notice a change of a text, and too little to find it. */
export const shortHash = (text: string): string => hexOf(text).slice(0, SHORT);

/** The digest of an address, by which two addresses are compared of which one may be secret; a digest is its own. */
export const addressDigest = (address: string): string =>
  address.startsWith(DIGEST) ? address : `${DIGEST}${hexOf(address)}`;

/** Whether a mark in state is not of the service with this address, in its one spelling, or with this digest of it. */
export const isMarkOfOther = (mark: string, address: string): boolean =>
  mark.split('.', 1)[0] !== addressDigest(address).slice(DIGEST.length, DIGEST.length + SHORT);
