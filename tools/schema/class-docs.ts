import { type AnyField, fieldsOf } from '../../provider/src/fields/field';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { registry } from '../../provider/src/resources/registry';
import { type Docs, docsOf } from './docstrings';
import { kebabCase } from './example';

/** The file of a resource's class and arguments. */
export const classFile = (type: ResourceType): string => `program/${kebabCase(type)}.ts`;

export const argumentDocs = (type: ResourceType): Docs => docsOf(classFile(type), `${type}Args`);

/** The docstring of a property, by its name. */
export function saidOf(type: ResourceType): (name: string) => string {
  const [docs, args] = [docsOf(classFile(type), type), argumentDocs(type)];
  return (name) => docs.members.get(name) ?? args.members.get(name) ?? '';
}

/** The fields that programs read. */
export const shownFields = (type: ResourceType): [name: string, field: AnyField][] =>
  fieldsOf(registry[type].shape().fields).filter(([, { onChange }]) => onChange !== 'settings-only');
