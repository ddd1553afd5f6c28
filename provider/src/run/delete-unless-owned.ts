import type { Deadline } from '../api/deadline';
import { isAmbiguous, isCalledOff } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import type { Owner } from './ownership';
import { Blocked } from './patience';
import type { RunContext } from './ledger';
import type { IsLeaving } from './presence';

interface ToDelete {
  /** The key of the object. */
  readonly key: string;
  /** The call that gives the object up, or changes it. */
  readonly owner: Owner;
  /** What the line that says why nothing was sent calls the object. Absent for rules: one line for all, as many may move in one run. */
  readonly name?: string;
}

/**
 * Deletes a live object, or sends nothing and says so in a line, because another resource owns it (`Ownership.beginDelete`).
 * Ownership is checked when all other work on the object has ended, and again before each attempt, until an attempt may have had
 * its effect.
 */
export function deleteUnlessOwned(
  { ledger, warn }: Pick<RunContext, 'ledger' | 'warn'>,
  { key, owner, name }: ToDelete,
  remove: (isLeaving: IsLeaving) => Promise<void>,
): Promise<'deleted' | 'kept'> {
  const { ownership } = ledger;
  const keep = (): 'kept' => {
    warn(name === undefined ? RULES_KEPT : keptModule(name, ownership.isUnchanged(key)));
    return 'kept';
  };
  return ledger.oneAtATime(key, async () => {
    if (!ownership.beginDelete(key, owner)) return keep();
    try {
      await remove(() => ownership.beginDelete(key, owner));
    } catch (error) {
      if (!isCalledOff(error)) {
        ownership.failDelete(key);
        throw error;
      }
      ownership.callOffDelete(key);
      return keep();
    }
    ownership.noteDeleted(key);
    return 'deleted';
  });
}

const RULES_KEPT =
  'Kept IP policy rules that other resources of this program now own: only their former resources are deleted.';

const keptModule = (name: string, isShared: boolean): string =>
  isShared
    ? `Kept the ${name}: another resource of this program also owns it. This resource took it over in an earlier run (with ` +
      `--target?), so its live content may differ from what the other one declares: run "pulumi up --refresh".`
    : `Kept the ${name}: another resource of this program now owns it (renamed?), so deleting it would remove live protection.`;

/**
 * Changes a live object, once no other work on it is under way, and while nothing is in the way.
 *
 * @throws UserError if another process of the run has taken it over or may still delete it, as a second entry of state, left by an
 * earlier run, owns it, too.
 */
export function changeInTurn<T>(
  { ledger, client }: Pick<RunContext, 'ledger' | 'client'>,
  { key, owner, name }: Required<ToDelete>,
  change: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  ledger.ownership.beginUpdate([key], owner);
  const whileItStays = (deadline: Deadline): Promise<T> => {
    if (!ledger.ownership.isClaimedElsewhere(key)) return change(deadline);
    throw new Blocked(() => changedElsewhere(name));
  };
  return ledger.patience.retry(client, owner, (deadline) =>
    ledger.oneAtATime(key, () => whileItStays(deadline)),
  );
}

const changedElsewhere = (name: string): UserError =>
  new UserError(
    `The ${name} was not changed: a resource of another provider is taking it over or deleting it in this run. Run "pulumi ` +
      `refresh", then "pulumi up".`,
  );

/** A resource whose delete failed stays in state, and nothing there says that its object may be gone: the next `up` would not look. */
export const mayStillGo = (id: string, error: unknown): unknown =>
  isAmbiguous(error)
    ? new UserError(
        `${id} may or may not have been deleted because the response was lost: ${messageForUser(error)}. Before a change that ` +
          `declares it ` +
          `again, run "pulumi refresh".`,
      )
    : error;
