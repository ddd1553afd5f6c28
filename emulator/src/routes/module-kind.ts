import type { ParentKind } from '../identifiers';
import type { Switches } from '../switches';
import { type Fields, readBoolean } from './fields';

/** One field of a module, as the document has it. */
export interface ModuleField<Value> {
  /** What a PUT without the field sets, unless the field is required, and what a module without content shows. */
  readonly empty: Value;
  readonly isRequired?: true;
  /** The value that a PUT sends; undefined if it sends none. Throws a Refusal. */
  readonly read: (fields: Fields, name: string, switches: Readonly<Switches>) => Value | undefined;
  /** The value in answers; by default as stored. */
  readonly show?: (value: Value, switches: Readonly<Switches>) => unknown;
}

/** All facts about a kind of module: endpoints, store, seed and control plane are made from it. */
export interface ModuleKind<Module extends object = Record<string, unknown>> {
  /** Its name in refusals. */
  readonly name: string;
  /** Its parameters identify the parent. */
  readonly path: string;
  readonly parent: ParentKind;
  readonly fields: { readonly [Name in keyof Module]-?: ModuleField<Module[Name]> };
}

/** The switch that every module has. */
export const enabledField: ModuleField<boolean> = {
  empty: true,
  read: readBoolean,
};

/** The names of the parameters in the path of a module. */
export const parametersOf = ({ path }: Pick<ModuleKind, 'path'>): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
