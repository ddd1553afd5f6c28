// All facts about a kind of module. Lifecycle, look-ups, functions, adoption, import, recovery and messages are made from it.
// None of them knows a module by its name.
import { safe } from '../api/base-url';
import type { ApiClient, ModuleEndpoint } from '../api/client';
import { decodeModule } from '../api/decode';
import { UserError } from '../errors/user-error';
import type { ImportedObject } from '../errors/words';
import { fieldsOf, type FieldTable, keepEqualText, type Properties } from '../fields/field';
import { findModule } from '../presence/presence';
import { echo } from '../values/failure';
import { checkIdentifier, type IdentifierKind, prefixOf } from '../values/identifiers';
import type { JsonValue } from '../values/json';

/** By the names of options and of imported resources, and by what their modules decide about a client. */
export const MODULE_PARENTS = {
  'tcp-edge': { name: 'TCP edge', noun: 'edge', looksAt: 'addresses' },
  route: { name: 'HTTPS edge route', noun: 'route', looksAt: 'user-agents' },
} as const;

export type ModuleParent = keyof typeof MODULE_PARENTS;

/** Everything about one kind of module, said once. `Live` is what the service holds: the ids of the path, and the fields. */
export interface ModuleKind<Live extends object = object> {
  /** Its path on the service. The names in braces are the fields that identify it. */
  readonly path: string;
  readonly parent: ModuleParent;
  readonly fields: FieldTable<Live>;
  /** How sentences name it, such as `traffic policy module`. */
  readonly name: string;
  /** The option of `import` that asks for modules of this kind. */
  readonly importOption: `--${string}`;
  /** Whether overwriting it would lose nothing. */
  isEmpty(live: Live): boolean;
  /** Its content in counts and sizes, as its texts may be secret. */
  contentOf(live: Live): string;
  /** Fields that a program declares in another form than the service holds. */
  inProgram?(live: Live): Readonly<Record<string, JsonValue>>;
}

/** A kind with the type that `modules.ts` lists it under. */
export type Typed<Kind extends ModuleKind, Type extends string = string> = Kind & { readonly type: Type };

export const parentName = ({ parent }: Pick<ModuleKind, 'parent'>): string => MODULE_PARENTS[parent].name;

const NAME_IN_PATH = /\{(\w+)\}/g;

/** The fields that identify a module of this kind, in the order of its id. */
export const identityOf = ({ path }: Pick<ModuleKind, 'path'>): string[] =>
  [...path.matchAll(NAME_IN_PATH)].map(([, name = '']) => name);

/** The id of the module that inputs describe, if they name it. */
export function moduleIdOf(kind: ModuleKind, inputs: object): string | undefined {
  const values = identityOf(kind).map((name) => (inputs as Properties)[name]);
  return values.every((value) => typeof value === 'string' && value !== '') ? values.join('/') : undefined;
}

function identifiersOf(kind: ModuleKind): IdentifierKind[] {
  const table = new Map(fieldsOf(kind.fields));
  return identityOf(kind).flatMap((name) => table.get(name)?.identifies ?? []);
}

export const idShape = (kind: ModuleKind): string =>
  identifiersOf(kind)
    .map((each) => `${prefixOf(each)}…`)
    .join('/');

/** Why a text is not the id of a module of this kind; undefined if it is one. */
export function idProblem(kind: ModuleKind, id: string): string | undefined {
  const parts = id.split('/');
  const identifiers = identifiersOf(kind);
  if (parts.length !== identifiers.length)
    return `${echo(id)} is not the id of a ${kind.name}, which is ${idShape(kind)}`;
  return identifiers.flatMap((each, index) => checkIdentifier(parts[index] ?? '', each) ?? [])[0];
}

/** @throws UserError if it is the id of something else. */
export function identityFrom(kind: ModuleKind, id: string): Record<string, string> {
  const problem = idProblem(kind, id);
  if (problem !== undefined) throw new UserError(`${problem}. Nothing was read.`);
  const parts = id.split('/');
  return Object.fromEntries(identityOf(kind).map((name, index) => [name, parts[index] ?? '']));
}

export const moduleName = ({ name, parent }: ModuleKind, id: string): string =>
  `${name} of ${parentName({ parent })} ${id}`;

export const noModule = ({ name, parent }: ModuleKind, id: string): string =>
  `${parentName({ parent })} ${id} has no ${name}`;

/** The content of a live module, without its texts. */
export const moduleSummary = (kind: ModuleKind, live: object): string =>
  `${(live as Properties)['enabled'] === false ? 'disabled' : 'enabled'}, ${kind.contentOf(live)}`;

export const importTarget = ({ type, importOption }: Typed<ModuleKind>, id: string): ImportedObject => ({
  type: 'module',
  moduleType: type,
  option: importOption,
  id,
});

export function moduleAt<Live extends object>(
  kind: ModuleKind<Live>,
  client: ApiClient,
  id: string,
): ModuleEndpoint<Live> {
  const identity = identityFrom(kind, id);
  return client.module({
    path: kind.path.replace(NAME_IN_PATH, (_braces, name: string) => safe(identity[name] ?? '')),
    decode: (value) => ({ ...identity, ...decodeModule(kind.fields, value) }) as Live,
  });
}

export const liveModule = <Live extends object>(
  kind: ModuleKind<Live>,
  client: ApiClient,
  id: string,
): Promise<Live | undefined> =>
  findModule({ client, endpoint: moduleAt(kind, client, id), deadline: client.startOperation() });

/** The state of a live module: the only mapping from the service's answer. */
export function moduleState<Live extends object>(
  { fields }: ModuleKind<Live>,
  live: Live,
  prior: object = {},
): Live {
  const entries = fieldsOf(fields).flatMap(([name, { fromWire }]) => {
    const value = (live as Properties)[name];
    return value === undefined ? [] : [[name, fromWire === undefined ? value : fromWire(value)]];
  });
  return keepEqualText(fields, prior, Object.fromEntries(entries) as Live);
}
