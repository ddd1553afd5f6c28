import type { Lived } from './lived';

/** What no client can do by itself: the run fails harmlessly, says why, and names what to do. */
export interface Remedy {
  readonly name: string;
  readonly says: RegExp;
  /** Why it is nobody's mistake. */
  readonly why: string;
  readonly apply: (lived: Lived) => void;
}

const overwriteAll = ({ world }: Lived): void => {
  world.program = world.program.map((part) => ({ ...part, overwrites: true }));
};

const remedies: readonly Remedy[] = [
  {
    name: 'taken network',
    says: /already has a rule for this CIDR|already holds \d+ rules? that an exclusive set/,
    why: 'the engine creates a new name before it deletes the old one, or somebody else has made the rule',
    apply: overwriteAll,
  },
  {
    name: 'taken module',
    says: /exists already with other content/,
    why: 'after a rename without an alias whose content changed as well, or an edit by others',
    apply: overwriteAll,
  },
  {
    name: 'kept for a successor',
    says: /was kept, as the resource that is to take it over was not created in this run/,
    why: 'the successor fails for a reason of its own, and with it whoever gives something up to it',
    apply: () => undefined,
  },
  {
    name: 'update to a taken network',
    says: /PATCH .* was answered with (400|409)/,
    why: 'a network goes from one single rule to another by updates, and the service refuses two rules for it',
    apply: () => undefined,
  },
];

/** How often each remedy was needed, by its name. */
const remedyCounts = new Map<string, number>();

export function remedyFor(_lived: Lived, { message }: Error): Remedy | undefined {
  const remedy = remedies.find(({ says }) => says.test(message));
  if (remedy !== undefined) remedyCounts.set(remedy.name, (remedyCounts.get(remedy.name) ?? 0) + 1);
  return remedy;
}
