import { PROVIDER_KEY } from '../../lifecycle/properties';
import type { StateResource } from '../pulumi/deployment';

/** What became of one interrupted operation, and what is to be done about it. */
export type Verdict = { readonly why: string } & (
  | { readonly kind: 'clear' }
  /** It happened: the resource is brought into the state. */
  | { readonly kind: 'take'; readonly id: string; readonly outputs: Readonly<Record<string, unknown>> }
  /** The resource is in state and is read again, where given with these outputs: it then knows what else is its own. */
  | { readonly kind: 'refresh'; readonly outputs?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refuse'; readonly candidates: readonly string[] }
);

/** An interrupted operation of one of our resources. */
export interface Operation {
  readonly type: string;
  /** The resource as the operation had it, secrets encrypted: what goes back into the state. */
  readonly resource: StateResource;
  /** Its inputs in clear: for comparing, never to be shown or written. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of inputs that are secret and could not be had in clear. */
  readonly hidden?: readonly string[];
}

/** An operation with its verdict. */
export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: Verdict;
}

/** The outputs of a resource that is as declared: the inputs stand for it where they can, their secrets encrypted. */
export function outputsOf({ resource }: Operation, state: object): Readonly<Record<string, unknown>> {
  const { inputs = {} } = resource;
  const known = Object.entries(state).map(
    ([key, live]: [string, unknown]) => [key, inputs[key] ?? live] as const,
  );
  return { ...Object.fromEntries(known), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
}
