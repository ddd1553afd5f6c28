import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { bodyText, contentType, errorAnswer, htmlPage, Refusal, type Answer } from './answer';
import { endpointFor } from './endpoints';
import { isReplacing, type Fault } from './faults/fault';
import { playReplacing, playSpoiling, type Scene } from './faults/fault-player';
import type { FaultSchedule } from './faults/fault-schedule';
import { type Barriers, DroppedRequest } from './faults/barriers';
import type { Journal, JournalEntry } from './journal';
import type { Limits } from './limits';
import { identify, pathOf, perform, type Operations } from './operation';

export interface Machinery extends Operations {
  readonly basePath: string;
  readonly journal: Journal;
  readonly limits: Limits;
  readonly faults: FaultSchedule;
  readonly barriers: Barriers;
}

/** One request: barriers and faults before the effect, the operation, barriers and faults after it. */
export class Exchange {
  /** Undefined outside the base path. */
  private readonly target: string | undefined;
  private readonly path: string;
  private readonly bytes: Buffer | undefined;
  private readonly entry: JournalEntry;

  constructor(
    private readonly machinery: Machinery,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    const { basePath } = machinery;
    this.target = request.url.startsWith(`${basePath}/`) ? request.url.slice(basePath.length) : undefined;
    this.path = pathOf(this.target ?? request.url);
    this.bytes = Buffer.isBuffer(request.body) ? request.body : undefined;
    this.entry = this.openEntry();
  }

  async run(): Promise<void> {
    const { faults, barriers, journal } = this.machinery;
    const { method } = this.request;
    const met = barriers.metBy(method, this.path);
    const fault = faults.nextFor(method, this.path);
    if (fault !== undefined)
      this.entry.fault = fault.kind === 'status' ? `status ${fault.status}` : fault.kind;
    try {
      await barriers.wait(met.before);
      if (fault !== undefined && isReplacing(fault) && fault.when !== 'after') {
        journal.close(this.entry, playReplacing(fault, this.scene()));
        return;
      }
      const answer = await this.serve();
      await barriers.wait(met.after);
      journal.close(this.entry, this.send(answer, fault));
    } catch (error) {
      if (!(error instanceof DroppedRequest)) throw error;
      this.reply.hijack();
      this.reply.raw.socket?.destroy();
      journal.close(this.entry);
    }
  }

  /** The work of the service, from the key to the effect. */
  private async serve(): Promise<Answer> {
    const { limits, service } = this.machinery;
    const { switches } = service;
    const { target, bytes } = this;
    if (target === undefined) return elsewhere;
    try {
      const account = identify(this.machinery, this.request.headers);
      this.entry.account = account;
      this.onClose(limits.enter(account, switches));
      // Requests can only be under way at the same time if each takes a while.
      const latencyMs = Math.max(switches.latencyMs, switches.simultaneousLimit > 0 ? 1 : 0);
      if (latencyMs > 0) await sleep(latencyMs);
      const { headers, method } = this.request;
      return perform(this.machinery, account, { method, target, headers, bytes });
    } catch (error) {
      if (error instanceof Refusal) return errorAnswer(error, switches.errorBody);
      throw error;
    }
  }

  /** Sends the answer, spoiled or replaced if there is a fault; returns the status sent. */
  private send(answer: Answer, fault: Fault | undefined): number | undefined {
    if (fault !== undefined) {
      return isReplacing(fault)
        ? playReplacing(fault, this.scene())
        : playSpoiling(fault, answer, this.scene());
    }
    sendReply(this.reply, answer);
    return answer.status;
  }

  private scene(): Scene {
    return { reply: this.reply, sentBody: this.bytes?.toString('utf8') ?? '' };
  }

  private openEntry(): JournalEntry {
    const { journal } = this.machinery;
    const { method, url, headers } = this.request;
    const operation = `${method} ${endpointFor(method, this.path)?.endpoint.path ?? this.path}`;
    const entry = journal.open({ method, path: this.path, url, headers, operation });
    if (journal.mode === 'full' && this.bytes !== undefined && this.bytes.length > 0) {
      entry.body = readable(this.bytes);
    }
    this.onClose(() => {
      if (entry.endedAt === undefined) journal.close(entry);
    });
    return entry;
  }

  private onClose(listener: () => void): void {
    // A request that waited at a barrier may have lost its connection long ago.
    if (this.reply.raw.closed) listener();
    else this.reply.raw.once('close', listener);
  }
}

export function sendReply(reply: FastifyReply, answer: Answer): void {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  const type = contentType(answer);
  if (type !== undefined) reply.header('content-type', type);
  reply.send(answer.status === 204 ? undefined : bodyText(answer));
}

/** The account of library calls that name none. */
export const DEFAULT_ACCOUNT = 'default';

// Paths outside the base path belong to another server, which does not know our error bodies.
const elsewhere: Answer = { status: 404, raw: { contentType: 'text/html', text: htmlPage(404) } };

function readable(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
