import { Refusal } from '../answer';
import type { Call, Service } from '../endpoint';
import type { ParentKind } from '../identifiers';
import type { Switches } from '../switches';

export type Fields = Readonly<Record<string, unknown>>;

export function invalid(message: string): Refusal {
  return new Refusal(400, 'ERR_INVALID_REQUEST', message);
}

/** The body as an object with known fields only; unknown ones are refused or dropped, as the switch says. */
export function readFields(call: Call, known: readonly string[]): Fields {
  const { body } = call;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object.');
  }
  const entries = Object.entries(body);
  const unknown = entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined && call.service.switches.unknownInput === '400') {
    throw invalid(`The body has an unknown field: ${JSON.stringify(unknown[0])}.`);
  }
  // By way of a Map, as `__proto__` in a body must stay an ordinary name.
  const fields = new Map<string, unknown>(entries);
  return Object.fromEntries(known.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}

/** A string with a limit in bytes of UTF-8; undefined if absent. */
export function readText(fields: Fields, name: string, maximumBytes = Infinity): string | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`The field ${name} must be a string.`);
  if (Buffer.byteLength(value) > maximumBytes) {
    throw invalid(`The field ${name} must be at most ${maximumBytes} bytes long.`);
  }
  return value;
}

export function requireText(fields: Fields, name: string): string {
  const value = readText(fields, name);
  if (value === undefined) throw invalid(`The field ${name} is required.`);
  return value;
}

function readBoolean(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalid(`The field ${name} must be true or false.`);
}

export function readTexts(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw invalid(`The field ${name} must be an array of strings.`);
}

/** Undocumented fields that an answer also carries in the position `some` of the switch. */
export function extraFields(service: Service): Fields {
  return service.switches.extraFields === 'some' ? { labels: { team: 'edge' }, revision: 7 } : {};
}

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

export const enabledField: ModuleField<boolean> = { empty: true, read: readBoolean };

export const parametersOf = ({ path }: Pick<ModuleKind, 'path'>): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
