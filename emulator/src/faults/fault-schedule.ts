import { type Fault, requireFault, type RequestTarget } from './fault';

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

/** Decides for each request whether the target matches it, and counts the matches. */
export class RequestMatcher {
  private matched = 0;
  private readonly first: number;
  private readonly last: number;
  private readonly pattern: RegExp | undefined;

  constructor(
    private readonly target: RequestTarget,
    times: number | 'always',
  ) {
    this.first = target.nth ?? 1;
    this.last = times === 'always' ? Infinity : this.first + times - 1;
    this.pattern = pathPattern(target.path);
  }

  /** To be called once per request, as it counts. */
  isHit(method: string, path: string): boolean {
    if (this.target.method !== undefined && this.target.method.toUpperCase() !== method) return false;
    if (this.pattern !== undefined && !this.pattern.test(path)) return false;
    this.matched += 1;
    return this.matched >= this.first && this.matched <= this.last;
  }
}

function pathPattern(path: string | undefined): RegExp | undefined {
  if (path === undefined) return undefined;
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{[^}]*\}/g, '[^/]+')}$`);
}
