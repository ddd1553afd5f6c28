import type { DirectAnswer } from '../../../emulator/src/index';
import type { Reply } from '../../../provider/src/api/transport';
import type { Sent } from '../network/network';
import { Broken } from '../../support/invariants';

/** A rule that appeared when nobody waited for its create any more. */
interface LateRule {
  readonly id: string;
  readonly create: string;
  readonly isListedFromMs: number;
}

/**
 * I2, as far as a client can know: if a create is sent once more, and the rule of the first one is in the list by the time of
 * the answer, the run names that rule.
 */
export class TwinWatch {
  private readonly lateSends = new Set<number>();
  private readonly lateRules = new Map<string, LateRule>();
  private readonly creators = new Map<string, number>();
  /** What each request has made. */
  private readonly made = new Map<number, string>();
  private readonly doubled = new Set<string>();
  /** The twins that a process could see. */
  private readonly visible = new Map<number, Set<string>>();
  /** Processes that could not read the list at some time. */
  private readonly blind = new Set<number>();

  constructor(
    private readonly nowMs: () => number,
    private readonly listLagMs: number,
  ) {}

  /** Whether nobody waited for the create of a rule any more when it appeared. */
  isLate(id: string): boolean {
    return this.lateRules.has(id);
  }

  /** The process that sent the create of a rule. */
  creatorOf(id: string): number | undefined {
    return this.creators.get(id);
  }

  onLate({ number }: Sent): void {
    this.lateSends.add(number);
  }

  /** Whether the create of a rule was carried out once more, and refused then. */
  isDoubled(id: string): boolean {
    return this.doubled.has(id);
  }

  onEffect(sent: Sent, { status, text }: DirectAnswer): void {
    if (sent.method !== 'POST') return;
    if (status !== 201) {
      const made = this.made.get(sent.number);
      if (made !== undefined) this.doubled.add(made);
      return;
    }
    const id = idIn(JSON.parse(text));
    this.made.set(sent.number, id);
    this.creators.set(id, sent.process);
    if (!this.lateSends.has(sent.number)) return;
    this.lateRules.set(id, { id, create: createOf(sent), isListedFromMs: this.nowMs() + this.listLagMs });
  }

  onReply(sent: Sent, reply: Reply): void {
    const isAnswered = reply.kind === 'answer' && reply.status < 300 && reply.body.kind === 'json';
    if (sent.method === 'GET' && !isAnswered) this.blind.add(sent.process);
    if (sent.method !== 'POST' || !isAnswered) return;
    for (const { id, create, isListedFromMs } of this.lateRules.values()) {
      if (create !== createOf(sent) || isListedFromMs > this.nowMs()) continue;
      const seen = this.visible.get(sent.process) ?? new Set();
      this.visible.set(sent.process, seen.add(id));
    }
  }

  /** Throws if a run has not named a twin that it could see. @param unmanaged The live objects that are in no state. */
  judge(process: number, said: readonly string[], unmanaged: ReadonlySet<string>): void {
    if (this.blind.has(process)) return;
    for (const id of this.visible.get(process) ?? []) {
      if (unmanaged.has(id) && !said.some((text) => text.includes(id)))
        throw new Broken('I2', `${id} is a twin in the list, and the run has not named it`);
    }
  }
}

/** Creates of one process with the same content. */
const createOf = ({ process, body }: Sent): string => `${process} ${JSON.stringify(body)}`;

const idIn = (rule: unknown): string =>
  typeof rule === 'object' && rule !== null ? String(Reflect.get(rule, 'id')) : '';
