import type { Lived } from './lived';
import type { Program } from '../support/random-program/program';

/** A problem that no client can solve by itself: the run fails harmlessly, says why, and names the remedy. */
export interface Remedy {
  readonly says: RegExp;
  /** Why it is nobody's mistake. */
  readonly why: string;
  readonly apply: (lived: Lived, message: string) => void;
  /** Whether the remedy begins with `pulumi refresh`. */
  readonly refreshes?: boolean;
  /** Whether this is the problem, if the message is also used for others. */
  readonly isMeant?: (lived: Lived) => boolean;
}

const overwriteAll = ({ world }: Lived): void => {
  world.program = world.program.map((part) => ({ ...part, overwrites: true }));
};

function renameMoved({ world }: Lived, message: string): void {
  const moved = world.engine.state
    .filter(({ type, id }) => type === 'IpPolicyRule' && message.includes(`IP policy rule ${id} `))
    .map(({ name }) => name);
  const isMoved = ({ name, aliases = [] }: Program[number]): boolean =>
    [name, ...aliases].some((each) => moved.includes(each));
  world.program = world.program.map((part) =>
    isMoved(part) ? { ...part, name: `${part.name}-moved`, aliases: [], overwrites: true } : part,
  );
}

const isInterrupted = ({ world }: Lived, name: string): boolean =>
  world.engine.state.some((entry) => entry.name === name && entry.isPendingReplacement === true);

function renameInterrupted(lived: Lived): void {
  const { world } = lived;
  world.program = world.program.map((part) =>
    isInterrupted(lived, part.name)
      ? { ...part, name: `${part.name}-anew`, aliases: [], overwrites: true }
      : part,
  );
}

/** Keeps the first of the rules that the message names. */
function deleteOthers({ world }: Lived, message: string): void {
  const [, ...others] = message.match(/\bipr_[\w.~-]*\w/g) ?? [];
  world.account.change((remote) => {
    for (const id of others) remote.deleteRule(id);
  });
}

const remedies: readonly Remedy[] = [
  {
    says: /(belongs to two resources|could not be taken over)[^]*If an earlier run began to replace this resource and did not finish, give it a new name/,
    why: 'state has the resource as it was before, and another one had taken its rule: nothing tells the two apart',
    isMeant: (lived) => lived.world.program.some(({ name }) => isInterrupted(lived, name)),
    apply: renameInterrupted,
    refreshes: true,
  },
  {
    says: /was not moved to .* give this resource a new name and set overwriteExisting: true/,
    why: 'the network is that of a resource that the change drops, which the engine deletes last',
    apply: renameMoved,
  },
  {
    says: /belongs to two resources of this program: .* remove one of the two from the program/,
    why: 'a set took the rule over before the engine named the resource that leaves it, as too few operations ran at once',
    apply: renameMoved,
    refreshes: true,
  },
  {
    says: /already has a rule for this CIDR|already holds \d+ rules? that an exclusive set/,
    why: 'the engine creates a new name before it deletes the old one, or somebody else has made the rule',
    apply: overwriteAll,
  },
  {
    says: /could not be taken over: another resource of this program is changing it in this run/,
    why: 'the resource that is to give the rule up fails for a reason of its own',
    apply: () => undefined,
  },
  {
    says: /another resource has just taken over an allow that it covers, and may still take over this rule/,
    why: 'the deny keeps the addresses out until it is known that nobody takes it over',
    apply: () => undefined,
  },
  {
    says: /cannot take over an existing rule: the policy holds several for this CIDR: .* Delete the ones that you do not want/,
    why: 'the program drops several resources of one network, on a service that accepts that: the engine deletes them last',
    apply: deleteOthers,
  },
  {
    says: /was lost in an earlier run, and several rules match: .* Delete the ones that you do not want/,
    why:
      'a resource that the program drops still has a rule of the same values, and the run in which the answer was lost ' +
      'learned nothing of the time of the service',
    isMeant: ({ world }) =>
      world.engine.state.some(({ name }) => world.program.every((part) => part.name !== name)),
    apply: deleteOthers,
  },
  {
    says: /was lost in an earlier run, and a rule matches that may be older than the create: .* Delete it unless it has another owner/,
    why: 'nothing tells whether the times of creation are by another clock, or an equal rule was made just before',
    apply: ({ operator }, message) => {
      operator.deleteDoubtful(message);
    },
  },
  {
    says: /returned 201, but the body describes another rule, ipr_/,
    why: 'the service answers with the rule of the resource that gives the network up, which the run then deletes',
    isMeant: ({ life }) => life.switches.equalPost === 'existing',
    apply: () => undefined,
  },
  {
    says: /already exists with different content/,
    why: 'after a rename without an alias whose content changed as well, or an edit by others',
    apply: overwriteAll,
  },
  {
    says: /is declared twice in this program: .* give this resource a new name and set overwriteExisting: true/,
    why: 'state has the resource as it was before, and it was deleted or taken over: nothing tells it from a second one',
    isMeant: (lived) => lived.world.program.some(({ name }) => isInterrupted(lived, name)),
    apply: renameInterrupted,
  },
];

export const remedyFor = (lived: Lived, { message }: Error): Remedy | undefined =>
  remedies.find(({ says, isMeant = () => true }) => says.test(message) && isMeant(lived));
