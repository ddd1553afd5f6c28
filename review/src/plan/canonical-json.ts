import type { JsonNode } from 'pulumi-edge-policy/internal/values/json-text';
import { parseJson } from 'pulumi-edge-policy/internal/values/json-text';
import { canonicalJson as withSortedKeys } from '../traffic-policy/traffic-rules';

/**
 * A JSON text without spaces and with sorted keys; a text that is none, or is nested too deep, stays as it is.
 * `value` is what `JSON.stringify` makes the text of, if that is known.
 */
export function canonicalJson(text: string, value?: unknown): string {
  return quickly(text, value) ?? carefully(text);
}

/** Written back as it was, a text has no key twice and no number of which the digits would be lost. */
function quickly(text: string, known: unknown): string | undefined {
  try {
    if (known !== undefined) return withSortedKeys(known);
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? withSortedKeys(value) : undefined;
  } catch {
    return undefined;
  }
}

function carefully(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? write(parsed.node) : text;
}

function write(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members
        .map(({ key, value }) => ({ key, text: `${JSON.stringify(key)}:${write(value)}` }))
        // Of a repeated key the last one counts, so that those keep their order.
        .sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
        .map((member) => member.text)
        .join(',')}}`;
    case 'array':
      return `[${node.items.map(write).join(',')}]`;
    case 'string':
      return JSON.stringify(node.value);
    default:
      return node.text;
  }
}
