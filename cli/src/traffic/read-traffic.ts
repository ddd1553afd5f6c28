// What for: reads access logs of any size and format, and counts their clients.
// Must not know: `review` and `explain`, and what becomes of the clients: the review decides that.
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { LogFile, TrafficLog } from 'pulumi-edge-policy-review';
import { ClientCounter } from './client-counter';
import { LineCounter } from './line-counter';
import type { FieldNames, TrafficOptions, TrafficSource } from './traffic-options';

/** How logs are read. */
export interface TrafficReading {
  readonly cwd: string;
  readonly fields?: FieldNames | undefined;
  /** The most clients that are kept apart. */
  readonly mostClients?: number;
}

const CHUNK_BYTES = 512 * 1024;

/** Reads the logs that the options of a command name. */
export const readLogs = ({
  traffic = [],
  trafficFields: fields,
  cwd,
}: TrafficOptions & { readonly cwd: string }): Promise<TrafficLog[]> => readTraffic(traffic, { cwd, fields });

/**
 * Reads logs: the clients of all files of a subject, counted together.
 *
 * @throws UserError if a file cannot be read to its end.
 */
export async function readTraffic(
  sources: readonly TrafficSource[],
  reading: TrafficReading,
): Promise<TrafficLog[]> {
  if (sources.filter(({ file }) => file === '-').length > 1)
    throw new UserError('Standard input can carry only one log: give "-" once.');
  const bySubject = new Map<string, TrafficSource[]>();
  for (const source of sources) {
    const key = JSON.stringify(source.subject);
    bySubject.set(key, [...(bySubject.get(key) ?? []), source]);
  }
  const logs: TrafficLog[] = [];
  for (const group of bySubject.values()) {
    const clients = new ClientCounter(reading.mostClients);
    const files: LogFile[] = [];
    for (const { file } of group) files.push(await readFile(file, clients, reading));
    const subject = group[0]?.subject;
    logs.push({ ...(subject && { subject }), files, ...clients.counted() });
  }
  return logs;
}

async function readFile(file: string, clients: ClientCounter, reading: TrafficReading): Promise<LogFile> {
  const name = file === '-' ? 'standard input' : file;
  const lines = new LineCounter(clients, reading.fields);
  try {
    const place = path.resolve(reading.cwd, file);
    const stream = file === '-' ? process.stdin : createReadStream(place, { highWaterMark: CHUNK_BYTES });
    for await (const chunk of await unpacked(stream)) lines.add(chunk);
    lines.end();
  } catch (error) {
    throw new UserError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { unreadable, firstUnreadable } = lines;
  return { name, lines: lines.lines, unreadable, ...(firstUnreadable !== undefined && { firstUnreadable }) };
}

/** The content, whether it is compressed or not: gzip begins with two bytes that no text does. */
async function unpacked(chunks: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  async function* all() {
    if (first.done !== true) yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  const isCompressed = first.done !== true && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isCompressed) return all();
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // What fails on the way also ends the reading.
  return pipeline(Readable.from(all()), gunzip, () => undefined);
}
