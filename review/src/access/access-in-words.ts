import { addressesInWords, amountOf, familyName } from '../text/amounts';
import { say, type Sentence, trusted } from '../text/sentence';
import { type CidrSet, sizeOf } from './cidr-set';
import { publicSizes } from './public-space';

/** How many addresses of each family are in a set, IPv4 first; of nearly all addresses, how many are not. */
export const amountsInWords = (set: CidrSet): Sentence[] =>
  publicSizes(set).map(({ family, share }) => {
    const size = sizeOf(set, family);
    if (share >= 0.5) return lowerCased(addressesInWords(family, size, share));
    const amount = size === 0n ? trusted('no') : amountOf(size);
    return say`${amount} ${trusted(familyName(family))} ${trusted(size === 1n ? 'address' : 'addresses')}`;
  });

const lowerCased = ([first, ...others]: Sentence): Sentence =>
  typeof first === 'string' ? [first.charAt(0).toLowerCase() + first.slice(1), ...others] : [...others];
