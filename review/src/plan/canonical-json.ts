import { parseJson } from 'pulumi-edge-policy/internal/values/json-text';
import { writeJson } from 'pulumi-edge-policy/internal/values/json-writer';

/** A JSON text without spaces and with sorted keys; a text that is no JSON, or is nested too deep, is returned as it is. */
export function canonicalJson(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? writeJson(parsed.node, { hasSortedKeys: true }) : text;
}
