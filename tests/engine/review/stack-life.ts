// Random programs that use what the engine offers for the life and the end of a resource, and random edits of them.
import { isModuleType, type ResourceType } from '../../../provider/src/resources/provider-reference';
import type { Dice } from '../../support/dice';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { literal } from '../../support/programs';

export interface Part {
  readonly name: string;
  readonly type: ResourceType;
  /** A number for the content, and one for what cannot be changed in place. */
  readonly content: number;
  readonly place: number;
  readonly retainOnDelete: boolean;
  readonly isCreatedFirst: boolean;
  readonly isProtected: boolean;
  /** A provider of the program serves it. */
  readonly hasOwnProvider: boolean;
  /** How often it was renamed; an alias names the former one. */
  readonly renamed: number;
  /** A new value replaces it. */
  readonly trigger?: number;
  /** The name of an earlier resource. */
  readonly deletedWith?: string;
  /** The name of an earlier resource whose replacement replaces this one: by a property, or by the option. */
  readonly linkedTo?: string;
  readonly replacedWith?: string;
  /** The program only looks an object up: that of this resource, or that of another one. */
  readonly lookUp?: string;
  /** The program takes a live rule with its content into the stack. */
  readonly isImported: boolean;
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const TYPES: readonly ResourceType[] = [
  ...(['IpPolicyRule', 'IpPolicyRule', 'IpPolicyRule', 'IpPolicyRuleSet'] as const),
  ...(['TcpEdgeTrafficPolicyModule', 'HttpsEdgeRouteUserAgentFilterModule'] as const),
];

export const newProgram = (dice: Dice): Part[] =>
  NAMES.map((name, index) => {
    const earlier = (chance: number) =>
      dice.isLucky(chance) ? dice.maybe(NAMES.slice(0, index)) : undefined;
    const [deletedWith, linkedTo, replacedWith] = [earlier(0.5), earlier(0.3), earlier(0.1)];
    return {
      ...newPart(name, dice),
      ...given({ deletedWith, linkedTo, replacedWith }),
    };
  });

function newPart(name: string, dice: Dice): Part {
  const type = dice.pick(TYPES);
  return {
    ...{ name, type, content: dice.below(8), place: dice.below(2), renamed: 0 },
    retainOnDelete: dice.isLucky(0.15),
    isCreatedFirst: dice.isLucky(0.3),
    isProtected: false,
    // Of two providers on one policy no review decides.
    hasOwnProvider: isModuleType(type) && dice.isLucky(0.3),
    isImported: type === 'IpPolicyRule' && dice.isLucky(0.25),
  };
}

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
  // The engine refuses to delete it as long as the state has the mark.
  if (part.isProtected) return [{ ...part, isProtected: false }];
  if (lookUp !== undefined) return dice.isLucky(0.5) ? [own] : [];
  const earlier = program.slice(0, program.indexOf(part)).filter((other) => other.lookUp === undefined);
  const target = dice.maybe(earlier)?.name;
  const linked = (option: 'deletedWith' | 'linkedTo' | 'replacedWith'): Part[] =>
    target === undefined ? [] : [{ ...part, [option]: target }];
  switch (dice.below(14)) {
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
      return linked('deletedWith');
    case 7:
      return linked('linkedTo');
    case 8:
      return linked('replacedWith');
    case 9:
      return [{ ...part, renamed: part.renamed + 1 }];
    case 10:
      return [{ ...part, trigger: (part.trigger ?? 0) + 1 }];
    case 11:
      return [{ ...part, hasOwnProvider: isModuleType(part.type) && !part.hasOwnProvider }];
    case 12:
      return [{ ...part, isProtected: true }];
    default:
      return [{ ...part, retainOnDelete: !part.retainOnDelete, isCreatedFirst: !part.isCreatedFirst }];
  }
}

/** What a resource depended on may have left the program. */
function withoutLost(part: Part, earlier: readonly Part[]): Part {
  const { deletedWith, linkedTo, replacedWith, ...own } = part;
  const there = (name: string | undefined) =>
    earlier.find((other) => other.name === name && other.lookUp === undefined)?.name;
  return {
    ...own,
    ...given({
      deletedWith: there(deletedWith),
      linkedTo: there(linkedTo),
      replacedWith: there(replacedWith),
    }),
  };
}

const given = (links: object): object =>
  Object.fromEntries(Object.entries(links).filter(([, name]) => name !== undefined));

const calledBy = ({ name, renamed }: Part, isFormer = false): string => {
  const times = isFormer ? renamed - 1 : renamed;
  return times === 0 ? name : `${name}-${times}`;
};

/** Where the objects are that a program names by their ids. */
export interface Ids {
  /** The id of a resource of the stack. */
  readonly inState: (name: string) => string | undefined;
  /** The id of a new live rule, for an import; absent on a host that cannot import in the program. */
  readonly ofNewRule?: (rule: {
    readonly cidr: string;
    readonly action: string;
    readonly place: string;
  }) => string;
}

export const statementsOf = (program: readonly Part[], ids: Ids): string =>
  [
    `const made = {}; const own = new Provider('own');`,
    ...program.map((part) => statementOf(part, ids)),
    'return {};',
  ].join('\n');

function statementOf(part: Part, ids: Ids): string {
  const { name, type, lookUp, linkedTo } = part;
  const id = lookUp === undefined ? undefined : ids.inState(lookUp);
  if (lookUp !== undefined)
    return id === undefined ? '' : `${type}.get('${calledBy(part)}', ${literal(id)});`;
  const { fixed, ...inputs } = inputsOf(part);
  const [property, value] = fixed;
  const given =
    linkedTo === undefined ? literal(value) : `made.${linkedTo}.id.apply(() => ${literal(value)})`;
  const args = `{ ...${literal(inputs)}, ${property}: ${given} }`;
  return `made.${name} = new ${type}('${calledBy(part)}', ${args}, { ${optionsOf(part, ids).join(', ')} });`;
}

function optionsOf(part: Part, ids: Ids): string[] {
  const { deletedWith, replacedWith, trigger } = part;
  return [
    ...(part.retainOnDelete ? ['retainOnDelete: true'] : []),
    ...(part.isCreatedFirst ? ['deleteBeforeReplace: false'] : []),
    ...(part.isProtected ? ['protect: true'] : []),
    ...(part.hasOwnProvider ? ['provider: own'] : []),
    ...(part.renamed > 0 ? [`aliases: [{ name: '${calledBy(part, true)}' }]`] : []),
    ...(trigger === undefined ? [] : [`replacementTrigger: ${trigger}`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: made.${deletedWith}`]),
    ...(replacedWith === undefined ? [] : [`replaceWith: [made.${replacedWith}]`]),
    ...importOf(part, ids),
  ];
}

/** An import of what the stack has already is none. */
function importOf(part: Part, ids: Ids): string[] {
  const isNew = part.isImported && part.linkedTo === undefined && ids.inState(part.name) === undefined;
  if (!isNew || !ids.ofNewRule) return [];
  const [cidr = ''] = networksOf(part);
  return [`import: ${literal(ids.ofNewRule({ cidr, action: actionOf(part), place: policyId }))}`];
}

const actionOf = ({ place }: Part): string => (place === 0 ? 'allow' : 'deny');

/** Two networks; those of different resources overlap and are never equal, as each has another length. */
function networksOf({ name, content }: Part): string[] {
  const width = NAMES.indexOf(name as 'a');
  const first = (content >> width) << width;
  return [0, 64].map((offset) => `10.0.${first + offset}.0/${24 - width}`);
}

/** The inputs of a resource, of which one, when it changes, replaces it. */
function inputsOf(part: Part) {
  const { type, content, place, name } = part;
  const networks = networksOf(part);
  switch (type) {
    case 'IpPolicyRule':
      return { fixed: ['action', actionOf(part)], ipPolicyId: policyId, cidr: networks[0] };
    case 'IpPolicyRuleSet': {
      const rules = networks.map((cidr, index) => ({ cidr, action: index === 0 ? 'deny' : 'allow' }));
      return { fixed: ['ipPolicyId', POLICIES[place]], rules };
    }
    case 'HttpsEdgeRouteUserAgentFilterModule':
      return {
        fixed: ['routeId', `${routeId.slice(0, -2)}${name}${place}`],
        ...{ edgeId: httpsEdgeId, enabled: content !== 0, deny: [`bot${content}`], overwriteExisting: true },
      };
    default: {
      const expressions = networks.map((cidr) => `inCidrRange(conn.client_ip, '${cidr}')`);
      const rule = { name: `${name}${content}`, actions: [{ type: 'deny' }] };
      const inbound = expressions.map((expression) => ({ ...rule, expressions: [expression] }));
      return {
        fixed: ['edgeId', `${tcpEdgeId.slice(0, -2)}${name}${place}`],
        ...{ value: { inbound }, enabled: content !== 0, overwriteExisting: true },
      };
    }
  }
}

const POLICIES = [policyId, `${policyId.slice(0, -1)}c`];
