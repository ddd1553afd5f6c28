import type { StateResource } from '../../../provider/src/cli/pulumi/deployment';
import { type ResourceType, tokenOf } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../host-process';
import { testedHost } from '../tested-host';

/** A resource as a program declares it, with the options that the commands have to mind. */
export interface Declared {
  readonly type: ResourceType;
  readonly name: string;
  readonly inputs: Bag;
  readonly component?: string;
  readonly provider?: string;
  readonly isProtected?: boolean;
  /** The name that the resource had before. */
  readonly alias?: string;
  /** Whether the program makes its description a secret. */
  readonly isSecret?: boolean;
  /** The file of the module, written by an import, that declares it. */
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
  /** Operations that killed runs have left behind. */
  readonly pending: readonly object[];
  readonly isLocked: boolean;
  /** `pulumi cancel`. */
  unlock(): Promise<void>;
  /** `pulumi up`, killed or not; answers whether it succeeded. */
  up(kill?: Kill): Promise<boolean>;
  /** What the next `up` would do. */
  preview(): Promise<readonly PlannedStep[]>;
  /** A killed run leaves an operation of another package behind; absent if that cannot be done. */
  leaveForeignPending?(name: string): void;
  /** Whether the next import is killed half-way; absent if that cannot be done. */
  killsImport?: boolean;
}

/** A step of a preview. */
export interface PlannedStep {
  readonly op: string;
  readonly urn: string;
}

export const URN_PREFIX = 'urn:pulumi:dev::project::';

export const urnOf = ({ type, component }: Declared, name: string): string =>
  `${URN_PREFIX}${component === undefined ? '' : 'test:index:Site$'}${tokenOf(type, testedHost)}::${name}`;
