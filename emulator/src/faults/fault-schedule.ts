import { type Fault, requireFault } from './fault';
import { RequestMatcher } from './request-matcher';

/** A fault that has been set. */
export interface FaultHandle {
  readonly fault: Fault;
  /** How many requests it has hit. */
  readonly hits: number;
  remove(): void;
}

interface ScheduledFault extends FaultHandle {
  hits: number;
  readonly matcher: RequestMatcher;
}

/** The faults that are set. */
export class FaultSchedule {
  private scheduled: ScheduledFault[] = [];

  get all(): readonly FaultHandle[] {
    return this.scheduled;
  }

  add(fault: Fault): FaultHandle {
    requireFault(fault);
    const entry: ScheduledFault = {
      fault,
      hits: 0,
      matcher: new RequestMatcher(fault, fault.times ?? 1),
      remove: () => {
        this.scheduled = this.scheduled.filter((other) => other !== entry);
      },
    };
    this.scheduled.push(entry);
    return entry;
  }

  /** The fault for this request: the first one set wins, but every fault counts the request. */
  nextFor(method: string, path: string): Fault | undefined {
    let hit: ScheduledFault | undefined;
    for (const entry of this.scheduled) {
      if (entry.matcher.isHit(method, path)) hit ??= entry;
    }
    if (hit !== undefined) hit.hits += 1;
    return hit?.fault;
  }

  clear(): void {
    this.scheduled = [];
  }
}
