import { ServerClock, systemClock } from '../../../provider/src/api/clock';

describe('the clock of the machine', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('wakes at once when the time is over already', async () => {
    const sleep = systemClock.sleep(-5);
    await jest.advanceTimersByTimeAsync(0);
    await sleep;
    expect(jest.getTimerCount()).toBe(0);
  });

  test('stops a sleep when it is told to, and leaves no timer behind', async () => {
    const stop = new AbortController();
    const sleep = systemClock.sleep(1000, stop.signal);
    const outcome = expect(sleep).rejects.toThrow('enough');
    await jest.advanceTimersByTimeAsync(10);
    stop.abort(new Error('enough'));
    await outcome;
    expect(jest.getTimerCount()).toBe(0);
    await expect(systemClock.sleep(1000, stop.signal)).rejects.toThrow('enough');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('goes on when the time of day is set', async () => {
    const startedAt = systemClock.monotonicMs();
    jest.setSystemTime(Date.UTC(2000, 0, 1));
    await jest.advanceTimersByTimeAsync(250);
    expect(systemClock.monotonicMs() - startedAt).toBe(250);
  });
});

describe('the clock of the service', () => {
  const at = (seconds: number): number => Date.UTC(2030, 0, 1) + seconds * 1000;
  const header = (seconds: number): string => new Date(at(seconds)).toUTCString();

  test('is unknown before its first answer, and without a usable Date header', () => {
    const clock = new ServerClock();
    expect(clock.offsetMs).toBeUndefined();
    clock.observe(undefined, at(0), at(0));
    clock.observe('2030-01-01', at(0), at(0));
    expect(clock.offsetMs).toBeUndefined();
  });

  test('is estimated from below, and better with every answer', () => {
    const clock = new ServerClock();
    clock.observe(header(10), at(0.4), at(0.9));
    expect(clock.offsetMs).toBe(9100);
    clock.observe(header(11), at(1.2), at(1.3));
    expect(clock.offsetMs).toBe(9700);
    clock.observe(header(12), at(2.9), at(3));
    expect(clock.offsetMs).toBe(9700);
  });

  test('is estimated anew when one of the clocks has been set', () => {
    const clock = new ServerClock();
    clock.observe(header(10), at(0), at(0.1));
    clock.observe(header(3), at(1), at(1.1));
    expect(clock.offsetMs).toBe(1900);
    clock.observe(header(20), at(2), at(2.5));
    expect(clock.offsetMs).toBe(17_500);
  });
});
