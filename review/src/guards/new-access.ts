import type { SubjectAccess } from '../access/subject-access';
import { mayGainAccess } from '../access/subject-access';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { isEmptyCidrSet, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import { networksWithSize } from '../text/amounts';
import { foreign, fromThen, list, say, type Sentence, trusted } from '../text/sentence';

/** One finding for each policy, edge or route that may newly let somebody in: what noNewAccess refuses. */
export const newAccessFindings = (accesses: readonly SubjectAccess[]): Finding[] =>
  accesses.filter(mayGainAccess).map((access) =>
    finding('new-access', {
      where: { subject: access.subject },
      reason: fromThen(
        access.of === 'user-agents' ? undefined : access.begins,
        say`By ${foreign(access.subject)}, ${gainOf(access)}; no new access is allowed.`,
      ),
    }),
  );

function gainOf(access: SubjectAccess): Sentence {
  if (access.of === 'user-agents') {
    const clients = access.gained.witnesses.map((client) => foreign(client ?? 'no header'));
    return clients.length === 0
      ? trusted('clients may get in that could not before')
      : say`clients can get in that could not before, such as ${list(clients)}`;
  }
  const { surely, possibly } = access.gained;
  return isEmptyCidrSet(surely)
    ? say`${sizeOf(possibly)} may get in and could not before`
    : say`${sizeOf(surely)} can get in and could not before`;
}

const sizeOf = (set: CidrSet): Sentence => networksWithSize(toCidrs(set));
