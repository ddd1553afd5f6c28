// Random programs that use what the engine offers for the end of a resource, and random edits of them.
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import type { Dice } from '../../support/dice';
import { policyId, tcpEdgeId } from '../../support/ids';
import { literal } from '../../support/programs';

/** A resource of a program. */
export interface Part {
  readonly name: string;
  readonly type: ResourceType;
  /** A number for the content, and one for what cannot be changed in place. */
  readonly content: number;
  readonly place: number;
  readonly retainOnDelete: boolean;
  readonly isCreatedFirst: boolean;
  /** The name of an earlier resource. */
  readonly deletedWith?: string;
  /** The name of an earlier resource whose replacement replaces this one. */
  readonly linkedTo?: string;
  /** The program only looks an object up: that of this resource, or that of another one. */
  readonly lookUp?: string;
}

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const TYPES: readonly ResourceType[] = [
  ...(['IpPolicyRule', 'IpPolicyRule', 'IpPolicyRule'] as const),
  'IpPolicyRuleSet',
  'TcpEdgeTrafficPolicyModule',
];

/** A program of up to five resources. */
export const newProgram = (dice: Dice): Part[] =>
  NAMES.map((name, index) => {
    const [target, head] = [dice.maybe(NAMES.slice(0, index)), dice.maybe(NAMES.slice(0, index))];
    return {
      ...newPart(name, dice),
      ...(target !== undefined && dice.isLucky(0.5) && { deletedWith: target }),
      ...(head !== undefined && dice.isLucky(0.4) && { linkedTo: head }),
    };
  });

const newPart = (name: string, dice: Dice): Part => ({
  name,
  type: dice.pick(TYPES),
  content: dice.below(8),
  place: dice.below(2),
  retainOnDelete: dice.isLucky(0.15),
  isCreatedFirst: dice.isLucky(0.3),
});

/** What somebody makes of a program. A resource can depend on the earlier ones, which are in the order of their names. */
export function edited(program: readonly Part[], dice: Dice): Part[] {
  const parts = program.flatMap((part) => (dice.isLucky(0.6) ? editedPart(part, program, dice) : [part]));
  const missing = NAMES.filter((name) => !parts.some((part) => part.name === name));
  const added = missing.filter(() => dice.isLucky(0.3)).map((name) => newPart(name, dice));
  const all = [...parts, ...added].sort((left, right) => (left.name < right.name ? -1 : 1));
  return all.map((part, index) => withoutLost(part, all.slice(0, index)));
}

function editedPart(part: Part, program: readonly Part[], dice: Dice): Part[] {
  const { lookUp, ...own } = part;
  if (lookUp !== undefined) return dice.isLucky(0.5) ? [own] : [];
  const earlier = program.slice(0, program.indexOf(part)).filter((other) => other.lookUp === undefined);
  const target = dice.maybe(earlier)?.name;
  switch (dice.below(10)) {
    case 0:
      return [{ ...part, content: dice.below(8) }];
    case 1:
    case 2:
      return [{ ...part, place: 1 - part.place }];
    case 3:
      return [];
    case 4:
      return [{ ...part, lookUp: part.name }];
    case 5: {
      const alike = program.filter(({ type, name }) => type === part.type && name !== part.name);
      const other = dice.maybe(alike)?.name;
      return other === undefined ? [] : [{ ...part, lookUp: other }];
    }
    case 6:
      return target === undefined ? [] : [{ ...part, deletedWith: target }];
    case 7:
    case 8:
      return target === undefined ? [] : [{ ...part, linkedTo: target }];
    default:
      return [{ ...part, retainOnDelete: !part.retainOnDelete, isCreatedFirst: !part.isCreatedFirst }];
  }
}

/** What a resource depended on may have left the program. */
function withoutLost({ deletedWith, linkedTo, ...part }: Part, earlier: readonly Part[]): Part {
  const isThere = (name: string | undefined) =>
    earlier.some((other) => other.name === name && other.lookUp === undefined);
  return {
    ...part,
    ...(deletedWith !== undefined && isThere(deletedWith) && { deletedWith }),
    ...(linkedTo !== undefined && isThere(linkedTo) && { linkedTo }),
  };
}

/** The statements of a program; look-ups need the ids of the stack. */
export const statementsOf = (program: readonly Part[], idOf: (name: string) => string | undefined): string =>
  ['const made = {};', ...program.map((part) => statementOf(part, idOf)), 'return {};'].join('\n');

function statementOf(part: Part, idOf: (name: string) => string | undefined): string {
  const { name, type, lookUp, linkedTo, deletedWith, retainOnDelete, isCreatedFirst } = part;
  const id = lookUp === undefined ? undefined : idOf(lookUp);
  if (lookUp !== undefined) return id === undefined ? '' : `${type}.get('${name}', ${literal(id)});`;
  const { fixed, ...inputs } = inputsOf(part);
  const [property, value] = fixed;
  const given =
    linkedTo === undefined ? literal(value) : `made.${linkedTo}.id.apply(() => ${literal(value)})`;
  const options = [
    ...(retainOnDelete ? ['retainOnDelete: true'] : []),
    ...(isCreatedFirst ? ['deleteBeforeReplace: false'] : []),
    ...(deletedWith === undefined ? [] : [`deletedWith: made.${deletedWith}`]),
  ];
  const args = `{ ...${literal(inputs)}, ${property}: ${given} }`;
  return `made.${name} = new ${type}('${name}', ${args}, { ${options.join(', ')} });`;
}

/** The inputs of a resource, of which one, when it changes, replaces it. */
function inputsOf({ type, content, place, name }: Part) {
  const network = (index: number) => `10.${NAMES.indexOf(name as 'a')}.${content + index}.0/24`;
  switch (type) {
    case 'IpPolicyRule':
      return { fixed: ['action', place === 0 ? 'allow' : 'deny'], ipPolicyId: policyId, cidr: network(0) };
    case 'IpPolicyRuleSet': {
      const rules = [0, 1].map((index) => ({ cidr: network(index), action: index === 0 ? 'deny' : 'allow' }));
      return { fixed: ['ipPolicyId', POLICIES[place]], rules };
    }
    default: {
      const inbound = [{ name: `${name}${content}`, expressions: [], actions: [{ type: 'deny' }] }];
      return {
        fixed: ['edgeId', `${tcpEdgeId.slice(0, -2)}${name}${place}`],
        value: { inbound },
        overwriteExisting: true,
      };
    }
  }
}

const POLICIES = [policyId, `${policyId.slice(0, -1)}c`];
