// Each way in which an object of the state can end beside its `deletedWith`, in one program: every case has a policy of its own.
import { policyId } from '../../support/ids';
import { literal } from '../../support/programs';

/** The three programs of a stack: as it begins; what a run is to leave half done; and what is previewed and then run. */
export type Phase = 'first' | 'failing' | 'last';

/** What a program declares of one resource of a case, by the ids of its object and of another one. */
type Declares = (phase: Phase, ids: Ids) => Declaration | undefined;

interface Ids {
  readonly own: string;
  readonly other: string;
}

interface Declaration {
  readonly action?: 'allow' | 'deny';
  readonly cidr?: string;
  readonly description?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  /** The program only looks it up, by this expression. */
  readonly get?: string;
}

const CREATED_FIRST = { deleteBeforeReplace: false };
const isLast = (phase: Phase): boolean => phase === 'last';
const leaves =
  (options: object): Declares =>
  (phase) =>
    isLast(phase) ? undefined : { options: { ...options } };
const flips =
  (options: object, name?: string): Declares =>
  (phase) => ({
    ...(isLast(phase) && { action: 'deny' as const }),
    ...(isLast(phase) && name !== undefined && { name }),
    options: { ...options, ...(isLast(phase) && name !== undefined && { aliases: true }) },
  });
/** An earlier run has replaced it, and its delete was refused. */
const withLeftover =
  (wanted: Declares): Declares =>
  (phase, ids) => {
    const own = wanted(phase, ids);
    return (
      own && {
        ...own,
        ...(phase !== 'first' && { action: 'deny' as const }),
        options: { ...own.options, ...CREATED_FIRST },
      }
    );
  };
const looksUp =
  (get: (ids: Ids) => string): Declares =>
  (phase, ids) =>
    isLast(phase) ? { get: get(ids) } : {};
/** The id is only known when the run has made another resource. */
const later = (id: string): string => `made.id.apply(() => ${literal(id)})`;

/** What becomes of the resource that another one is deleted with. */
const TARGETS: Readonly<Record<string, Declares>> = {
  leaves: leaves({}),
  'is retained and leaves': leaves({ retainOnDelete: true }),
  stays: () => ({}),
  'is updated': (phase) => (isLast(phase) ? { description: 'new' } : {}),
  'is replaced': flips({}),
  'is replaced, created first': flips(CREATED_FIRST),
  'is replaced by force': (phase) => ({ options: { replacementTrigger: isLast(phase) ? 2 : 1 } }),
  'is looked up': looksUp(({ own }) => literal(own)),
  'is looked up by an unknown id': looksUp(({ own }) => later(own)),
  'is renamed': (phase) => (isLast(phase) ? { name: 'renamed', options: { aliases: true } } : {}),
  'is renamed and replaced': flips({}, 'renamed'),
  'is renamed and replaced, created first': flips(CREATED_FIRST, 'renamed'),
  'has a leftover, and stays': withLeftover(() => ({})),
  'has a leftover, and leaves': withLeftover(leaves({})),
};

const DEPENDENTS: Readonly<Record<string, Declares>> = {
  leaves: leaves({}),
  'is retained and leaves': leaves({ retainOnDelete: true }),
  stays: () => ({}),
  'is narrowed': (phase) => (isLast(phase) ? { cidr: '10.0.0.0/24' } : {}),
  'is replaced': flips({}),
  'is replaced, created first': flips(CREATED_FIRST),
  'is looked up by another id': looksUp(({ other }) => literal(other)),
  'is looked up by an unknown id': looksUp(({ own }) => later(own)),
  'is looked up by an unknown id of another': looksUp(({ other }) => later(other)),
  'has a leftover, and stays': withLeftover(() => ({})),
};

/** Versions differ in what happens with these, or the id of a look-up decides. */
const OPEN: ReadonlySet<string> = new Set([
  'is replaced',
  'is replaced by force',
  'is renamed and replaced',
  'is looked up',
]);

/** Whether the fate of an object may be not known. */
export const isOpen = ({ target, dependent }: Case): boolean =>
  OPEN.has(target) || [target, dependent].some((kind) => kind.includes('unknown'));

/** A pair of resources in a policy of its own. */
export interface Case {
  readonly name: string;
  readonly policyId: string;
  readonly target: string;
  readonly dependent: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export const CASES: readonly Case[] = Object.keys(TARGETS).flatMap((target, row) =>
  Object.keys(DEPENDENTS).map((dependent, column) => ({
    ...{ name: `c${row}x${column}`, target, dependent },
    policyId: `${policyId.slice(0, -2)}${LETTERS[row] ?? ''}${LETTERS[column] ?? ''}`,
  })),
);

/** The program of a phase; `idOf` answers the ids of what the state holds. */
export const statementsOf = (phase: Phase, idOf: (name: string) => string): string =>
  [
    `const made = ${ruleText(isLast(phase) ? 'made' : 'other', { ipPolicyId: policyId, cidr: '192.0.2.0/24' }, '{ retainOnDelete: true }')};`,
    ...CASES.map((each) => pairOf(each, phase, idOf)),
    'return {};',
  ].join('\n');

function pairOf(
  { name, policyId: ipPolicyId, ...kinds }: Case,
  phase: Phase,
  idOf: (name: string) => string,
): string {
  const [target, dependent] = [`${name}-target`, `${name}-dependent`];
  const first = TARGETS[kinds.target]?.(phase, { own: idOf(target), other: idOf('other') });
  const second = DEPENDENTS[kinds.dependent]?.(phase, { own: idOf(dependent), other: idOf('other') });
  const isThere = first !== undefined && first.get === undefined;
  return [
    '{',
    first ? `const target = ${declared(target, { ipPolicyId, cidr: '203.0.113.0/24' }, first, '')};` : '',
    second
      ? declared(dependent, { ipPolicyId, cidr: '10.0.0.0/16' }, second, isThere ? 'deletedWith: target' : '')
      : '',
    '}',
  ].join('\n');
}

function declared(
  name: string,
  place: object,
  { get, name: other, options = {}, ...inputs }: Declaration,
  more: string,
): string {
  if (get !== undefined) return `IpPolicyRule.get(${literal(name)}, ${get})`;
  const given = { ...options, ...('aliases' in options && { aliases: [{ name }] }) };
  return ruleText(
    other === undefined ? name : `${name}-${other}`,
    { ...place, ...inputs },
    `{ ...${literal(given)}, ${more} }`,
  );
}

const ruleText = (name: string, inputs: object, options: string): string =>
  `new IpPolicyRule(${literal(name)}, ${literal({ action: 'allow', ...inputs })}, ${options})`;
