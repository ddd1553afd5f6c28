import { type Answer, bodyText, contentType } from '../answer';
import type { Service } from '../endpoint';
import { randomIdentifier } from '../identifiers';
import { ruleToWire } from '../routes/ip-policy-rule-wire';
import type { AccountStore } from '../store/world';
import type { Json, MutateFault } from './fault';

/** The answer, with its body changed by the fault. */
export function mutateAnswer(answer: Answer, fault: MutateFault): Answer {
  const status = fault.status ?? answer.status;
  const headers = answer.headers ?? {};
  if (fault.rawBody !== undefined) {
    const raw = { text: fault.rawBody, contentType: fault.contentType ?? 'application/json' };
    return { status, headers, raw };
  }
  let body: Json = answer.raw === undefined ? structuredClone(answer.body) : answer.raw.text;
  for (const path of fault.remove ?? []) removeAt(body, pathSegments(path));
  for (const [path, value] of Object.entries(fault.set ?? {})) body = setAt(body, pathSegments(path), value);
  if (fault.mutate !== undefined) body = fault.mutate(body);
  const changed: Answer = { status, headers, body };
  if (fault.contentType === undefined) return changed;
  return { status, headers, raw: { text: bodyText(changed), contentType: fault.contentType } };
}

/** A header so long that clients refuse to read it. */
export function withLongHeader(answer: Answer, sizeBytes: number): Answer {
  const raw = { text: bodyText(answer), contentType: contentType(answer) ?? 'application/json' };
  return { status: answer.status, raw, headers: { ...answer.headers, 'X-Padding': '0'.repeat(sizeBytes) } };
}

function pathSegments(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) return path.split('.');
  const segments = path.slice(1).split('/');
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

/** The answer about another rule, or a module with other content than the requested one. */
export function answerOfOtherObject(answer: Answer, service: Service, account: AccountStore): Answer {
  const { body } = answer;
  if (typeof body !== 'object' || body === null) return answer;
  if ('id' in body) return { ...answer, body: otherRule(body, service, account) };
  if ('value' in body) return { ...answer, body: { enabled: false, value: '{"inbound":[]}' } };
  if ('allow' in body) return { ...answer, body: { enabled: false, allow: ['^other$'], deny: [] } };
  return answer;
}

function otherRule(body: object & { id: unknown }, service: Service, account: AccountStore): object {
  for (const rule of account.rules.all()) {
    if (rule.id !== body.id) return ruleToWire(service, rule);
  }
  const id = randomIdentifier('ipr');
  return { ...body, id, uri: `${service.url}/ip_policy_rules/${id}` };
}
