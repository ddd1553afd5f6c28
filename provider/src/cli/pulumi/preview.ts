import { UserError } from '../../errors/user-error';
import type { StateResource } from './deployment';
import type { Stack } from './stack';

/** One step of `pulumi preview --json`, as far as the commands look at it. Unchanged resources have none. */
export interface PlannedStep {
  readonly op: string;
  readonly urn: string;
  /** The resource as the program declares it; secrets are `[secret]`. */
  readonly newState?: StateResource;
}

/**
 * What the program would do to the stack now; nothing is sent to the service.
 *
 * @throws UserError with the words of the CLI where the preview fails.
 */
export async function readPreview(stack: Stack): Promise<readonly PlannedStep[]> {
  const printed = await stack.cli.stackCommand(['preview', '--json']);
  try {
    return (JSON.parse(printed) as { readonly steps?: readonly PlannedStep[] }).steps ?? [];
  } catch {
    throw new UserError('"pulumi preview --json" printed something that is not a preview.');
  }
}
