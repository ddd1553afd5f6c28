import type { Finding } from '../findings/finding';
import { finding } from '../findings/catalog';
import { count, foreign, list, momentInWords, say, trusted } from '../text/sentence';
import type { SubjectTraffic } from './replay';

/** More clients than the gate allows stop the change; if the logs do not decide that, the review does not either. */
export const trafficFindings = (
  subjects: readonly SubjectTraffic[],
  maxRefusedClients: number | undefined,
): Finding[] => subjects.flatMap((subject) => findingsOf(subject, maxRefusedClients));

function findingsOf(traffic: SubjectTraffic, most: number | undefined): Finding[] {
  const { subject, tallies, later, seen, problems, mayLose, losers: extent } = traffic;
  const { refused, 'may-be-refused': mayBeRefused } = tallies;
  const [first] = later;
  const late = later.reduce((sum, { clients }) => sum + clients, 0);
  const when = first
    ? say`, ${late} of them only later, from ${trusted(momentInWords(first.fromMs))} on`
    : trusted('');
  const where = { subject };
  const loss = say`Of ${count(seen?.clients ?? 0, 'client')} in the log, ${refused.clients} would lose access through ${foreign(subject)}, with ${count(refused.requests, 'request')}${when}`;
  if (most !== undefined && refused.clients > most)
    return [
      finding('clients-locked-out', {
        where,
        extent,
        reason: say`${loss}; the gate allows at most ${most}.`,
      }),
    ];
  // From half of them on, it is no longer some of its users.
  const severity = refused.clients * 2 >= (seen?.clients ?? 0) ? 'high' : undefined;
  const refusals =
    refused.clients === 0
      ? []
      : [finding('clients-refused', { where, extent, reason: say`${loss}.`, severity })];
  const isOpen = most !== undefined && refused.clients + mayBeRefused.clients > most;
  const isUnreliable = problems.length > 0 && (most !== undefined || seen !== undefined);
  if (!mayLose || !(isOpen || isUnreliable)) return refusals;
  const because =
    problems.length > 0
      ? list(problems, problems.length)
      : say`${count(mayBeRefused.clients, 'client')} in the log may lose it`;
  return [
    ...refusals,
    finding('clients-not-checked', {
      where,
      reason: say`It is not decided how many clients lose access through ${foreign(subject)}: ${because}.`,
    }),
  ];
}
