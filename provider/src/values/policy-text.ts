// A traffic policy crosses the engine as indented JSON below a first line that makes it invalid as JSON. The CLI prints a changed
// text line by line, unless it can read it as JSON or YAML: then it prints all of it.
import { parseJson } from './json';
import { printableInState } from './printable';

/** No JSON and no YAML begins with an `@`, whatever follows. */
const FIRST_LINE = '@policy\n';

/** A policy in lines. A text that is no JSON, or that readers may understand differently, is returned as it is. */
export function policyLines(text: string): string {
  const parsed = parseJson(policyJson(text));
  return parsed.ok ? `${FIRST_LINE}${printableInState(parsed.value, '  ')}\n` : text;
}

/** The JSON of a policy in lines, without blanks; any other text is returned as it is. */
export function policyJson(text: string): string {
  if (!text.startsWith(FIRST_LINE)) return text;
  const parsed = parseJson(text.slice(FIRST_LINE.length));
  return parsed.ok ? JSON.stringify(parsed.value) : text;
}
