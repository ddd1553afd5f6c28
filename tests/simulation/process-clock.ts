import type { Clock } from '../../provider/src/api/clock';
import type { VirtualClock } from '../support/virtual-clock';

const never = new Promise<never>(() => undefined);

/** The clock of one process: it stops with the process, and then its sleepers never wake. */
export class ProcessClock implements Clock {
  private isDead = false;
  private readonly startedAtMs: number;

  /** @param errorMs How far its time of day is from that of the simulation. */
  constructor(
    private readonly time: VirtualClock,
    private readonly errorMs: () => number,
  ) {
    this.startedAtMs = time.monotonicMs();
  }

  epochMs(): number {
    return this.time.epochMs() + this.errorMs();
  }

  monotonicMs(): number {
    return this.time.monotonicMs() - this.startedAtMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.time.sleep(ms, signal);
    if (this.isDead) await never;
  }

  kill(): void {
    this.isDead = true;
  }
}
