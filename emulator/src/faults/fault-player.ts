import type { FastifyReply } from 'fastify';
import { errorAnswer, Refusal, type Answer } from '../answer';
import type { ReplacingFault, SpoilingFault, StatusFault, Json, MutateFault } from './fault';
import * as raw from './raw-answers';

export interface Scene {
  readonly reply: FastifyReply;
  readonly sentBody: string;
}

/** Answers in place of the service; returns the status sent, if any. */
export function playReplacing(fault: ReplacingFault, scene: Scene): number | undefined {
  scene.reply.hijack();
  const response = scene.reply.raw;
  if (fault.kind === 'status') return send(scene, statusAnswer(fault, scene.sentBody));
  if (fault.kind === 'reset') raw.reset(response);
  if (fault.kind === 'close') response.socket?.end();
  return undefined;
}

/** Sends a spoiled form of the service's answer; returns the status sent. */
export function playSpoiling(fault: SpoilingFault, answer: Answer, scene: Scene): number {
  scene.reply.hijack();
  const response = scene.reply.raw;
  if (fault.kind === 'mutate') return send(scene, mutateAnswer(answer, fault));
  if (fault.kind === 'cut') raw.sendCut(response, answer, fault);
  else if (fault.kind === 'drip') raw.sendDrip(response, answer, fault);
  else raw.sendHuge(response, answer, fault);
  return answer.status;
}

function send(scene: Scene, answer: Answer): number {
  raw.sendAnswer(scene.reply.raw, answer);
  return answer.status;
}

function statusAnswer(fault: StatusFault, sentBody: string): Answer {
  const { status, headers = {} } = fault;
  if (fault.rawBody !== undefined) {
    const raw = { text: fault.rawBody, contentType: fault.contentType ?? 'text/html' };
    return { status, headers, raw };
  }
  if (fault.body === undefined && status < 400) return { status, headers };
  const body = fault.body === undefined ? errorBody(fault, sentBody) : fault.body;
  if (fault.contentType === undefined) return { status, headers, body };
  return { status, headers, raw: { text: JSON.stringify(body), contentType: fault.contentType } };
}

function errorBody(fault: StatusFault, sentBody: string): unknown {
  const message = fault.echo === true ? `Refused: ${sentBody}` : `Error ${fault.status}.`;
  return errorAnswer(new Refusal(fault.status, `ERR_FAULT_${fault.status}`, message), 'json').body;
}

function mutateAnswer(answer: Answer, fault: MutateFault): Answer {
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
