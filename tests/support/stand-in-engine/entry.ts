import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../host-process';

/** A resource as a program declares it. */
export interface Declaration {
  readonly type: ResourceType;
  readonly name: string;
  readonly inputs: Bag;
  /** Names that the resource had before. */
  readonly aliases?: readonly string[] | undefined;
  /** Names of resources that must have been written before this one is registered. */
  readonly dependsOn?: readonly string[];
  /** The name of an explicit provider, which has a plugin process of its own. */
  readonly provider?: string | undefined;
  /** Whether every change replaces the resource. */
  readonly replaceOnChanges?: boolean | undefined;
  /** Inputs that keep the values in state. */
  readonly ignoreChanges?: readonly string[];
  /** The option `import`: the id under which an existing object comes into the state. */
  readonly importId?: string;
}

/** A resource as the engine keeps it in state. */
export interface Entry {
  readonly type: ResourceType;
  readonly name: string;
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** Why the resource is not as declared; the next `up` then updates it even if nothing differs. */
  readonly initErrors: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly provider?: string | undefined;
  /** A replacement has already deleted the resource and not yet created the new one. */
  readonly isPendingReplacement?: boolean;
  /** Another resource has its name already, and it waits for its deletion. */
  readonly isDoomed?: boolean;
}

/** An operation that had begun and not ended when the state was last written. */
export interface PendingOperation {
  readonly type: 'creating' | 'updating' | 'deleting' | 'reading';
  readonly entry: Omit<Entry, 'id' | 'outputs'> &
    Partial<Pick<Entry, 'id' | 'outputs'>> & {
      /** The name that the resource still has in state, if it is being renamed. */
      readonly aliases?: readonly string[];
    };
}

/** What the engine keeps between two calls of the CLI. */
export interface State {
  readonly entries: readonly Entry[];
  readonly pending: readonly PendingOperation[];
}

/** The result of a call of the engine. */
export interface Outcome {
  /** The steps of the engine, in order: `create`, `update`, `replace`, `delete`; unchanged resources are omitted. */
  readonly steps: readonly string[];
  readonly errors: readonly Error[];
}

/** What the URN of a resource is made of. */
export type Identity = Pick<Entry, 'type' | 'name'>;

export const isSameResource = (one: Identity, other: Identity): boolean =>
  one.type === other.type && one.name === other.name;
