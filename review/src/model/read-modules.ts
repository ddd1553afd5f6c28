// Modules, read by the provider's table of their kinds: no kind is named here.
import { type AnyField, changedFields, fieldsOf } from 'pulumi-edge-policy/internal/fields/field';
import type { ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import { identityOf, MODULE_PARENTS } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { MODULE_TYPES, type ModuleType } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { asString, type JsonObject } from '../preview/json-reading';
import { bySubject, type ModuleDeclaration, type Origin, ownPlaces, type Snapshot } from './declarations';
import { allKnown, type Known, known, readKnown, valueOf } from './known';

const SWITCH = 'enabled';

export const identityFields = (type: ModuleType): readonly string[] => identityOf(moduleKind(type));

/** The fields of a module on the service, without those that identify it. */
export function contentFields(type: ModuleType): [name: string, field: AnyField][] {
  const identity = identityFields(type);
  return fieldsOf(moduleKind(type).fields).filter(
    ([name, { wire }]) => wire !== undefined && !identity.includes(name),
  );
}

/** How sentences name a module of this type, such as `traffic policy`. */
export const nounOf = (type: ModuleType): string => moduleKind(type).name.replace(/ module$/, '');

export const parentOf = (type: ModuleType): ModuleParent => moduleKind(type).parent;

/** The property that says where a module is, if findings name one. */
export const placeProperty = (type: ModuleType): string => identityFields(type).at(-1) ?? '';

export function readModule(type: ModuleType, origin: Origin, inputs: JsonObject): ModuleDeclaration {
  const ids = allKnown(identityFields(type).map((name) => readKnown(inputs[name], asString)));
  const fields = contentFields(type).map(([name, field]) => ({
    ...{ name, field, value: inputs[name] ?? field.defaultValue },
    isList: field.type.output.type === 'array',
  }));
  const toggle = fields.find(({ name }) => name === SWITCH);
  const others = fields.filter((field) => field !== toggle);
  return {
    type,
    origin,
    subject: ids.isKnown ? known(ids.value.join('/')) : ids,
    isEnabled: readKnown(toggle?.value, asBoolean),
    values: Object.fromEntries(
      others.filter(({ isList }) => !isList).map(({ name, field, value }) => [name, readValue(field, value)]),
    ),
    lists: Object.fromEntries(
      others.filter(({ isList }) => isList).map(({ name, value }) => [name, readList(value)]),
    ),
  };
}

function readValue(field: AnyField, value: unknown): Known<string | boolean> {
  const plain = typeof value === 'object' && value !== null ? field.parse(value).value : value;
  return readKnown(plain, (given) => {
    if (typeof given !== field.type.output.type) return undefined;
    const sent = field.toWire?.(given) ?? given;
    return typeof sent === 'string' ? sent : asBoolean(sent);
  });
}

const readList = (value: unknown): Known<readonly Known<string>[]> =>
  readKnown(value, (given) =>
    Array.isArray(given) ? given.map((entry: unknown) => readKnown(entry, asString)) : undefined,
  );

const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const modulesByType = (modules: readonly ModuleDeclaration[]): Snapshot['modules'] =>
  Object.fromEntries(
    MODULE_TYPES.map((type) => [
      type,
      bySubject(
        modules.filter((module) => module.type === type),
        ({ subject }) => subject,
      ),
    ]),
  ) as Snapshot['modules'];

export const typesAt = (parent: ModuleParent): ModuleType[] =>
  MODULE_TYPES.filter((type) => parentOf(type) === parent);

export const allModules = ({ modules }: Snapshot): ModuleDeclaration[] =>
  MODULE_TYPES.flatMap((type) => modules[type].all);

/** The change with only the modules of this type whose place is hidden, each as if at a place of its own. */
export function atOwnPlaces<Stack extends Readonly<Record<'before' | 'after', Snapshot>>>(
  stack: Stack,
  type: ModuleType,
): Stack {
  const placeOf = ownPlaces(
    [stack.before, stack.after].flatMap(({ modules }) => modules[type].unplaced),
    MODULE_PARENTS[parentOf(type)].noun,
  );
  const placed = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    modules: modulesByType(
      snapshot.modules[type].unplaced.map((module) => ({ ...module, subject: placeOf(module.origin) })),
    ),
  });
  return { ...stack, before: placed(stack.before), after: placed(stack.after) };
}

export const declaredValues = (module: ModuleDeclaration): [property: string, value: Known<unknown>][] => [
  [placeProperty(module.type), module.subject],
  [SWITCH, module.isEnabled],
  ...Object.entries(module.values),
  ...Object.entries(module.lists).flatMap(([name, list]): [string, Known<unknown>][] => [
    [name, list],
    ...(valueOf(list) ?? []).map((entry, index): [string, Known<unknown>] => [`${name}[${index}]`, entry]),
  ]),
];

/** Whether a create of a module finds other content at its place, and some that would be lost; false if a value is hidden. */
export function findsOther(wanted: ModuleDeclaration, live: ModuleDeclaration): boolean {
  if ([wanted, live].flatMap(declaredValues).some(([, value]) => !value.isKnown)) return false;
  const kind = moduleKind(live.type);
  const content = contentOf(live);
  return !kind.isEmpty(content) && changedFields(kind.fields, content, contentOf(wanted)).length > 0;
}

const contentOf = ({ isEnabled, values, lists }: ModuleDeclaration): object => ({
  [SWITCH]: valueOf(isEnabled),
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value)])),
  ...Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, valueOf(list)?.map((entry) => valueOf(entry))]),
  ),
});
