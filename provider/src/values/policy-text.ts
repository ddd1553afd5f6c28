// A traffic policy crosses the engine as indented JSON. The CLI prints all of it, which a new policy needs. A first line that
// makes the text invalid as JSON leads the CLI to print only changed lines, with two around each (`Field.inLines`).
import { type JsonParse, type JsonValue, parseJson } from './json';
import { printableInState } from './printable';

/** No JSON and no YAML begins with an `@`, whatever follows. */
const FIRST_LINE = '@policy\n';

/** A policy in lines. A text that is no JSON, or that readers may understand differently, is returned unchanged. */
export function policyLines(text: string): string {
  const parsed = parsePolicy(text);
  return parsed.ok ? `${FIRST_LINE}${printableInState(parsed.value, '  ')}\n` : text;
}

/** A policy that the CLI prints in full; in lines if it would leave out a part. */
export function policyInFull(text: string): string {
  const parsed = parsePolicy(text);
  const lines = policyLines(text);
  return parsed.ok && isPrintedWhole(parsed.value) ? lines.slice(FIRST_LINE.length) : lines;
}

/** The JSON of a policy, without blanks; any other text is returned as it is. */
export function policyJson(text: string): string {
  const parsed = parsePolicy(text);
  return parsed.ok ? JSON.stringify(parsed.value) : text;
}

const parsePolicy = (text: string): JsonParse =>
  parseJson(text.startsWith(FIRST_LINE) ? text.slice(FIRST_LINE.length) : text);

/**
 * Whether the CLI prints every member of a value. It hides members whose names begin with `__`, even with `--show-full-output`.
 * It does so also in a text that it can read as a document, where escapes and tags can spell such a name.
 */
const isPrintedWhole = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? !/^\s*[[{]|[\n\r]/.test(value) || !/__|[\\!]/.test(value)
    : value === null ||
      Object.entries(value).every(
        ([key, member]) => !key.startsWith('__') && isPrintedWhole(member as JsonValue),
      );
