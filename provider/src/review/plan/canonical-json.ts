import type { JsonNode } from '../../values/json-text';
import { parseJson } from '../../values/json-text';
import { tryParseJson } from '../preview/json-reading';
import { canonicalJson as withSortedKeys } from '../traffic-policy/traffic-rules';

/** A JSON text without spaces and with sorted keys; a text that is none, or is nested too deep, stays as it is. */
export function canonicalJson(text: string): string {
  const quick = tryParseJson(text);
  // Written back as it was, it has no key twice and no number of which the digits would be lost.
  if (quick && JSON.stringify(quick.value) === text) return withSortedKeys(quick.value);
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
