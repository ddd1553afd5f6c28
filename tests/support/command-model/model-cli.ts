import type { PlannedStep } from '../../../cli/src/pulumi/preview';
import type { StateResource } from '../../../cli/src/pulumi/deployment';
import type { Declaration } from '../stand-in-engine';

/** A resource as a program declares it, with what matters to the commands besides. */
export interface Declared extends Declaration {
  /** Whether the program makes its description a secret. */
  readonly isSecret?: boolean;
  /** The module, written by an import, that declares it. */
  readonly module?: string;
}

/** Where a run is killed: at which of its steps, how many of them are under way by then, and whether they take effect. */
export interface Kill {
  readonly atStep: number;
  readonly width: number;
  readonly hasEffect: boolean;
}

/** A Pulumi CLI with one stack, as the model drives it: the real one, or a stand-in. */
export interface ModelCli {
  program: Declared[];
  readonly resources: readonly StateResource[];
  /** Pending operations of killed runs. */
  readonly pending: readonly object[];
  readonly isLocked: boolean;
  /** `pulumi cancel`. */
  unlock(): Promise<void>;
  /** `pulumi up`, killed or not; returns whether it succeeded. */
  up(kill?: Kill): Promise<boolean>;
  /** The steps of the next `up`. */
  preview(): Promise<readonly PlannedStep[]>;
  /** Leaves a pending operation of another package, as a killed run does; absent if that cannot be done. */
  leaveForeignPending?(name: string): void;
  /** Whether the next import is killed half-way; absent if that cannot be done. */
  killsImport?: boolean;
  /** `pulumi import --file`. */
  importFile?(file: string): unknown;
}
