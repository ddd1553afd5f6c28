import type { DirectAnswer } from '../../../emulator/src/index';
import type { Reply } from '../../../provider/src/api/transport';
import type { FaultKind } from './faults';

/** One attempt of one request. */
export interface Sent {
  readonly number: number;
  /** The plugin process that sends it. */
  readonly process: number;
  readonly method: string;
  readonly target: string;
  readonly body?: object | undefined;
}

/** Observes what happens on the way. */
export interface Observer {
  onSend(sent: Sent, fault: FaultKind | undefined): void;
  onEffect(sent: Sent, answer: DirectAnswer): void;
  onReply(sent: Sent, reply: Reply): void;
  /** The effect of a request comes only now, long after its answer was given up. */
  onLate(sent: Sent): void;
}
