import { intersect, sameCidrSet, subtract, union } from './cidr-set';
import type { AddressBounds } from './bounds';
import { everything } from './public-space';
import type { AddressAccess, SubjectAccess } from './subject-access';

/** The accesses, one for each edge or route as far as addresses decide: a client has to pass every module. */
export function jointly(accesses: readonly SubjectAccess[]): SubjectAccess[] {
  const joint = new Map<string, SubjectAccess>();
  accesses.forEach((access, index) => {
    const key = isOfModules(access) ? `${access.kind} ${access.subject}` : `${index}`;
    const earlier = joint.get(key);
    joint.set(key, earlier && isOfModules(earlier) && isOfModules(access) ? both(earlier, access) : access);
  });
  return [...joint.values()];
}

const isOfModules = (access: SubjectAccess): access is AddressAccess =>
  access.of === 'addresses' && access.kind !== 'policy';

/** The modules of an edge or route that may keep clients out by their address, if there are some. */
export const barrierAt = (
  accesses: readonly SubjectAccess[],
  { kind, subject }: Pick<SubjectAccess, 'kind' | 'subject'>,
): AddressAccess | undefined =>
  accesses
    .filter(isOfModules)
    .find(
      (each) => each.kind === kind && each.subject === subject && !sameCidrSet(each.after.surely, everything),
    );

function both(left: AddressAccess, right: AddressAccess): AddressAccess {
  const [before, after] = [inBoth(left.before, right.before), inBoth(left.after, right.after)];
  const moved = (way: 'gained' | 'lost', from: AddressBounds, to: AddressBounds): AddressBounds => {
    const possibly = union(left[way].possibly, right[way].possibly);
    return {
      surely: subtract(to.surely, from.possibly),
      possibly: subtract(intersect(possibly, to.possibly), from.surely),
    };
  };
  return {
    ...left,
    before,
    after,
    gained: moved('gained', before, after),
    lost: moved('lost', after, before),
    doubts: [...left.doubts, ...right.doubts],
  };
}

const inBoth = (left: AddressBounds, right: AddressBounds): AddressBounds => ({
  surely: intersect(left.surely, right.surely),
  possibly: intersect(left.possibly, right.possibly),
});
