import type { RequestTarget } from './fault';
import { RequestMatcher } from './fault-schedule';

export interface HoldTarget extends RequestTarget {
  /** Whether the request waits before the service does its work, or between the work and the answer. */
  readonly when: 'before' | 'after';
}

/** A barrier: every matching request waits at it until it is released. */
export interface HoldHandle {
  /** Resolves when the first request waits at the barrier. */
  readonly reached: Promise<void>;
  readonly waiting: number;
  /** Lets the waiting requests go on, and removes the barrier. */
  release(): void;
  /** Cuts the waiting requests off, without their effect if they are held before it, and removes the barrier. */
  drop(): void;
}

export class DroppedRequest extends Error {}

class Barrier implements HoldHandle {
  waiting = 0;
  readonly reached: Promise<void>;
  private readonly matcher: RequestMatcher;
  private readonly isDropped: Promise<boolean>;
  private markReached: () => void = () => undefined;
  private end: (isDropped: boolean) => void = () => undefined;

  constructor(
    readonly target: HoldTarget,
    private readonly onEnd: (barrier: Barrier) => void,
  ) {
    this.matcher = new RequestMatcher(target, 'always');
    this.reached = new Promise((resolve) => (this.markReached = resolve));
    this.isDropped = new Promise((resolve) => (this.end = resolve));
  }

  isHit(method: string, path: string): boolean {
    return this.matcher.isHit(method, path);
  }

  async park(): Promise<void> {
    this.waiting += 1;
    this.markReached();
    const isDropped = await this.isDropped;
    this.waiting -= 1;
    if (isDropped) throw new DroppedRequest();
  }

  release(): void {
    this.onEnd(this);
    this.end(false);
  }

  drop(): void {
    this.onEnd(this);
    this.end(true);
  }
}

export class Barriers {
  private readonly standing = new Set<Barrier>();

  add(target: HoldTarget): HoldHandle {
    const barrier = new Barrier(target, (ended) => this.standing.delete(ended));
    this.standing.add(barrier);
    return barrier;
  }

  /** The barriers that a request will meet; called once per request, as barriers count requests. */
  metBy(method: string, path: string): Record<HoldTarget['when'], readonly Barrier[]> {
    const hit = [...this.standing].filter((barrier) => barrier.isHit(method, path));
    return {
      before: hit.filter((barrier) => barrier.target.when === 'before'),
      after: hit.filter((barrier) => barrier.target.when === 'after'),
    };
  }

  async wait(barriers: readonly Barrier[]): Promise<void> {
    for (const barrier of barriers) if (this.standing.has(barrier)) await barrier.park();
  }

  dropAll(): void {
    for (const barrier of [...this.standing]) barrier.drop();
  }
}
