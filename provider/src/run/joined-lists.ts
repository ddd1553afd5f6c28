import type { Deadline } from '../api/deadline';

/**
 * Reads a list for creates that check what exists before they send anything. A create that asks while a list is being read
 * waits for the next one, which begins afterwards and serves everyone who waits by then. So each sees a list that began after
 * it asked, and a thousand creates read about a hundred lists, not a thousand.
 */
export class JoinedLists<List> {
  private reading: Promise<unknown> | undefined;
  private next: Promise<List> | undefined;

  /** A failure of a list that another create began is not passed on: the list is read once more. */
  async read(list: () => Promise<List>, deadline: Pick<Deadline, 'renew'>): Promise<List> {
    if (this.reading === undefined) return this.begin(list);
    const isFirst = this.next === undefined;
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      return this.begin(list);
    });
    if (isFirst) return this.next;
    const joined = await this.next.catch(() => undefined);
    if (joined === undefined) return list();
    // The time spent waiting does not count, as work went on.
    deadline.renew();
    return joined;
  }

  private begin(list: () => Promise<List>): Promise<List> {
    const reading = list();
    this.reading = reading
      .catch(() => undefined)
      .finally(() => {
        this.reading = undefined;
      });
    return reading;
  }
}
