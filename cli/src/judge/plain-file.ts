import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** More than any assertion file or plan needs: the plan of 100,000 rules has 10 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a file that the author of a change may have planted: endless files, and pipes without a writer, are refused. */
export function readPlainFile(file: string): string {
  // Opening a pipe for reading would wait for its writer.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error(`${file} is not a plain file`);
    if (stats.size > MOST_BYTES)
      throw new Error(`${file} has ${stats.size} bytes, and at most ${MOST_BYTES} are read`);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}
