type Cleanup = () => void | Promise<void>;

/** The lifetime of something that a test has made: until the end of the test, or of the test file. */
export type Lifetime = 'test' | 'file';

const pending: Record<Lifetime, Cleanup[]> = { test: [], file: [] };

/** Registers a clean-up for the end of the test or the file, whatever the outcome; the latest runs first. */
export const deferCleanup = (cleanup: Cleanup, lifetime: Lifetime = 'test'): void => {
  pending[lifetime].push(cleanup);
};

/** Every clean-up runs, even after one that failed; the failures are thrown together. */
const runAll = async (lifetime: Lifetime): Promise<void> => {
  const failures: unknown[] = [];
  for (let cleanup = pending[lifetime].pop(); cleanup !== undefined; cleanup = pending[lifetime].pop()) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'several clean-ups failed');
};

afterEach(() => runAll('test'));
afterAll(() => runAll('file'));
