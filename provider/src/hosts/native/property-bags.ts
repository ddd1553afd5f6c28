// Property bags as the engine sends them, and as lifecycles know them: plain values in which the text UNKNOWN marks an unknown
// one.
import { Struct, type Value } from 'google-protobuf/google/protobuf/struct_pb';
import { type Properties, withoutAbsent } from '../../fields/field';
import { SECRET_IN_STATE } from '../../rule-set/set-state';
import { UNKNOWN } from '../../values/unknowns';

/** The engine marks an unknown value by its type: text, true or false, number, list, asset, archive, object. */
const UNKNOWNS = new Set([
  UNKNOWN,
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
]);

/** A marker: an object with this key has a special meaning, which the key's value names. */
const SIGNATURE = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const OUTPUT = 'd0e6a833031e9bbcd3f4e8bde6ca49a4';

type NoteSecret = (value: unknown) => void;

/** A bag in plain values, without those that are null. */
export function plainProperties(
  struct: Struct | undefined,
  note: NoteSecret = noNote,
): Record<string, unknown> {
  const given = Object.entries(struct?.toJavaScript() ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, plain(value, SECRET_IN_STATE.includes(name) ? noNote : note)]),
  );
}

const noNote: NoteSecret = () => undefined;

function plain(value: unknown, note: NoteSecret): unknown {
  if (typeof value === 'string') return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map((inner) => plain(inner, note));
  if (typeof value !== 'object' || value === null) return value;
  const bag = value as Properties;
  if (bag[SIGNATURE] === SECRET) {
    const hidden = plain(bag['value'], noNote);
    note(hidden);
    return hidden;
  }
  if (bag[SIGNATURE] === OUTPUT) return 'value' in bag ? plain(bag['value'], note) : UNKNOWN;
  return Object.fromEntries(Object.entries(bag).map(([name, inner]) => [name, plain(inner, note)]));
}

export function secretNames(struct: Struct | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  struct?.getFieldsMap().forEach((value, name) => {
    if (holdsSecret(value)) names.add(name);
  });
  return names;
}

function holdsSecret(value: Value): boolean {
  const list = value.getListValue();
  if (list !== undefined) return list.getValuesList().some(holdsSecret);
  const fields = value.getStructValue()?.getFieldsMap();
  if (fields === undefined) return false;
  return (
    fields.get(SIGNATURE)?.getStringValue() === SECRET ||
    [...fields.entries()].some(([, inner]) => holdsSecret(inner))
  );
}

/** A bag for the engine, which refuses absent values. */
export const toStruct = (properties: object, secrets: ReadonlySet<string>): Struct =>
  Struct.fromJavaScript({ ...withSecrets(withoutAbsent({ ...properties }), secrets) });

const withSecrets = (bag: object, names: ReadonlySet<string>): object =>
  Object.fromEntries(
    Object.entries(bag).map(([name, value]: [string, unknown]) => [
      name,
      names.has(name) ? secret(value) : value,
    ]),
  );

const secret = (value: unknown): object => ({ [SIGNATURE]: SECRET, value });
