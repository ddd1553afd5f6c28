import { isDeepStrictEqual } from 'node:util';
import { PROVIDER_KEY } from '../../fields/field';
import { type Deployment, isSecret, secretInClear, type StateResource } from '../pulumi/deployment';

/** What became of an interrupted operation, and what to do about it. */
export type Verdict = {
  readonly why: string;
  /** Live objects that the operation may have created, in words: the operator deletes any that are not wanted. */
  readonly candidates?: readonly string[];
} & (
  | { readonly kind: 'clear' }
  /** It happened: the resource is brought into the state. */
  | {
      readonly kind: 'take';
      readonly id: string;
      readonly outputs: Readonly<Record<string, unknown>>;
      /** The live objects of the resource, in words. */
      readonly live: readonly string[];
      /** Whether the operator said so. */
      readonly isToldSo?: true;
    }
  /** The resource is in state and is read again; if outputs are given, with these: it then knows which other objects are its own. */
  | { readonly kind: 'refresh'; readonly outputs?: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'refuse';
      readonly candidates: readonly string[];
      /** Objects that match in everything, but only the operator knows whether this stack created them. */
      readonly takeIds?: readonly string[];
    }
);

/** An interrupted operation of one of our resources. */
export interface Operation {
  readonly type: string;
  /** The name for the operator: the URN, with a number if several operations have the same. */
  readonly reference: string;
  /** The resource as the operation had it, secrets encrypted: what goes back into the state. */
  readonly resource: StateResource;
  /** Its inputs in clear: for comparing, never shown or written. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of secret inputs that could not be decrypted. */
  readonly hidden?: readonly string[];
}

/** Whether an operation has inputs that cannot be compared. */
export const isHidden = ({ hidden = [] }: Operation): boolean => hidden.length > 0;

/** An operation with its verdict. */
export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: Verdict;
}

/**
 * The outputs of a live resource. Fields that are as declared are copied from the inputs, so that their secrets stay encrypted;
 * fields that were edited since are as they live.
 */
export function outputsOf(
  { resource, inputs: declared }: Operation,
  state: object,
): Readonly<Record<string, unknown>> {
  const { inputs = {} } = resource;
  const known = Object.entries(state).map(([key, live]: [string, unknown]) => {
    if (isDeepStrictEqual(declared[key], live)) return [key, inputs[key]] as const;
    return [key, isSecret(inputs[key]) ? secretInClear(live) : live] as const;
  });
  return { ...Object.fromEntries(known), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
}

/**
 * Names the operations as the state does. Operations with the same URN are numbered so that each can be named, such as one that
 * was carried along and one of a later run.
 */
export function withReferences<T extends Pick<Operation, 'type' | 'resource'>>(
  planned: readonly T[],
  { resources }: Pick<Deployment, 'resources'>,
): (T & Pick<Operation, 'reference'>)[] {
  const names = new Set(resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn));
  const operations = planned.map((operation) => asInState(operation, names));
  const counts = new Map<string, number>();
  for (const { resource } of operations) counts.set(resource.urn, (counts.get(resource.urn) ?? 0) + 1);
  const seen = new Map<string, number>();
  return operations.map((operation) => {
    const { urn } = operation.resource;
    const number = (seen.get(urn) ?? 0) + 1;
    seen.set(urn, number);
    return { ...operation, reference: counts.get(urn) === 1 ? urn : `${urn}#${number}` };
  });
}

/** A resource that is renamed with an alias is updated under its new name, and has the former one in the state until that is done. */
function asInState<T extends Pick<Operation, 'type' | 'resource'>>(
  operation: T,
  names: ReadonlySet<string>,
): T {
  const { type, resource } = operation;
  if (type !== 'updating' || names.has(resource.urn)) return operation;
  const urn = (resource.aliases ?? []).find((alias) => names.has(alias));
  return urn === undefined ? operation : { ...operation, resource: { ...resource, urn } };
}
