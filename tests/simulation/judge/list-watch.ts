import type { Sent } from '../network/observer';
import { Broken } from './broken';

/**
 * I9 for reads of the list: if nothing goes wrong, each step of a run reads it from its beginning at most once, and all
 * look-ups together once, however much is written meanwhile.
 */
export class ListWatch {
  private process = 0;
  private reads = 0;

  onSend({ process, method, target }: Sent): void {
    if (process !== this.process) [this.process, this.reads] = [process, 0];
    if (method === 'GET' && target === '/ip_policy_rules') this.reads += 1;
  }

  /** Throws if a run with this number of steps has read the list too often. */
  judge(steps: number): void {
    if (this.reads > 1 + steps)
      throw new Broken('I9', `the list was begun ${this.reads} times in a run of ${steps} steps`);
  }
}
