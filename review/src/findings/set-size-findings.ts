import type { ResourceSide } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { declaredBy } from '../model/snapshot';
import { foreign, say } from '../text/sentence';
import { type Finding, finding } from './finding';

/** Sets with more rules than the gate allows; new if they grow. */
export const setSizeFindings = ({ changes }: StackChange, maxRules: number): Finding[] =>
  changes.flatMap(({ before, after }) => {
    const size = sizeOf(after);
    if (!after || size <= maxRules) return [];
    const { origin } = after;
    const reason = say`${foreign(origin.name)} has ${size} rules, and the gate allows a set ${maxRules}.`;
    const found = finding('set-too-large', { where: { origin, property: 'rules' }, reason });
    return [{ ...found, isNew: size > sizeOf(before) }];
  });

function sizeOf(side: ResourceSide | undefined): number {
  const lines = side && declaredBy(side).lines;
  return lines?.isKnown ? lines.value.count : 0;
}
