import { type CidrSet, emptyCidrSet, everything, subtract, toCidrs } from '../access/cidr-set';
import { FAMILIES } from '../access/policy-side';
import { isNearlyAll, largestFirst, publicSizes } from '../access/public-space';
import { addressCount, familyName, networksWithSize, sizeOfCidrs } from '../text/amounts';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';

/** The networks of a set, the largest first. Nearly everything is said by what is left out, which a reader can check. */
export function gainInWords(gained: CidrSet): Sentence {
  const parts = FAMILIES.map((family) => ({ ...emptyCidrSet, [family]: gained[family] }));
  if (!parts.some(isSaidByRest)) return networksWithSize(largestFirst(gained));
  // What is left out comes last, so that nothing else is taken for left out.
  const listed = parts.filter((part) => !isSaidByRest(part)).flatMap(largestFirst);
  const words = [
    ...(listed.length === 0 ? [] : [listOf(listed, ({ text }) => foreign(text))]),
    ...parts.filter(isSaidByRest).map(allExcept),
  ];
  return say`${list(words)} (${addressCount(sizeOfCidrs(toCidrs(gained)))})`;
}

/** A handful of networks needs no other words. */
const FEW = 4;

/** Whether a set of one family is nearly all of it, and its complement is the shorter list. */
export function isSaidByRest(part: CidrSet): boolean {
  const networks = toCidrs(part).length;
  return networks > FEW && publicSizes(part).some(isNearlyAll) && toCidrs(restOf(part)).length < networks;
}

function restOf(part: CidrSet): CidrSet {
  const family = part[4].length > 0 ? 4 : 6;
  return subtract({ ...emptyCidrSet, [family]: everything[family] }, part);
}

function allExcept(part: CidrSet): Sentence {
  const rest = largestFirst(restOf(part));
  const family = trusted(familyName(rest[0]?.family ?? 4));
  return say`all of ${family} except ${listOf(rest, ({ text }) => foreign(text))}`;
}
