/** What a resource declares of a policy. */
export interface Declared {
  /** What tells the resource from all others, whatever their names. */
  readonly resource: unknown;
  /** Its name in the program. */
  readonly name: string;
  readonly policy: string;
  /** In canonical form. */
  readonly networks: readonly string[];
  readonly isSecret: boolean;
}

type Holder = Pick<Declared, 'resource' | 'name' | 'isSecret'>;

const MOST_NETWORKS = 5;

/** The networks that the resources of one program declare: the service may refuse a second rule for one of them. */
export class DeclaredNetworks {
  private readonly holders = new Map<string, Holder>();

  /** Takes in what a resource declares. Returns a warning for each resource that has declared a part of it before. */
  note(declared: Declared): string[] {
    const shared = new Map<Holder, string[]>();
    for (const cidr of declared.networks) {
      const key = `${declared.policy} ${cidr}`;
      const holder = this.holders.get(key);
      if (holder === undefined) this.holders.set(key, declared);
      // The state of a set may show two live rules for one network.
      else if (holder.resource !== declared.resource)
        shared.set(holder, [...(shared.get(holder) ?? []), cidr]);
    }
    return [...shared].map(([holder, networks]) => sentence(holder, { ...declared, networks }));
  }
}

function sentence(holder: Holder, { name, policy, networks, isSecret }: Declared): string {
  const count = `${networks.length} ${networks.length === 1 ? 'network' : 'networks'}`;
  const hidden = networks.length - MOST_NETWORKS;
  const more = hidden > 0 ? [`and ${hidden} more`] : [];
  const listed = [...networks.slice(0, MOST_NETWORKS), ...more].join(', ');
  return (
    `"${holder.name}" and "${name}" both declare ${count} of ${policy}${isSecret || holder.isSecret ? '' : `: ${listed}`}. ` +
    `The service may refuse a second rule for a network: remove the duplicates from one of the two resources, or merge them ` +
    `into one set.`
  );
}
