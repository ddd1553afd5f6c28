import { fieldsOf, type Properties } from 'pulumi-edge-policy/internal/fields/field';
import {
  identityOf,
  type ModuleKind,
  moduleIdOf,
  moduleState,
  moduleSummary,
  parentName,
} from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { type Adoptable, type LiveModule, type NotAdoptable, resourceInState } from './adoption';
import { shortId } from './names';

/** A live module as a resource. */
export function adoptModule({ type, live }: LiveModule): Adoptable | NotAdoptable {
  const kind = moduleKind(type);
  const id = moduleIdOf(kind, live) ?? '';
  const summary = moduleSummary(kind, live);
  const inState = resourceInState(kind.fields, moduleState(kind, live));
  if ('reason' in inState) return { id, summary, reason: inState.reason };
  return {
    type,
    id,
    wantedName: `${kind.importOption.replace(/^--/, '')}-${shortId(id.split('/').at(-1) ?? id)}`,
    comment: `${capital(kind.name.replace(/ module$/, ''))} of ${parentName(kind)} ${id}`,
    summary,
    liveIds: [liveKey(type, id)],
    args: argsOf(kind, live),
    ...inState,
  };
}

/** The arguments that a program has to give: the ids, and every field that differs from its default. */
function argsOf(kind: ModuleKind, live: object): Properties {
  const identity = identityOf(kind);
  const values = { ...live, ...kind.inProgram?.(live) } as Properties;
  const said = fieldsOf(kind.fields).filter(
    ([name, { wire, defaultValue }]) =>
      identity.includes(name) || (wire !== undefined && !isDefault(defaultValue, values[name])),
  );
  return Object.fromEntries(said.map(([name]) => [name, values[name]]));
}

const isDefault = (defaultValue: unknown, value: unknown): boolean =>
  defaultValue !== undefined && JSON.stringify(defaultValue) === JSON.stringify(value);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
