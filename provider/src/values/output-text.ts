// The SDK puts a sentence about the mistake in the place of an output that a program uses as a text.
import { echo, type Failure, firstOf } from './failure';
import { parseJson } from './json';

const SENTENCE = /Calling (\[toString\]|\[toJSON\]|__str__) on an \[?Output/;

const REMEDIES: Readonly<Record<string, string>> = {
  '[toString]': 'write pulumi.interpolate`…${output}…` instead of `…${output}…`, or use output.apply',
  '[toJSON]': 'write pulumi.jsonStringify instead of JSON.stringify, or use output.apply',
  __str__: 'write pulumi.Output.format or Output.apply instead of an f-string or str',
};

/** What is wrong with outputs used as texts in a value: one failure for all of them, without the texts, and where they are. */
export function outputsAsText(value: unknown): {
  readonly failures: readonly Failure[];
  readonly paths: readonly string[];
} {
  const [first, ...others] = placesIn(value, '');
  if (first === undefined) return { failures: [], paths: [] };
  const paths = others.map(({ path }) => path);
  const also = paths.length === 0 ? '' : `, and so does ${firstOf(paths, 3)}`;
  const reason = `holds "Calling ${first.method} on an Output …" and not what the output holds${also}: ${REMEDIES[first.method] ?? ''}`;
  const place = first.path === '' ? {} : { path: first.path };
  return { failures: [{ ...place, reason }], paths: [first.path, ...paths] };
}

interface Place {
  readonly path: string;
  readonly method: string;
}

function* placesIn(value: unknown, path: string): Generator<Place> {
  if (typeof value === 'string') {
    const method = SENTENCE.exec(value)?.[1];
    if (method === undefined) return;
    // In JSON, the mistake has a place of its own.
    const json = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    if (json?.ok === true) yield* placesIn(json.value, path);
    else yield { path, method };
  } else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value) as [string, unknown][]) {
      const at = Array.isArray(value) ? `${path}[${key}]` : memberPath(path, key);
      yield* placesIn(key, at);
      yield* placesIn(member, at);
    }
}

function memberPath(path: string, key: string): string {
  if (!/^[a-z_]\w*$/i.test(key)) return `${path}[${echo(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
