// What for: reads access logs of any size and format, and counts their clients.
// Must not know: `review` and `explain`, and what becomes of the clients: the review decides that.
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { LogFile, TrafficLog } from 'pulumi-edge-policy-review';
import type { CliContext } from '../command/context';
import { progressOf } from '../command/progress';
import { ClientCounter } from './client-counter';
import { LineCounter } from './line-counter';
import type { TrafficOptions } from './traffic-options';

export interface TrafficReading extends TrafficOptions {
  readonly cwd: string;
  /** Shows how far the reading is. */
  readonly context: Pick<CliContext, 'clock' | 'progress'>;
  readonly mostClients?: number;
}

const CHUNK_BYTES = 512 * 1024;

/**
 * Reads the logs that the options of a command name: the clients of all files of a subject are counted together.
 *
 * @throws UserError if a file cannot be read to its end.
 */
export async function readLogs(reading: TrafficReading): Promise<TrafficLog[]> {
  const { traffic: sources = [] } = reading;
  if (sources.filter(({ file }) => file === '-').length > 1)
    throw new UserError('Standard input can carry only one log: give "-" once.');
  const bySubject = grouped(sources, ({ subject }) => JSON.stringify(subject));
  const showProgress = progressOf(reading.context);
  let linesBefore = 0;
  const logs: TrafficLog[] = [];
  for (const group of bySubject.values()) {
    const clients = new ClientCounter(reading.mostClients);
    const files: LogFile[] = [];
    for (const { file } of group) {
      const read = (lines: number) => {
        showProgress(() => `Reading the logs: ${linesBefore + lines} lines so far`);
      };
      const logFile = await readFile(file, clients, { ...reading, read });
      linesBefore += logFile.lines;
      files.push(logFile);
    }
    const [{ subject }] = group;
    logs.push({ ...(subject && { subject }), files, ...clients.counted() });
  }
  return logs;
}

async function readFile(
  file: string,
  clients: ClientCounter,
  reading: TrafficReading & { readonly read: (lines: number) => void },
): Promise<LogFile> {
  const name = file === '-' ? 'standard input' : file;
  const lines = new LineCounter(clients, reading.trafficFields);
  let unreadFrom: number | undefined;
  const place = path.resolve(reading.cwd, file);
  const stream = file === '-' ? process.stdin : createReadStream(place, { highWaterMark: CHUNK_BYTES });
  try {
    const log = await unpacked(stream);
    for await (const chunk of log.content) {
      lines.add(chunk);
      reading.read(lines.lines);
    }
    lines.end();
    unreadFrom = await log.unreadFrom();
  } catch (error) {
    throw new UserError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    stream.destroy();
  }
  const { unreadable, firstUnreadable, ambiguous } = lines;
  return {
    ...{ name, lines: lines.lines, unreadable },
    ...(firstUnreadable !== undefined && { firstUnreadable }),
    ...(ambiguous > 0 && { ambiguous }),
    ...(unreadFrom !== undefined && { unreadFrom }),
  };
}

/** A log as it is read; afterwards, the byte from which on it could not be, if that is not its end. */
interface Unpacked {
  readonly content: AsyncIterable<Buffer>;
  readonly unreadFrom: () => Promise<number | undefined>;
}

/** No server writes these bytes into a line: control characters are escaped. */
const GZIP = Buffer.of(0x1f, 0x8b);

/** The content, whether it is compressed or not. A log has one form to its end; only zeros may follow the last gzip member. */
export async function unpacked(stream: AsyncIterable<Buffer>): Promise<Unpacked> {
  const rest = stream[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    const next = await rest.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  return first.subarray(0, GZIP.length).equals(GZIP) ? gunzipped(first, rest) : plainText(first, rest);
}

function plainText(first: Buffer, rest: AsyncIterator<Buffer>): Unpacked {
  let unreadFrom: number | undefined;
  async function* content() {
    let before = 0;
    for (let chunk = first; ;) {
      const at = chunk.indexOf(GZIP);
      if (at >= 0) {
        unreadFrom = before + at;
        yield chunk.subarray(0, at);
        return;
      }
      // The next part decides about the last byte.
      const kept = chunk.at(-1) === GZIP[0] ? 1 : 0;
      yield chunk.subarray(0, chunk.length - kept);
      before += chunk.length - kept;
      const next = await rest.next();
      if (next.done === true) return;
      chunk = kept === 0 ? next.value : Buffer.concat([GZIP.subarray(0, 1), next.value]);
    }
  }
  return { content: content(), unreadFrom: () => Promise.resolve(unreadFrom) };
}

function gunzipped(first: Buffer, rest: AsyncIterator<Buffer>): Unpacked {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  /** What may not have been unpacked yet, with its end in the file. */
  let given: { readonly end: number; readonly chunk: Buffer }[] = [];
  let end = 0;
  const note = (chunk: Buffer): Buffer => {
    end += chunk.length;
    given = [...given.filter((each) => each.end > gunzip.bytesWritten), { end, chunk }];
    return chunk;
  };
  // Not delegated, as that would end the rest together with the unpacking.
  async function* all() {
    yield note(first);
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield note(next.value);
  }
  let isOtherForm = false;
  async function* members() {
    try {
      // What fails on the way also ends the reading.
      yield* pipeline(Readable.from(all()), gunzip, () => undefined);
    } catch (error) {
      // What follows a member is no other one.
      if ((error as Error).message !== 'incorrect header check') throw error;
      isOtherForm = true;
    }
  }
  return {
    content: members(),
    // Node.js stops at a zero behind a member, and takes whatever follows for padding.
    unreadFrom: async () => {
      const stop = gunzip.bytesWritten;
      if (isOtherForm) return stop;
      for (const { end: to, chunk } of given)
        if (chunk.subarray(Math.max(0, stop - to + chunk.length)).some((byte) => byte !== 0)) return stop;
      for (let next = await rest.next(); next.done !== true; next = await rest.next())
        if (next.value.some((byte) => byte !== 0)) return stop;
      return undefined;
    },
  };
}
