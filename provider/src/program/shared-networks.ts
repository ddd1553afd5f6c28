import { printableByEngine } from '../values/printable';
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

/** The first resource that declares a network. */
interface Holder {
  readonly name: string;
  readonly isSecret: boolean;
}

/** The holders of the networks, for each run of a program: the Automation API runs several in one process. */
const runs = new WeakMap<object, Map<string, Holder>>();

const MOST_NETWORKS = 5;

/**
 * Warns if another resource of the program declares a network of the same policy. Only the program knows the names of both: the
 * provider is told one resource at a time, and learns of the other when the service refuses its rule.
 */
export function warnOfSharedNetworks({ resource, name, ipPolicyId, networks }: Declared): void {
  const stack = pulumi.getStackResource();
  if (stack === undefined) return;
  const holders = runs.get(stack) ?? new Map<string, Holder>();
  runs.set(stack, holders);
  const declared = pulumi.all([ipPolicyId, networks]);
  declared.apply(async ([policy, cidrs]) => {
    const self = { name, isSecret: await pulumi.isSecret(declared) };
    const shared = new Map<Holder, string[]>();
    for (const cidr of cidrs) {
      const key = `${policy} ${cidr}`;
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, self);
      else if (!shared.has(holder)) shared.set(holder, [cidr]);
      else shared.get(holder)?.push(cidr);
    }
    // The state of a set may show two live rules for one network.
    shared.delete(self);
    for (const [holder, both] of shared) {
      const line = sentence({
        names: [holder.name, name],
        policy,
        both,
        isSecret: holder.isSecret || self.isSecret,
      });
      await pulumi.log.warn(printableByEngine(line), resource);
    }
  });
}

interface Shared {
  readonly names: readonly [string, string];
  readonly policy: string;
  readonly both: readonly string[];
  readonly isSecret: boolean;
}

function sentence({ names: [one, other], policy, both, isSecret }: Shared): string {
  const count = `${both.length} ${both.length === 1 ? 'network' : 'networks'}`;
  const hidden = both.length - MOST_NETWORKS;
  const listed = [...both.slice(0, MOST_NETWORKS), ...(hidden > 0 ? [`and ${hidden} more`] : [])].join(', ');
  return (
    `"${one}" and "${other}" both declare ${count} of ${policy}${isSecret ? '' : `: ${listed}`}. The service may refuse a second ` +
    `rule for a network: remove the duplicates from one of the two resources, or merge them into one set.`
  );
}
