import { readFileSync } from 'node:fs';
import type { PolicyConfigSchema } from '@pulumi/policy';

/** The content of an assertion file: `schemas/assertions-1.json` of `pulumi-edge-policy-review` describes it. */
export type Assertions = Readonly<Record<string, unknown>>;

const { properties, $defs } = JSON.parse(
  readFileSync(require.resolve('pulumi-edge-policy-review/schemas/assertions-1.json'), 'utf8'),
) as { readonly properties: object; readonly $defs: Readonly<Record<string, unknown>> };

/** The schema with its definitions inlined, as the settings of a policy cannot contain any. */
function inPlace(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inPlace);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return inPlace($defs[String(schema.$ref).split('/').at(-1) ?? '']);
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, inPlace(part)]));
}

export const ASSERTION_SETTINGS = inPlace(properties) as PolicyConfigSchema['properties'];
