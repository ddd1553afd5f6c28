import type { UserAgentShift } from '../access/subject-access';
import {
  admitted,
  type FilterLogic,
  hasUnknowns,
  letsIn,
  mayContain,
  meet,
  refused,
  surePart,
  withoutHeader,
} from './filter-logic';
import { findWord } from './find-word';
import type { UserAgentModel } from './user-agent-model';

export interface FromTo {
  readonly from: FilterLogic;
  readonly to: FilterLogic;
}

/** It is proved that nobody changes sides. */
export const NO_SHIFT: UserAgentShift = { extent: 'none', witnesses: [], mayBeMore: false };

/** First the words that change sides; then the search, which finds one more or proves that there is none. */
export function shiftOf(
  { from, to, words }: FromTo & { readonly words: readonly (string | null)[] },
  model: UserAgentModel,
  { isGain }: { isGain: boolean },
): UserAgentShift {
  const { isSure, isPossible, cones } = changeOfSides({ from, to }, model, isGain);
  const mayBeMore = hasUnknowns(from) || hasUnknowns(to);
  const witnesses = words.filter(isSure);
  if (witnesses.length > 0) return { extent: 'some', witnesses, mayBeMore };
  let isProved = !isPossible(null);
  // The shortest text may be undecided where other texts are decided by known parts.
  for (const cone of [...cones.flatMap(surePart), ...cones]) {
    const search = findWord(cone);
    if (search.kind === 'word' && isSure(search.word))
      return { extent: 'some', witnesses: [search.word], mayBeMore };
    if (search.kind !== 'none') isProved = false;
  }
  return isProved ? NO_SHIFT : { extent: 'undecided', witnesses: [], mayBeMore };
}

/** Which clients change sides, and which may; `cones` are the texts of those that may and send the header. */
export function changeOfSides({ from, to }: FromTo, model: UserAgentModel, isGain: boolean) {
  const [out, into] = isGain ? [refused, admitted] : [admitted, refused];
  const cones = meet(out(from, model), into(to, model));
  const ofNoHeader = meet(
    withoutHeader(from, model, { isIn: !isGain }),
    withoutHeader(to, model, { isIn: isGain }),
  );
  return {
    cones,
    isSure: (client: string | null): boolean =>
      letsIn(from, client, model) === !isGain && letsIn(to, client, model) === isGain,
    isPossible: (client: string | null): boolean =>
      (client === null ? ofNoHeader : cones).some((cone) => mayContain(cone, client ?? '')),
  };
}

/** It is not known which of several filters of a route decides, so a sure result has to hold for each of them. */
export function joined(shifts: readonly UserAgentShift[]): UserAgentShift {
  const [first = NO_SHIFT, ...others] = shifts;
  const mayBeMore = shifts.some((shift) => shift.mayBeMore);
  if (shifts.every(({ extent }) => extent === 'none')) return first;
  const witnesses = first.witnesses.filter((word) => others.every((shift) => shift.witnesses.includes(word)));
  return { extent: witnesses.length > 0 ? 'some' : 'undecided', witnesses, mayBeMore };
}
