import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, intersect, isEmptyCidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { judgeNetwork } from '../access/address-verdict';
import { networksIn } from '../access/counted-networks';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { AddressAccess, SubjectAccess } from '../access/subject-access';
import { finding, type Finding } from '../findings/finding';
import { networksWithSize } from '../text/amounts';
import { foreign, list, say, trusted } from '../text/sentence';

/** The addresses that must not be locked out, and the access to check. */
export interface Watched {
  readonly policies: readonly PolicyChange[];
  readonly accesses: readonly SubjectAccess[];
  readonly model: IpModel;
}

/** The policies and edges that let some of these addresses in now, and may not any more: what --must-allow refuses. */
export const lockedOutFindings = (networks: readonly Cidr[], watched: Watched): Finding[] =>
  networks.length === 0
    ? []
    : watched.accesses.flatMap((access) =>
        access.kind === 'route' ? [] : lossesOf(cidrSetOf(networks), access, watched),
      );

function lossesOf(
  mustGetIn: ReturnType<typeof cidrSetOf>,
  access: AddressAccess,
  { policies, model }: Watched,
): Finding[] {
  const { subject, lost, doubts } = access;
  const possibly = networksIn(intersect(mustGetIn, lost.possibly));
  const [first] = possibly;
  if (first === undefined) return [];
  const surely = intersect(mustGetIn, lost.surely);
  if (isEmptyCidrSet(surely)) {
    const because =
      doubts.length === 0 ? trusted('it cannot be decided') : list(doubts.map(({ reason }) => reason));
    const reason = say`${networksWithSize(possibly)} must get in, and may be locked out of ${foreign(subject)}: ${because}.`;
    return [finding('locked-out', { where: { subject }, reason, severity: 'high' })];
  }
  const networks = networksIn(surely);
  const policy = access.kind === 'policy' ? policies.find(({ policyId }) => policyId === subject) : undefined;
  const why =
    policy && judgeNetwork(policy.after, networks[0] ?? first, { model, bounds: policy.access.after }).whyOut;
  const where = { subject, ...(why?.origin && { origin: why.origin }) };
  const what = say`${networksWithSize(networks)} must get in, and would be locked out of ${foreign(subject)}`;
  return [finding('locked-out', { where, reason: why ? say`${what}: ${why.text}.` : say`${what}.` })];
}
