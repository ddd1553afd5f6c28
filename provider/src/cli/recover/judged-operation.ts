import { isDeepStrictEqual } from 'node:util';
import { PROVIDER_KEY } from '../../fields/field';
import { type Deployment, isSecret, secretInClear, type StateResource } from '../pulumi/deployment';

/** What became of one interrupted operation, and what is to be done about it. */
export type Verdict = {
  readonly why: string;
  /** Live objects that the operation may have made, in words: the operator deletes any that are not wanted. */
  readonly candidates?: readonly string[];
} & (
  | { readonly kind: 'clear' }
  /** It happened: the resource is brought into the state. */
  | {
      readonly kind: 'take';
      readonly id: string;
      readonly outputs: Readonly<Record<string, unknown>>;
      /** The live objects that it stands for, in words. */
      readonly live: readonly string[];
      /** Whether the operator has decided so. */
      readonly isToldSo?: true;
    }
  /** The resource is in state and is read again, where given with these outputs: it then knows what else is its own. */
  | { readonly kind: 'refresh'; readonly outputs?: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'refuse';
      readonly candidates: readonly string[];
      /** Objects that match in everything, but only the operator can know whether this stack created them. */
      readonly takeIds?: readonly string[];
    }
);

/** An interrupted operation of one of our resources. */
export interface Operation {
  readonly type: string;
  /** What the operator calls it: its URN, with a number where several operations have the same. */
  readonly reference: string;
  /** The resource as the operation had it, secrets encrypted: what goes back into the state. */
  readonly resource: StateResource;
  /** Its inputs in clear: for comparing, never to be shown or written. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of inputs that are secret and could not be had in clear. */
  readonly hidden?: readonly string[];
}

/** Whether an operation has inputs that nothing can be compared with. */
export const isHidden = ({ hidden = [] }: Operation): boolean => hidden.length > 0;

/** An operation with its verdict. */
export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: Verdict;
}

/**
 * The outputs of a resource that lives: the inputs stand for what is as declared, so that their secrets stay encrypted, and
 * what has been edited since is as it lives.
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
 * Names the operations as the state does, and numbers those that have the same URN, so that each can be named: an operation carried
 * along and one of a later run.
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

/** A resource that is renamed with an alias is updated under its new name, and keeps the former one in the state until that is done. */
function asInState<T extends Pick<Operation, 'type' | 'resource'>>(
  operation: T,
  names: ReadonlySet<string>,
): T {
  const { type, resource } = operation;
  if (type !== 'updating' || names.has(resource.urn)) return operation;
  const urn = (resource.aliases ?? []).find((alias) => names.has(alias));
  return urn === undefined ? operation : { ...operation, resource: { ...resource, urn } };
}
