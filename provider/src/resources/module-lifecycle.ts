import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ModuleEndpoint } from '../api/module-endpoint';
import { isNotFound } from '../api/errors';
import { bodyOf } from '../fields/bodies';
import { changedFields } from '../fields/field';
import { checkFields } from '../fields/check';
import { diffFields } from '../fields/diff-fields';
import type { Lifecycle } from './lifecycle';
import { inputsOf } from '../fields/outputs';
import { isPartialFailure } from '../errors/partial-failure';
import { UserError } from '../errors/user-error';
import type { ImportedObject, Words } from '../errors/words';
import { Blocked } from '../ownership/patience';
import { waysOut } from '../settle/create-failures';
import type { ResourceType } from './provider-reference';
import { deleteUnlessOwned, mayStillGo, requireStaying } from '../settle/delete-unless-owned';
import { findModule, type IsLeaving, removeModule } from '../settle/presence';
import type { RunContext } from '../settle/ledger';
import { notAsDeclared, writeVerified } from '../settle/verified-write';

/** The differences between kinds of modules. */
export interface ModuleKind<Inputs extends object, State extends Inputs, Wire> {
  /** Modules of two types on one edge are two objects. */
  readonly type: ResourceType;
  readonly fields: object;
  /** The module and its parent in words, for sentences. */
  readonly nameOf: (id: string) => string;
  /** The id of the module: the ids of its parents. */
  readonly idOf: (inputs: Partial<Inputs>) => string | undefined;
  readonly endpoint: (client: ApiClient, id: string) => ModuleEndpoint<Wire>;
  readonly stateOf: (id: string, live: Wire, prior?: object) => State;
  /** Whether overwriting the live module would lose nothing. */
  readonly isEmpty: (live: Wire) => boolean;
  /** The content of a live module in counts and sizes, as its texts may be secret. */
  readonly summaryOf: (live: Wire) => string;
  /** The form in which an import brings the live module under management. */
  readonly importTarget: (id: string) => ImportedObject;
}

/** Inputs that every module has. */
interface ModuleInputs {
  readonly overwriteExisting?: boolean;
}

/**
 * What a module does at each step of its life. A create looks first, so that existing content is never lost silently. A delete
 * of a module that another resource of this run owns sends nothing: after a rename the engine deletes the old name last, and
 * that would remove the live protection.
 */
export function moduleLifecycle<Inputs extends ModuleInputs, State extends Inputs, Wire>(
  kind: ModuleKind<Inputs, State, Wire>,
  getContext: () => RunContext,
): Lifecycle<Inputs, State> {
  const keyOf = (id: string): string => `${kind.type} ${id}`;
  const differing = (id: string, live: Wire, inputs: Inputs): readonly string[] =>
    changedFields(kind.fields, kind.stateOf(id, live), inputs);

  return {
    check: (olds, news) => checkFields(kind.fields, olds, news, { nameOf: getContext().words.name }),

    diff(id, olds, news, isDeclared) {
      const outcome = diffFields(kind.fields, olds, news);
      if (!isDeclared) return outcome;
      const { ledger, words } = getContext();
      const declared = ledger.ownership.declare(keyOf(id), outcome);
      if (declared === 'shared') throw declaredTwice(words, kind.nameOf(id));
      return { ...outcome, changes: outcome.changes || declared === 'gone' };
    },

    async create(inputs) {
      const context = getContext();
      const id = requiredId(kind, inputs);
      const { ledger } = context;
      return ledger.patiently(context.client, () =>
        ledger.oneAtATime(keyOf(id), async () => ({
          id,
          state: await takeOverOrWrite({ context, id, inputs }),
        })),
      );
    },

    async read(id, prior) {
      const { client } = getContext();
      const live = await findModule(client, kind.endpoint(client, id), client.startOperation());
      if (live === undefined) return undefined;
      const state = kind.stateOf(id, live, prior);
      return { id, state, inputs: inputsOf(kind.fields, state) };
    },

    async update(id, _olds, news) {
      const context = getContext();
      const { ledger } = context;
      const key = keyOf(id);
      ledger.ownership.beginUpdate(key);
      return ledger.patiently(context.client, () =>
        ledger.oneAtATime(key, () => {
          requireStaying(ledger.ownership, { key, name: kind.nameOf(id) });
          return write({ context, id, deadline: context.client.startOperation(), inputs: news });
        }),
      );
    },

    async delete(id) {
      const context = getContext();
      const { client } = context;
      const remove = (isLeaving: IsLeaving): Promise<void> =>
        removeModule({
          client,
          endpoint: kind.endpoint(client, id),
          deadline: client.startOperation(),
          isLeaving,
        });
      try {
        const outcome = await deleteUnlessOwned(context, { key: keyOf(id) }, remove);
        if (outcome === 'kept') context.warn(keptModule(kind.nameOf(id)));
      } catch (error) {
        throw mayStillGo(id, error);
      }
    },
  };

  async function takeOverOrWrite({ context, id, inputs }: Taking<Inputs>): Promise<State> {
    const { words } = context;
    const { ownership } = context.ledger;
    const [key, name] = [keyOf(id), kind.nameOf(id)];
    const deadline = context.client.startOperation();
    const live = await findModule(context.client, kind.endpoint(context.client, id), deadline);
    // An interrupted replacement creates its module anew, and the program may have been reverted meanwhile.
    if (live === undefined) ownership.forgetDeclared(key);
    if (ownership.isDeclared(key)) throw declaredTwice(words, name);
    const isEqual = live !== undefined && differing(id, live, inputs).length === 0;
    const isFree = live === undefined || isEqual || kind.isEmpty(live) || inputs.overwriteExisting === true;
    if (!isFree) throw new Blocked(() => Promise.resolve(carriesOther(kind, words, { id, live })));
    const { outcome } = live === undefined ? ownership.make(key) : ownership.take([key]);
    if (outcome !== 'taken') throw new Blocked(() => Promise.resolve(declaredTwice(words, name)));
    if (isEqual) return kind.stateOf(id, live, inputs);
    try {
      return await write({ context, id, deadline, inputs });
    } catch (error) {
      // After a partial failure the module stays in state, and the engine may repeat the create.
      if (isPartialFailure(error)) ownership.noteFailed(key);
      else ownership.withdraw([key]);
      throw error;
    }
  }

  async function write(put: Taking<Inputs> & { deadline: Deadline }): Promise<State> {
    const { context, id, deadline, inputs } = put;
    const endpoint = kind.endpoint(context.client, id);
    const outcome = await writeVerified({
      write: () => replaceModule(kind, id, () => endpoint.replace(bodyOf(kind.fields, inputs), deadline)),
      read: () => findModule(context.client, endpoint, deadline),
      differing: (live) => differing(id, live, inputs),
    });
    if (outcome.isWritten) return kind.stateOf(id, outcome.live, inputs);
    const known = outcome.live === undefined ? inputs : kind.stateOf(id, outcome.live);
    throw notAsDeclared({ id, outcome, state: known });
  }
}

interface Taking<Inputs> {
  readonly context: RunContext;
  readonly id: string;
  readonly inputs: Inputs;
}

/** A module's id, or the reason why there is none: check has refused such inputs already, unless it was skipped. */
function requiredId<Inputs extends object>(
  kind: { idOf: (inputs: Partial<Inputs>) => string | undefined },
  inputs: Inputs,
): string {
  const id = kind.idOf(inputs);
  if (id === undefined) throw new UserError('the ids of the module’s edge and route are required');
  return id;
}

async function replaceModule<Wire>(
  kind: { nameOf: (id: string) => string },
  id: string,
  replace: () => Promise<Wire>,
): Promise<Wire> {
  try {
    return await replace();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      `The ${kind.nameOf(id)} cannot be written: the service does not know its edge or route, or no longer does. ` +
        `Check the id; if it was deleted outside the program, run "pulumi refresh".`,
    );
  }
}

const keptModule = (name: string): string =>
  `Kept the ${name}: another resource of this program owns it now (renamed?), so deleting it would remove live protection.`;

const declaredTwice = (words: Words, name: string): UserError =>
  new UserError(
    `The ${name} is declared twice in this program: two resources would share one module, and deleting one would ` +
      `delete it for both. Keep one of them. (A replacement that creates first looks the same: ${words.deleteFirst}. ` +
      `So does an interrupted one whose program was reverted: give this resource a new name and set ${words.assigned('overwriteExisting', true)}.)`,
  );

const carriesOther = <Wire>(
  kind: {
    nameOf: (id: string) => string;
    summaryOf: (live: Wire) => string;
    importTarget: (id: string) => ImportedObject;
  },
  words: Words,
  { id, live }: { readonly id: string; readonly live: Wire },
): UserError =>
  new UserError(
    `The ${kind.nameOf(id)} already exists with other content (${kind.summaryOf(live)}), and nothing was changed. ` +
      `Import it to keep what is there: ${words.importDeclared(kind.importTarget(id))} — or set ` +
      `${words.assigned('overwriteExisting', true)} to replace it.\n${waysOut(words)}`,
  );
