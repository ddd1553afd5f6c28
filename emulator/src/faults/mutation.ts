import type { Answer } from '../answer';
import type { Json, MutateFault } from './fault';

/** The answer, changed by the fault. */
export function mutateAnswer(answer: Answer, fault: MutateFault): Answer {
  let body: Json = answer.raw === undefined ? structuredClone(answer.body) : answer.raw.text;
  for (const path of fault.remove ?? []) removeAt(body, pathSegments(path));
  for (const [path, value] of Object.entries(fault.set ?? {})) body = setAt(body, pathSegments(path), value);
  if (fault.mutate !== undefined) body = fault.mutate(body);
  return { status: fault.status ?? answer.status, headers: { ...answer.headers, ...fault.headers }, body };
}

function pathSegments(path: string): string[] {
  const [, ...segments] = path.split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function setAt(body: Json, segments: readonly string[], value: Json): Json {
  const last = segments.at(-1);
  if (last === undefined) return value;
  const parent = resolve(body, segments.slice(0, -1));
  // An assignment to `__proto__` would set the prototype instead of a property.
  if (parent !== undefined) {
    Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return body;
}

function removeAt(body: Json, segments: readonly string[]): void {
  const parent = resolve(body, segments.slice(0, -1));
  if (parent !== undefined) Reflect.deleteProperty(parent, segments.at(-1) ?? '');
}

function resolve(body: Json, segments: readonly string[]): object | undefined {
  let current: Json = body;
  for (const segment of segments) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<string, Json>)[segment];
  }
  return typeof current === 'object' && current !== null ? current : undefined;
}
