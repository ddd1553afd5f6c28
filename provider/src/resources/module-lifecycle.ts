import type { IsStillDue } from '../api/call';
import type { Deadline } from '../api/clock';
import { latestServiceNow, serviceNowMs } from '../presence/service-times';
import { isNotFound } from '../api/errors';
import { checkFields } from '../fields/check';
import { bodyOf, changedFields, diffFields, inputsOf, withoutAbsent } from '../fields/field';
import type { Lifecycle } from './lifecycle';
import {
  identityFrom,
  importTarget,
  moduleAt,
  moduleIdOf,
  type ModuleKind,
  moduleName,
  moduleState,
  moduleSummary,
  type Typed,
} from './module-kind';
import { isPartialFailure, isSettled, type Settleable, unsettled } from '../errors/partial-failure';
import { UserError } from '../errors/user-error';
import { DELETE_FIRST } from '../errors/words';
import { EngineCall } from '../run/ownership';
import { Blocked } from '../run/waiting';
import { WAYS_OUT } from '../run/create-failures';
import { changeInTurn, deleteUnlessOwned, mayStillGo } from '../run/claims';
import { findModule, removeModule } from '../presence/presence';
import { liveKey, type ModuleType } from './provider-reference';
import type { RunContext } from '../run/run-record';
import { notAsDeclared, writeVerified } from '../presence/verified-write';

/** What state holds of a module besides its fields. */
interface Changed {
  /** When this resource last wrote it, by the clock of the service (RFC 3339). A GET may not show a younger write yet. */
  readonly changedAt?: string;
}

interface ModuleInputs {
  readonly overwriteExisting?: boolean;
}

/**
 * A create looks first, so that existing content is never lost silently. It writes even over equal content, which may be that
 * of a module whose delete a GET does not show yet. A delete sends nothing if another resource of this run owns the module, as
 * after a rename.
 */
export function moduleLifecycle(
  kind: Typed<ModuleKind, ModuleType>,
  getContext: () => RunContext,
): Lifecycle<ModuleInputs, object> {
  const keyOf = (id: string): string => liveKey(kind.type, id);
  const nameOf = (id: string): string => moduleName(kind, id);
  return {
    check: (olds, news) => checkFields(kind.fields, olds, news),

    diff(id, olds, news, isDeclared) {
      const outcome = diffFields(kind.fields, olds, news);
      if (!isDeclared || outcome.replaces.length > 0) return outcome;
      const { record } = getContext();
      const { shared, isAnyDeleted } = record.ownership.declare([keyOf(id)], outcome);
      if (shared !== undefined) throw declaredTwice(nameOf(id));
      return { ...outcome, changes: outcome.changes || isAnyDeleted };
    },

    async create(inputs) {
      const context = getContext();
      const id = requiredId(kind, inputs);
      const { record } = context;
      const call = new EngineCall();
      return record.waiting.retry(context.client, call, (deadline) =>
        record.waiting.oneAtATime(keyOf(id), async () => ({
          id,
          state: await takeOverOrWrite({ kind, context, id, deadline, inputs }, call),
        })),
      );
    },

    async read(id, prior) {
      const { client } = getContext();
      const { changedAt } = prior as Changed;
      const endpoint = moduleAt(kind, client, id);
      const deadline = client.startOperation();
      const live = await findModule({ client, endpoint, deadline, createdAtLatest: changedAt });
      if (live === undefined) return undefined;
      const state = moduleState(kind, live, prior);
      return { id, state: withoutAbsent({ ...state, changedAt }), inputs: inputsOf(kind.fields, state) };
    },

    async update(id, olds, news) {
      const context = getContext();
      return changeInTurn(context, { key: keyOf(id), call: new EngineCall(), name: nameOf(id) }, (deadline) =>
        write({ kind, context, id, deadline, inputs: news, olds }),
      );
    },

    async delete(id, olds) {
      const { changedAt } = olds as Changed;
      const context = getContext();
      const { client } = context;
      const remove = (isStillDue: IsStillDue): Promise<void> =>
        removeModule({
          client,
          endpoint: moduleAt(kind, client, id),
          deadline: client.startOperation(),
          createdAtLatest: changedAt,
          isStillDue,
        });
      try {
        await deleteUnlessOwned(
          context,
          { key: keyOf(id), call: new EngineCall(), name: nameOf(id) },
          remove,
        );
      } catch (error) {
        throw mayStillGo(id, error);
      }
    },
  };
}

interface Taking {
  readonly kind: Typed<ModuleKind, ModuleType>;
  readonly context: RunContext;
  readonly id: string;
  readonly deadline: Deadline;
  readonly inputs: ModuleInputs;
}

async function takeOverOrWrite(taking: Taking, call: EngineCall): Promise<object> {
  const { kind, context, id, deadline, inputs } = taking;
  const { ownership } = context.record;
  const [key, name] = [liveKey(kind.type, id), moduleName(kind, id)];
  const { client } = context;
  const sought = { client, endpoint: moduleAt(kind, client, id), deadline };
  const atOnce = await findModule(sought);
  // What a diff has declared by now, an earlier run may have just written, so that a GET does not show it yet.
  const live =
    atOnce === undefined && ownership.isDeclared(key)
      ? await findModule({ ...sought, createdAtLatest: latestServiceNow(client) })
      : atOnce;
  // An interrupted replacement creates its module anew, and the program may have been reverted meanwhile.
  if (live === undefined) ownership.forgetDeclared(key);
  if (ownership.isOwnedToTheEnd(key)) throw declaredTwice(name);
  const isEqual = live !== undefined && differing(taking, live).length === 0;
  const isFree = live === undefined || isEqual || kind.isEmpty(live) || inputs.overwriteExisting === true;
  if (!isFree) throw new Blocked(() => carriesOther(kind, context, { id, live }));
  const { outcome } =
    live === undefined ? ownership.claim([key], call, { areLive: false }) : ownership.claim([key], call);
  if (outcome !== 'claimed') throw new Blocked(() => declaredTwice(name));
  try {
    return await write({ ...taking, olds: live && moduleState(kind, live) });
  } catch (error) {
    // After a partial failure the module stays in state.
    if (!isPartialFailure(error)) ownership.release([key]);
    throw error;
  }
}

/** An object without an old state is as good as one that is off. */
async function write(writing: Taking & { readonly olds: Settleable | undefined }): Promise<object> {
  const { kind, context, id, deadline, inputs, olds } = writing;
  const { client } = context;
  const endpoint = moduleAt(kind, client, id);
  const outcome = await writeVerified({
    ...{ client, deadline },
    write: () =>
      replaceModule(moduleName(kind, id), () => endpoint.replace(bodyOf(kind.fields, inputs), deadline)),
    read: () => findModule({ client, endpoint, deadline }),
    differing: (live) => differing(writing, live),
  });
  const changedAt = latestServiceNow(client);
  if (outcome.isWritten) return { ...moduleState(kind, outcome.live, inputs), changedAt };
  const before = olds ?? { ...identityFrom(kind, id), enabled: false };
  const known = outcome.live === undefined ? before : moduleState(kind, outcome.live);
  // Of an object that was not settled before and cannot be read, nothing is known.
  const isKnown = outcome.live !== undefined || olds === undefined || isSettled(olds);
  const sent = isKnown ? inputsOf(kind.fields, inputs) : {};
  const sinceMs = serviceNowMs(client);
  throw notAsDeclared({ id, outcome, state: { ...unsettled(known, { sinceMs, sent }), changedAt } });
}

const differing = ({ kind, inputs }: Pick<Taking, 'kind' | 'inputs'>, live: object): readonly string[] =>
  changedFields(kind.fields, moduleState(kind, live), inputs);

/** Check has already refused inputs without one, unless it was skipped. */
function requiredId(kind: ModuleKind, inputs: ModuleInputs): string {
  const id = moduleIdOf(kind, inputs);
  if (id === undefined) throw new UserError('the ids of the module’s edge and route are required');
  return id;
}

async function replaceModule<Live>(name: string, replace: () => Promise<Live>): Promise<Live> {
  try {
    return await replace();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      `The ${name} cannot be written: the service cannot find its edge or route. Check the id; if the edge or route was deleted ` +
        `outside the program, run "pulumi refresh".`,
    );
  }
}

const declaredTwice = (name: string): UserError =>
  new UserError(
    `The ${name} is declared twice in this program: two resources would share one module, and deleting one would ` +
      `delete it for both. Keep one of them. (A replacement that creates first looks the same: ${DELETE_FIRST}. ` +
      `So does an interrupted one whose program was reverted: give this resource a new name and set ` +
      `overwriteExisting: true.)`,
  );

const carriesOther = (
  kind: Typed<ModuleKind>,
  { importDeclared }: RunContext,
  { id, live }: { readonly id: string; readonly live: object },
): UserError =>
  new UserError(
    `The ${moduleName(kind, id)} already exists with different content (${moduleSummary(kind, live)}); nothing was changed. To ` +
      `keep what is there, import it: ${importDeclared(importTarget(kind, id))}. To replace it, set ` +
      `overwriteExisting: true.\n${WAYS_OUT}`,
  );
