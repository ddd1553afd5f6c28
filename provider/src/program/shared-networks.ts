import { DeclaredNetworks } from '../rule/declared-networks';
import { printableByEngine } from '../values/printable';
import { chosenHost } from './registration';
import * as pulumi from './sdk';

/** What a resource declares of a policy. */
interface Declared {
  readonly resource: pulumi.CustomResource;
  /** Its name in the program. */
  readonly name: string;
  readonly ipPolicyId: pulumi.Output<string>;
  /** In canonical form, as the engine returns them after check. */
  readonly networks: pulumi.Output<readonly string[]>;
}

/** What each run of a program has declared: the Automation API runs several in one process. */
const runs = new WeakMap<object, DeclaredNetworks>();

/**
 * Warns if another resource of the program declares a network of the same policy. The plugin does so itself; the default host is
 * told no names.
 */
export function warnOfSharedNetworks({ resource, name, ipPolicyId, networks }: Declared): void {
  const stack = pulumi.getStackResource();
  if (stack === undefined || chosenHost() === 'native') return;
  const known = runs.get(stack) ?? new DeclaredNetworks();
  runs.set(stack, known);
  const declared = pulumi.all([ipPolicyId, networks]);
  declared.apply(async ([policy, cidrs]) => {
    const isSecret = await pulumi.isSecret(declared);
    for (const line of known.note({ resource, name, policy, networks: cidrs, isSecret }))
      await pulumi.log.warn(printableByEngine(line), resource);
  });
}
