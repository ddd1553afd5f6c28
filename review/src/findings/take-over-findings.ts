import { valueOf } from '../model/known';
import type { ResourceChange } from '../model/resource-change';
import { isReadable, takeOversOf } from '../model/take-overs';
import { foreign, say } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/** A resource that may overwrite starts from what is live, which only the service knows. */
export function takeOverFindings(changes: readonly ResourceChange[], includesLive: boolean): Finding[] {
  return takeOversOf(changes)
    .filter((takeOver) => !includesLive || !isReadable(takeOver))
    .map(({ origin, subject, rules }) => {
      const id = valueOf(subject);
      // If a deny rule takes another rule's place, nobody gains access.
      const onlyDenies = rules.length > 0 && rules.every(({ action }) => valueOf(action) === 'deny');
      return finding('overwrite-not-seen', {
        where: { ...(id !== undefined && { subject: id }), origin, property: 'overwriteExisting' },
        reason: say`${foreign(origin.name)} takes over what it finds on the service; whether anything is there, and what it does, cannot be seen here.`,
        ...(onlyDenies && { severity: 'low' }),
      });
    });
}
