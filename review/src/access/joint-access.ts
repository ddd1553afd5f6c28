import { intersect, subtract, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { AddressBounds } from './bounds';
import type { AddressAccess, SubjectAccess } from './subject-access';

/** The accesses, one for each edge: a connection has to pass every module of its edge. */
export function jointly(accesses: readonly SubjectAccess[]): SubjectAccess[] {
  const joint = new Map<string, SubjectAccess>();
  accesses.forEach((access, index) => {
    const key = access.kind === 'tcp-edge' ? access.subject : `${index}`;
    const earlier = joint.get(key);
    joint.set(
      key,
      earlier && isOfAddresses(earlier) && isOfAddresses(access) ? both(earlier, access) : access,
    );
  });
  return [...joint.values()];
}

const isOfAddresses = (access: SubjectAccess): access is AddressAccess => access.kind !== 'route';

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
