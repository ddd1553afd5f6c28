// A traffic policy crosses the engine as indented JSON below a first line that makes it invalid as JSON. The CLI prints a changed
// text line by line, unless it can read it as JSON or YAML: then it prints all of it.
import { parseJson } from './json-text';
import { writeJson } from './json-writer';
import { printableString } from './printable';

/** No JSON and no YAML begins with an `@`, whatever follows. */
const FIRST_LINE = '@policy\n';

/** A policy in lines. A text that is no JSON is returned as it is. */
export function policyLines(text: string): string {
  const parsed = parseJson(policyJson(text));
  return parsed.ok
    ? `${FIRST_LINE}${writeJson(parsed.node, { indentation: '  ', string: printableString })}\n`
    : text;
}

/** The JSON of a policy in lines, without blanks; any other text is returned as it is. */
export const policyJson = (text: string): string =>
  text.startsWith(FIRST_LINE) ? (quicklyCompact(text) ?? carefullyCompact(text)) : text;

/** Nearly every policy is written as `JSON.stringify` would write it, and then `JSON.parse` may read it, too. */
function quicklyCompact(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(FIRST_LINE.length));
    // eslint-disable-next-line no-restricted-syntax -- compared with the text, and never printed
    const isTheSame = `${FIRST_LINE}${JSON.stringify(value, undefined, 2)}\n` === text;
    return isTheSame ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

function carefullyCompact(text: string): string {
  const parsed = parseJson(text.slice(FIRST_LINE.length));
  return parsed.ok ? writeJson(parsed.node) : text;
}
