import type { RequestTarget } from './fault';
import { RequestMatcher } from './request-matcher';

export interface HoldTarget extends RequestTarget {
  /** Whether the request waits before the service does its work, or between the work and the answer. */
  readonly when: 'before' | 'after';
}

/** A barrier: every matching request waits at it until it is released. */
export interface HoldHandle {
  readonly number: number;
  /** Resolves when the first request waits at the barrier. */
  readonly reached: Promise<void>;
  /** How many requests wait there now. */
  readonly waiting: number;
  /** Lets the waiting requests go on, and removes the barrier. */
  release(): void;
  /** Cuts the waiting requests off, without their effect if they are held before it, and removes the barrier. */
  drop(): void;
}

/** Thrown at a barrier that drops its requests. */
export class DroppedRequest extends Error {}

class Barrier implements HoldHandle {
  readonly reached: Promise<void>;
  private readonly matcher: RequestMatcher;
  private readonly parked = new Set<{ go: () => void; drop: (error: Error) => void }>();
  private markReached: () => void = () => undefined;

  constructor(
    readonly number: number,
    readonly target: HoldTarget,
    private readonly onEnd: (barrier: Barrier) => void,
  ) {
    this.matcher = new RequestMatcher(target, 'always');
    this.reached = new Promise((resolve) => {
      this.markReached = resolve;
    });
  }

  get waiting(): number {
    return this.parked.size;
  }

  isHit(method: string, path: string): boolean {
    return this.matcher.isHit(method, path);
  }

  park(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parked.add({ go: resolve, drop: reject });
      this.markReached();
    });
  }

  release(): void {
    this.onEnd(this);
    for (const request of this.parked) request.go();
    this.parked.clear();
  }

  drop(): void {
    this.onEnd(this);
    for (const request of this.parked) request.drop(new DroppedRequest());
    this.parked.clear();
  }
}

/** The barriers that exist. */
export class Barriers {
  private readonly standing = new Map<number, Barrier>();
  private lastNumber = 0;

  add(target: HoldTarget): HoldHandle {
    const barrier = new Barrier(++this.lastNumber, target, (ended) => this.standing.delete(ended.number));
    this.standing.set(barrier.number, barrier);
    return barrier;
  }

  /** The barriers that a request will meet; called once per request, as barriers count requests. */
  metBy(method: string, path: string): MetBarriers {
    const hit = [...this.standing.values()].filter((barrier) => barrier.isHit(method, path));
    return {
      before: hit.filter((barrier) => barrier.target.when === 'before'),
      after: hit.filter((barrier) => barrier.target.when === 'after'),
    };
  }

  async wait(barriers: readonly HoldHandle[]): Promise<void> {
    for (const barrier of barriers) await this.standing.get(barrier.number)?.park();
  }

  dropAll(): void {
    for (const barrier of [...this.standing.values()]) barrier.drop();
  }
}

export interface MetBarriers {
  readonly before: readonly HoldHandle[];
  readonly after: readonly HoldHandle[];
}
