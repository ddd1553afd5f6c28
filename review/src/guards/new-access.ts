import { mayGainAccess, type SubjectAccess } from '../access/subject-access';
import { everything, isEmptyCidrSet } from '../access/cidr-set';
import { ALL_CLIENTS } from '../findings/severity';
import type { Finding } from '../findings/finding';
import { finding, type FindingId } from '../findings/catalog';
import { gainInWords, shareOf } from '../access/public-space';
import { foreign, fromThen, list, say, type Sentence, trusted } from '../text/sentence';

/** What noNewAccess refuses: each subject that may let somebody in, and each resource that replaces or deletes the unseen. */
export const newAccessFindings = (
  accesses: readonly SubjectAccess[],
  findings: readonly Finding[],
): Finding[] => [
  ...accesses.filter(mayGainAccess).map((access) =>
    finding('new-access', {
      where: { subject: access.subject },
      ...(access.of === 'addresses'
        ? { gained: shareOf(access.gained.possibly), extent: { networks: access.gained.possibly } }
        : { extent: { patterns: [ALL_CLIENTS] } }),
      reason: fromThen(
        access.of === 'user-agents' ? undefined : access.begins,
        say`Through ${foreign(access.subject)}, ${gainOf(access)}; no new access is allowed.`,
      ),
    }),
  ),
  // A loss is low.
  ...findings.filter(isAboveLow('access-meanwhile')).map(({ where, gained, extent = {} }) => {
    const who = extent.networks ? gainInWords(extent.networks) : trusted('clients');
    return finding('new-access', {
      ...{ where, extent, ...(gained !== undefined && { gained }) },
      reason: say`Through ${foreign(where.subject ?? '')}, ${who} may get in while the up runs; no new access is allowed.`,
    });
  }),
  // A deny in place of what is found lets nobody in, and is low.
  ...findings.filter(takesOver).map(({ where }) => {
    const name = foreign(where.origin?.name ?? '');
    const reason = say`What ${name} finds on the service may keep others out, and would be gone; no new access is allowed.`;
    return finding('new-access', { where, reason, extent: { networks: everything } });
  }),
];

const isAboveLow =
  (of: FindingId) =>
  ({ id, severity }: Finding): boolean =>
    id === of && severity !== 'low';

const takesOver = (of: Finding): boolean =>
  of.id === 'exclusive-set-takes-over' || isAboveLow('overwrite-not-seen')(of);

function gainOf(access: SubjectAccess): Sentence {
  if (access.of === 'user-agents') {
    const clients = access.gained.witnesses.map((client) => foreign(client ?? 'no header'));
    return clients.length === 0
      ? trusted('clients may get in that could not before')
      : say`clients can get in that could not before, such as ${list(clients)}`;
  }
  const { surely, possibly } = access.gained;
  return isEmptyCidrSet(surely)
    ? say`${gainInWords(possibly)} may get in and could not before`
    : say`${gainInWords(surely)} can get in and could not before`;
}
