import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { reasonsIn, type AddressAccess, type SubjectAccess } from '../access/subject-access';
import type { CidrSet } from '../access/cidr-set';
import { cidrSetOf, covers, intersect, isEmptyCidrSet, overlap, toCidrs } from '../access/cidr-set';
import { networkVerdict } from '../access/address-verdict';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/catalog';
import { networksWithSize } from '../text/amounts';
import { foreign, fromThen, say, trusted } from '../text/sentence';
import { breakOf } from './assertion';

export interface Watched {
  readonly policies: readonly PolicyChange[];
  readonly accesses: readonly SubjectAccess[];
  readonly model: IpModel;
}

/** Policies and edges that let some of these addresses in now and may not at the apply or later, or only for a time. */
export function lockedOutFindings(networks: readonly Cidr[], watched: Watched): Finding[] {
  if (networks.length === 0) return [];
  const mustGetIn = cidrSetOf(networks);
  return [
    ...watched.accesses.flatMap((access) =>
      access.of === 'user-agents' ? [] : lossesOf(mustGetIn, access, watched),
    ),
    ...watched.policies.flatMap((policy) => temporaryAccess(mustGetIn, policy)),
  ];
}

function lossesOf(mustGetIn: CidrSet, access: AddressAccess, { policies, model }: Watched): Finding[] {
  const { subject, lost, doubts, begins } = access;
  const possibly = toCidrs(intersect(mustGetIn, lost.possibly));
  const [first] = possibly;
  if (first === undefined) return [];
  const surely = intersect(mustGetIn, lost.surely);
  if (isEmptyCidrSet(surely)) {
    const reason = say`${networksWithSize(possibly)} must get in, but may be locked out of ${foreign(subject)}: ${reasonsIn(doubts)}.`;
    return [
      finding('locked-out', { where: { subject }, reason: fromThen(begins, reason), severity: 'high' }),
    ];
  }
  const networks = toCidrs(surely);
  const policy =
    access.kind === 'policy' && !begins ? policies.find(({ policyId }) => policyId === subject) : undefined;
  const why =
    policy &&
    networkVerdict(policy.after, networks[0] ?? first, { model, bounds: policy.access.after }).whyOut;
  const where = { subject, ...(why?.origin && { origin: why.origin }) };
  const what = say`${networksWithSize(networks)} must get in, but would be locked out of ${foreign(subject)}`;
  const reason = why ? say`${what}: ${why.text}.` : say`${what}.`;
  return [finding('locked-out', { where, reason: fromThen(begins, reason) })];
}

/** Addresses that get in until rules end, as they would without the change, or did not at all. */
function temporaryAccess(mustGetIn: CidrSet, { policyId, access, moments, later }: PolicyChange): Finding[] {
  const letIn = intersect(mustGetIn, access.after.surely);
  const broken = breakOf({ expectation: 'allow', named: letIn }, moments, 'any');
  if (!broken || later.some(({ lost }) => overlap(letIn, lost.possibly))) return [];
  const networks = toCidrs(broken.offenders);
  const reason = say`${networksWithSize(networks)} must get in, but does so through ${foreign(policyId)} only until ${trusted(broken.until)}.`;
  const isNew = !networks.every((network) => covers(access.before.surely, network));
  // An address of --must-allow is in no assertion that a waiver could name.
  return [finding('assertion-will-break', { where: { subject: policyId }, reason, isNew })];
}
