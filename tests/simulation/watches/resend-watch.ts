import type { Reply } from '../../../provider/src/api/transport';
import type { Sent } from '../network/network';
import { Broken } from '../../support/invariants';

/** The creates of one process. */
interface Doubts {
  /** Creates with an ambiguous answer, and when it came. */
  readonly open: Map<string, number>;
  /** When the first page of the current pass over the list was requested. */
  listedSince: number;
}

/** I14: a create whose outcome is open is not sent again before the list was read from its first page to its last. */
export class ResendWatch {
  private readonly doubts = new Map<number, Doubts>();

  onSend({ process, method, target, body, number }: Sent): Broken | undefined {
    const doubts = this.of(process);
    if (method === 'GET' && target === '/ip_policy_rules') doubts.listedSince = number;
    const key = JSON.stringify(body);
    if (method !== 'POST' || !doubts.open.has(key)) return undefined;
    return new Broken('I14', `request ${number} repeats ${key}`);
  }

  onReply({ process, method, target, body, number }: Sent, reply: Reply): void {
    const doubts = this.of(process);
    if (method === 'POST' && isAmbiguous(reply)) doubts.open.set(JSON.stringify(body), number);
    if (method !== 'GET' || !target.startsWith('/ip_policy_rules') || !isLastPage(reply)) return;
    for (const [key, since] of doubts.open) if (since < doubts.listedSince) doubts.open.delete(key);
  }

  private of(process: number): Doubts {
    const doubts = this.doubts.get(process) ?? { open: new Map<string, number>(), listedSince: 0 };
    this.doubts.set(process, doubts);
    return doubts;
  }
}

function isAmbiguous(reply: Reply): boolean {
  if (reply.kind === 'no-response') return reply.wasSent;
  const { status, body } = reply;
  if (status === 429) return false;
  return status >= 500 || body.kind !== 'json';
}

const isLastPage = (reply: Reply): boolean =>
  reply.kind === 'answer' &&
  reply.status === 200 &&
  reply.body.kind === 'json' &&
  typeof reply.body.value === 'object' &&
  reply.body.value !== null &&
  Reflect.get(reply.body.value, 'next_page_uri') === null;
