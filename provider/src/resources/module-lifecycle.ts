import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ModuleEndpoint } from '../api/modules';
import { isNotFound } from '../api/errors';
import { bodyOf } from '../fields/bodies';
import { changedFields } from '../fields/field';
import { checkFields } from '../fields/check';
import { diffFields } from '../fields/diff';
import type { Lifecycle } from './lifecycle';
import { inputsOf } from '../fields/outputs';
import { isPartialFailure } from '../errors/partial-failure';
import { UserError } from '../errors/user-error';
import type { ImportTarget, Words } from '../errors/words';
import { giveUp } from '../settle/give-up';
import type { Claim } from '../settle/holdings';
import { findModule, removeModule } from '../settle/presence';
import type { RunContext } from '../settle/ledger';
import { notAsDeclared, writeVerified } from '../settle/verified-write';
import { UNKNOWN } from '../values/unknowns';

/** What the two modules do not share. */
export interface ModuleKind<Inputs extends object, State extends Inputs, Wire> {
  readonly fields: object;
  /** The module and its parent in words, for sentences. */
  readonly nameOf: (id: string) => string;
  /** The id that stands for the module: the ids of its parents. */
  readonly idOf: (inputs: Partial<Inputs>) => string | undefined;
  readonly endpoint: (client: ApiClient, id: string) => ModuleEndpoint<Wire>;
  readonly stateOf: (id: string, live: Wire, prior?: object) => State;
  /** Whether nothing would be lost if the live module were overwritten. */
  readonly isEmpty: (live: Wire) => boolean;
  /** What a live module holds, in counts and sizes: its texts may be secret. */
  readonly summaryOf: (live: Wire) => string;
  /** As what an import brings the live module under management. */
  readonly importTarget: (id: string) => ImportTarget;
}

/** Inputs that every module has. */
interface ModuleInputs {
  readonly overwriteExisting?: boolean;
}

/**
 * What a module does at each step of its life. A create looks first: nobody else's content is ever lost
 * silently. A delete of what another resource of this run stands for sends nothing: after a rename the engine deletes
 * the old name last, and that would remove the live protection.
 */
export function moduleLifecycle<Inputs extends ModuleInputs, State extends Inputs, Wire>(
  kind: ModuleKind<Inputs, State, Wire>,
  getContext: () => RunContext,
): Lifecycle<Inputs, State> {
  const differing = (id: string, live: Wire, inputs: Inputs): readonly string[] =>
    changedFields(kind.fields, kind.stateOf(id, live), inputs);

  return {
    check(olds, news) {
      const { ledger, words } = getContext();
      const checked = checkFields(kind.fields, olds, news, words.name);
      const { holdings } = ledger;
      holdings.activity.noteCheck();
      const id = idIn(kind, checked.inputs);
      if (id === undefined) return checked;
      if (id !== idIn(kind, olds)) holdings.wants.add(id);
      else if (holdings.wants.noteKept(id))
        return { ...checked, failures: [...checked.failures, declaredTwice(words, kind.nameOf(id)).message] };
      return checked;
    },

    diff(id, olds, news) {
      const outcome = diffFields(kind.fields, olds, news);
      if (outcome.replaces.length > 0) return outcome;
      const { ledger, words } = getContext();
      const { holdings } = ledger;
      const other = holdings.declare(claim(id), outcome.changes);
      if (other !== undefined) throw declaredTwice(words, kind.nameOf(id));
      return { ...outcome, changes: outcome.changes || holdings.isGoneOrGoing(id) };
    },

    async create(inputs) {
      const context = getContext();
      const id = requiredId(kind, inputs);
      return createOnce(context, id, () =>
        context.ledger.oneAtATime(id, async () => {
          const state = await takeOverOrWrite({ context, id, inputs });
          context.ledger.holdings.hold(claim(id));
          return { id, state };
        }),
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
      const { holdings } = context.ledger;
      return holdings.activity.during(() =>
        context.ledger.oneAtATime(id, () => {
          holdings.hold(claim(id));
          return write({ context, id, deadline: context.client.startOperation(), inputs: news });
        }),
      );
    },

    async delete(id) {
      const context = getContext();
      const outcome = await context.ledger.holdings.activity.during(() =>
        giveUp(context, claim(id), (isLeaving) => {
          const deadline = context.client.startOperation();
          return removeModule({
            client: context.client,
            endpoint: kind.endpoint(context.client, id),
            deadline,
            isLeaving,
          });
        }),
      );
      if (outcome === 'kept') {
        context.warn(
          `Kept the ${kind.nameOf(id)}: another resource of this program declares it (renamed?), so deleting it would remove live protection.`,
        );
      }
    },
  };

  async function takeOverOrWrite({ context, id, inputs }: Taking<Inputs>): Promise<State> {
    // What is there belongs to a resource of this program that gives it up: nobody else loses anything.
    const { holdings } = context.ledger;
    const isHandedOver = holdings.offerAt(id) !== undefined;
    const deadline = context.client.startOperation();
    const live = await findModule(context.client, kind.endpoint(context.client, id), deadline);
    if (holdings.isTaken(id, live === undefined)) throw declaredTwice(context.words, kind.nameOf(id));
    if (live !== undefined && differing(id, live, inputs).length === 0) return kind.stateOf(id, live, inputs);
    const mayOverwrite = isHandedOver || inputs.overwriteExisting === true;
    if (live !== undefined && !kind.isEmpty(live) && !mayOverwrite) {
      throw carriesOther(kind, context.words, { id, live });
    }
    return write({ context, id, deadline, inputs });
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

/** A module is the only one of its edge or route, so its id is its place, and its resource stands for nothing else. */
const claim = (id: string): Claim => ({ id, place: id, holder: id });

/** Runs a create that check has announced. After a partial failure the module stays in state, and may be created again. */
async function createOnce<T>(context: RunContext, id: string, work: () => Promise<T>): Promise<T> {
  const { holdings } = context.ledger;
  return holdings.fulfil(id, async () => {
    try {
      return await work();
    } catch (error) {
      if (isPartialFailure(error)) holdings.hold(claim(id), 'failed');
      throw error;
    }
  });
}

/** The id that inputs stand for, where they are known and of the right type. */
function idIn<Inputs extends object>(
  kind: { idOf: (inputs: Partial<Inputs>) => string | undefined },
  inputs: object,
): string | undefined {
  const texts = Object.entries(inputs).filter(([, value]) => typeof value === 'string');
  const id = kind.idOf(Object.fromEntries(texts) as Partial<Inputs>);
  return id === undefined || id.includes(UNKNOWN) ? undefined : id;
}

/** A module's id or the reason why there is none: check has refused the inputs already, unless it was skipped. */
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
      `The ${kind.nameOf(id)} cannot be written: the service does not know its edge or route (any more). ` +
        `Check the id; if it was deleted outside, run "pulumi refresh".`,
    );
  }
}

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
    importTarget: (id: string) => ImportTarget;
  },
  words: Words,
  { id, live }: { readonly id: string; readonly live: Wire },
): UserError =>
  new UserError(
    `The ${kind.nameOf(id)} already exists with other content (${kind.summaryOf(live)}), and nothing was changed. ` +
      `Import it to keep what is there: ${words.importDeclared(kind.importTarget(id))} — or set ${words.assigned('overwriteExisting', true)} to replace it.`,
  );
