import { types } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';

/**
 * Plain data as bytes for another process. Networks have a prototype, which would be lost on the way: they travel as text objects,
 * of which there are no others.
 *
 * @throws Error for any other object with a prototype.
 */
export const pack = (data: unknown): Buffer => serialize(withParts(data, textOfNetwork));

/** The data that {@link pack} packed. */
export const unpack = (bytes: Buffer): unknown => withParts(deserialize(bytes), networkOfText);

type Convert = (value: object) => object;

function textOfNetwork(value: object): object {
  if ('prefixLength' in value && 'text' in value) return new String(value.text);
  throw new Error('Only plain data can be judged in another process.');
}

function networkOfText(value: object): object {
  const parsed = types.isStringObject(value) ? parseCidr(value.valueOf()) : undefined;
  if (!parsed?.ok) throw new Error('Only networks arrive as text objects.');
  return parsed.cidr;
}

/** A copy, with objects that have a prototype converted. */
function withParts(value: unknown, convert: Convert): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (part: unknown) => withParts(part, convert);
  if (Array.isArray(value)) return value.map(copy);
  if (types.isMap(value)) return new Map([...value].map(([key, part]) => [copy(key), copy(part)]));
  if (types.isSet(value)) return new Set([...value].map(copy));
  if (!isPlain(value)) return convert(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
